import { expect, test } from 'vitest'
import { toListenerOrigin } from '../../bin/node/http/listen.ts'
import { emptyStoreFault } from '../../server/oauth/vault/empty-store-fault.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { DetachedProcess } from '../../src/ports.ts'
import { FACTS, type HostWishes } from './fake-host.ts'
import { type MemoryFiles, memoryFiles } from './memory-files.ts'
import { errorLine, runCli } from './run-cli.ts'

/** Returns a started process that has printed this first line. */
function child(firstLine: string | undefined): DetachedProcess {
  return { pid: 42, firstLine: Promise.resolve(firstLine), ended: Promise.resolve(6), release: () => undefined }
}

/** A host whose server has another port than commands use by default. */
const ELSEWHERE = { ...FACTS, origin: 'http://127.0.0.1:9000' }
const host: HostWishes['host'] = {
  run: async (_flags, { onReady }) => await onReady(ELSEWHERE, undefined),
  detach: () => child(JSON.stringify(ELSEWHERE))
}

const HINT =
  'hint: to use it in other commands, add --server http://127.0.0.1:9000, or make it the default: memctl config set server'

test.each([[[]], [['--detach']]])(
  'hints how to use a server at another address than the default: %j',
  async (detach) => {
    const run = await runCli(['server', 'start', ...detach], { host })
    expect(run.stderr).toContain(HINT)
    const named = await runCli(['server', 'start', ...detach, '--server', 'http://127.0.0.1:9000/'], { host })
    expect(named.stderr).not.toContain('other commands')
  }
)

test('a server starts even if the settings of commands are invalid', async () => {
  const run = await runCli(['server', 'start', '--detach'], { host, environment: { MEMCTL_SERVER: 'nowhere' } })
  expect(run.code).toBe(0)
  expect(run.stderr).toContain(HINT)
})

test('normalizes the origin of a server, so that its key is found', () => {
  const at = (port: number) => ({ address: '', family: 'IPv4', port })
  expect(toListenerOrigin('127.0.0.1', at(80))).toBe('http://127.0.0.1')
  expect(toListenerOrigin('LOCALHOST', at(8787))).toBe('http://localhost:8787')
  expect(toListenerOrigin('::', at(8787))).toBe('http://[::1]:8787')
  expect(toListenerOrigin('0.0.0.0', at(8787))).toBe('http://127.0.0.1:8787')
})

test('reports a log that cannot be written as a system error', async () => {
  const refused: HostWishes['host'] = {
    detach: () => {
      throw Object.assign(new Error('EISDIR'), { code: 'EISDIR', syscall: 'open' })
    }
  }
  const run = await runCli(['server', 'start', '--detach', '--json'], { host: refused })
  expect(run.code).toBe(1)
  expect(errorLine(run)).toMatchObject({
    code: 'system_refused',
    message: '/data/server.log: system error EISDIR'
  })
})

test('passes on the hint of a failed server', async () => {
  const files = memoryFiles()
  const error = { code: 'locked', message: 'taken', hint: 'another', next: ['memctl server status', 7] }
  const failing: HostWishes['host'] = {
    detach: ({ logFile }) => {
      files.put(logFile, `${JSON.stringify({ error })}\n`)
      return child(undefined)
    }
  }
  const run = await runCli(['server', 'start', '--detach', '--json'], { host: failing, files })
  expect(errorLine(run)).toMatchObject({ code: 'locked', next: ['memctl server status'] })
})

/** Returns a host on which the port is in use, for a server in the foreground or background. */
function takenPort(): HostWishes & { files: MemoryFiles } {
  const files = memoryFiles()
  const fault = new Fault('address_in_use', 'something listens there already', { hint: 'of the server' })
  const host: NonNullable<HostWishes['host']> = {
    run: async () => {
      throw fault
    },
    detach: ({ logFile }) => {
      const { code, message, hint } = fault
      files.put(logFile, `${JSON.stringify({ error: { code, message, hint } })}\n`)
      return child(undefined)
    }
  }
  return { host, files }
}

test.each([
  [['--port', '8866'], '--port 0'],
  [['--detach', '--port', '8866'], '--port 0 --detach'],
  [['--data-dir', 'my data', '--new-admin-key'], "--data-dir 'my data' --port 0 --new-admin-key"],
  [['--database-url', 'postgres://db.example/m'], '--database-url postgres://db.example/m --port 0'],
  [['--database-url', 'postgres://me:hush@db.example/m'], '--database-url URL --port 0']
])('suggests the same start with a free port if the port is in use: %j', async (given, told) => {
  const start = `memctl server start ${told}`
  expect(errorLine(await runCli(['server', 'start', '--json', ...given], takenPort()))).toMatchObject({
    code: 'address_in_use',
    hint: `stop the process that uses the port, or choose a free port: ${start}`,
    next: ['memctl server status', start]
  })
})

test.each([
  [[], 'memctl server start --new-store'],
  [['--detach', '--data-dir', 'd'], 'memctl server start --data-dir d --new-store --detach'],
  [['--port', '9000', '--new-admin-key'], 'memctl server start --port 9000 --new-store --new-admin-key']
])('suggests the same start with --new-store if the store is missing: %j', async (given, start) => {
  const fault = emptyStoreFault('/data/server.db', 'a key is kept')
  const { code, message, hint, next } = fault
  const files = memoryFiles()
  const host: HostWishes['host'] = {
    run: () => Promise.reject(fault),
    detach: ({ logFile }) => {
      files.put(logFile, `${JSON.stringify({ error: { code, message, hint, next } })}\n`)
      return child(undefined)
    }
  }
  const run = await runCli(['server', 'start', '--json', ...given], { host, files })
  expect(run.code).toBe(6)
  expect(errorLine(run)).toMatchObject({
    hint: `restore the database, or start with an empty one: ${start}`,
    next: [start]
  })
})

test('a start passes on the folder of the credentials, whether a key is saved, and whether the store may be new', async () => {
  const asked: unknown[] = []
  const host: HostWishes['host'] = {
    run: async (_flags, { hasKey, newStore, keysFolder, onReady }) => {
      asked.push({ hasKey, newStore, keysFolder })
      await onReady(FACTS, hasKey === true ? undefined : 'mk_first')
    }
  }
  const files = memoryFiles()
  await runCli(['server', 'start'], { host, files })
  await runCli(['server', 'start', '--new-store'], { host, files })
  const keysFolder = '/home/ada/config'
  expect(asked).toEqual([
    { hasKey: false, newStore: false, keysFolder },
    { hasKey: true, newStore: true, keysFolder }
  ])
})

test.each(['EROFS', 'EACCES'])(
  'a start fails if the key cannot be saved, unless the key is known: %s',
  async (code) => {
    const run = async (host: NonNullable<HostWishes['host']>) => {
      const files = memoryFiles()
      files.refuse('/home/ada/config/credentials.json.lock', code)
      return await runCli(['server', 'start', '--json'], { host, files })
    }
    const made: NonNullable<HostWishes['host']> = {
      run: async (_flags, { onReady }) => await onReady(FACTS, 'mk_made')
    }
    const failed = await run(made)
    expect(errorLine(failed)).toMatchObject({
      code: 'system_refused',
      message: expect.stringMatching(`^cannot save the admin key: .*${code}`)
    })
    const given = { key: 'admin_key', value: '[secret]', origin: 'environment', where: 'MEMCTL_ADMIN_KEY' } as const
    const folder = { key: 'data_dir', value: '/data', origin: 'default', where: null } as const
    const kept = await run({ ...made, settings: async () => [folder, given] })
    expect(kept).toMatchObject({ code: 0, stderr: expect.stringContaining('cannot save the admin key') })
  }
)

test('creates another admin key in the foreground or background, but not while a server is running', async () => {
  const asked: unknown[] = []
  const host: HostWishes['host'] = {
    run: async (_flags, { newAdminKey, onReady }) => {
      asked.push(newAdminKey)
      await onReady(FACTS, 'mk_another')
    },
    detach: ({ args }) => {
      asked.push(args.includes('--new-admin-key'))
      return child(JSON.stringify(FACTS))
    }
  }
  const files = memoryFiles()
  for (const more of [[], ['--new-admin-key'], ['--detach'], ['--detach', '--new-admin-key']])
    expect(await runCli(['server', 'start', ...more], { host, files })).toMatchObject({ code: 0 })
  expect(asked).toEqual([false, true, false, true])
  expect(JSON.parse(files.text('/home/ada/config/credentials.json') ?? '')).toMatchObject({
    'file:///data': { key: 'mk_another' },
    [FACTS.origin]: { key: 'mk_another' }
  })
  const running = { facts: () => FACTS, isRunning: () => true }
  const run = await runCli(['server', 'start', '--detach', '--new-admin-key', '--json'], { host: running })
  expect(errorLine(run)).toMatchObject({
    code: 'conflict',
    hint: 'memctl server stop, then memctl server start --new-admin-key --detach',
    next: ['memctl server stop', 'memctl server start --new-admin-key --detach']
  })
})

test.each([[[]], [['--detach']]])('a start hints how to get a key if none is saved: %j', async (more) => {
  const run = await runCli(['server', 'start', '--data-dir', 'd', ...more], { host })
  expect(run.stderr).toContain('Log in with memctl auth login --server http://127.0.0.1:9000')
  expect(run.stderr).toContain(
    'memctl server stop --data-dir d, then memctl server start --port 9000 --data-dir d --new-admin-key'
  )
})

test('never suggests removing a damaged credentials file', async () => {
  const files = memoryFiles()
  files.put('/home/ada/config/credentials.json', 'no JSON')
  const { hint } = errorLine(await runCli(['auth', 'status', '--json'], { files }))
  expect(hint).toContain('move it aside and store its keys again')
  expect(hint).not.toMatch(/remove|delete|rm /)
})

test.each([
  [[], {}, 'memctl server start'],
  [[], { MEMCTL_SERVER: 'http://127.0.0.1:8861' }, 'memctl server start --port 8861'],
  [['--data-dir', 'my data'], {}, "memctl server start --data-dir 'my data'"],
  [[], { MEMCTL_SERVER: 'https://memory.example' }, 'memctl server start']
])(
  'status without a running server prints the start command for the address that commands use: %j %j',
  async (words, environment, start) => {
    const run = await runCli(['server', 'status', '--json', ...words], { environment })
    expect(errorLine(run)).toMatchObject({ code: 'not_found', hint: start, next: [start] })
  }
)

test('status of the server that --server names is not that of the local one', async () => {
  const host: HostWishes['host'] = { facts: () => FACTS, isRunning: () => true }
  const probed: string[] = []
  const fetch = async ({ url }: Request): Promise<Response> => {
    probed.push(new URL(url).origin)
    return new Response('ok')
  }
  const there = await runCli(['server', 'status', '--json', '--server', 'https://m.example'], { host, fetch })
  expect(there.code).toBe(0)
  expect(JSON.parse(there.stdout)).toMatchObject({
    running: false,
    origin: 'https://m.example',
    pid: null,
    ready: true
  })
  const here = await runCli(['server', 'status', '--json', '--server', `${FACTS.origin}/`], { host, fetch })
  expect(JSON.parse(here.stdout)).toMatchObject({ running: true, origin: FACTS.origin, pid: 42 })
  expect(new Set(probed)).toEqual(new Set(['https://m.example', FACTS.origin]))
})

test('exits 7 if the server that --server names does not respond', async () => {
  const run = await runCli(['server', 'status', '--json', '--server', 'https://m.example'])
  expect(run.code).toBe(7)
  expect(errorLine(run)).toMatchObject({ code: 'unreachable' })
})
