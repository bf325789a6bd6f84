import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { afterAll, expect, test } from 'vitest'
import { foldersFor, type Surroundings } from '../../bin/node/node-folders.ts'
import { nodePreferences } from '../../bin/node/node-preferences.ts'
import { nodeOutput, showsLinks, wantsColors } from '../../bin/node/terminal/node-output.ts'

const scratch = mkdtempSync(join(tmpdir(), 'memctl-ports-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const at = (platform: string, environment: Record<string, string> = {}): Surroundings => ({
  ...{ platform, environment },
  ...{ current: () => '/here', home: () => '/home/ada', temporary: () => '/tmp' }
})

test('uses XDG folders on Linux', () => {
  const { config, data, cache } = foldersFor(at('linux'))
  expect([config, data, cache]).toEqual([
    '/home/ada/.config/memctl',
    '/home/ada/.local/share/memctl',
    '/home/ada/.cache/memctl'
  ])
  const own = foldersFor(at('linux', { XDG_CONFIG_HOME: '/x/c', XDG_DATA_HOME: '/x/d', XDG_CACHE_HOME: '/x/k' }))
  expect([own.config, own.data, own.cache]).toEqual(['/x/c/memctl', '/x/d/memctl', '/x/k/memctl'])
})

test('ignores an XDG folder that is not an absolute path', () => {
  expect(foldersFor(at('linux', { XDG_DATA_HOME: 'relative' })).data).toBe('/home/ada/.local/share/memctl')
})

test('uses Library folders on macOS', () => {
  const { config, data, cache } = foldersFor(at('darwin'))
  expect([config, data]).toEqual(Array(2).fill('/home/ada/Library/Application Support/memctl'))
  expect(cache).toBe('/home/ada/Library/Caches/memctl')
})

test('uses AppData folders on Windows', () => {
  const folders = foldersFor(at('win32', { APPDATA: '/r', LOCALAPPDATA: '/l' }))
  expect([folders.config, folders.data, folders.cache]).toEqual(['/r/memctl', '/l/memctl/data', '/l/memctl/cache'])
})

test('MEMCTL variables override the defaults; relative paths start at the current folder', () => {
  const own = { MEMCTL_CONFIG_DIR: '/c', MEMCTL_DATA_DIR: 'd', MEMCTL_CACHE_DIR: '/k', XDG_CONFIG_HOME: '/x' }
  const { config, data, cache } = foldersFor(at('linux', own))
  expect([config, data, cache]).toEqual(['/c', '/here/d', '/k'])
})

test('does not look up a folder before it is needed', () => {
  const fail = () => {
    throw new Error('asked')
  }
  const folders = foldersFor({ ...at('linux', { MEMCTL_DATA_DIR: '/d' }), home: fail })
  expect(folders.data).toBe('/d')
  expect(() => folders.cache).toThrow('asked')
})

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false]
])('chooses colors on a terminal (%s) with %o: %s', (isTerminal, environment, colors) => {
  expect(wantsColors(isTerminal, environment)).toBe(colors)
})

/** A stream with the members that an output needs. */
function stream(write: (text: unknown, done: (error?: Error) => void) => void) {
  return Object.assign(new PassThrough(), { write }) as unknown as WriteStream
}

test('a write waits until the reader has read it', async () => {
  let take = () => undefined as unknown
  const output = nodeOutput(
    'stdout',
    stream((_text, done) => (take = done)),
    {}
  )
  let taken = false
  const written = output.write('x').then(() => {
    taken = true
  })
  await Promise.resolve()
  expect(taken).toBe(false)
  take()
  await written
  expect(taken).toBe(true)
})

test('closes the output quietly when its reader ends', async () => {
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  let writes = 0
  const output = nodeOutput(
    'stdout',
    stream((_text, done) => done(++writes > 0 ? gone : undefined)),
    {}
  )
  await output.write('x')
  expect(output.closed).toBe(true)
  await output.write('y')
  expect(writes).toBe(1)
})

test('reports a full disk behind stdout', async () => {
  const full = Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' })
  const output = nodeOutput(
    'stdout',
    stream((_text, done) => done(full)),
    {}
  )
  await expect(output.write('x')).rejects.toMatchObject({
    code: 'system_refused',
    message: expect.stringContaining('ENOSPC')
  })
})

const preferences = (config: string) => nodePreferences(foldersFor(at('linux', { MEMCTL_CONFIG_DIR: config })))

test('saves settings readable only by their owner, and reads them again', async () => {
  const config = join(scratch, 'fresh')
  const own = preferences(config)
  expect(own.read()).toEqual({})
  await own.write('snapshot', '/a.b.mem.jsonl')
  await own.write('lock_wait', '5s')
  expect(own.read()).toEqual({ snapshot: '/a.b.mem.jsonl', lock_wait: '5s' })
  expect(statSync(own.path).mode & 0o777).toBe(0o600)
  await own.remove('snapshot')
  expect(own.read()).toEqual({ lock_wait: '5s' })
})

test.each(['{"snapshot":', '[]', ''])(
  'reports a settings file that contains `%s` by name, and does not change it',
  async (text) => {
    const own = preferences(scratch)
    writeFileSync(own.path, text)
    expect(() => own.read()).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(own.path) })
    )
    await expect(own.write('snapshot', 'x')).rejects.toMatchObject({ code: 'invalid_input' })
    expect(readFileSync(own.path, 'utf8')).toBe(text)
  }
)

test.each([
  [{ TERM_PROGRAM: 'iTerm.app' }, true],
  [{ VTE_VERSION: '7200' }, true],
  [{ VTE_VERSION: '4800' }, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'dumb', WT_SESSION: 'x' }, false],
  [{ TERM_PROGRAM: 'iTerm.app', FORCE_HYPERLINK: '0' }, false]
])('shows links only on a terminal that announces them: %j', (environment, links) => {
  expect(showsLinks(true, environment)).toBe(links)
  expect(showsLinks(false, environment)).toBe(false)
})
