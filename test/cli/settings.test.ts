import { expect, test } from 'vitest'
import { makeSettings } from '../../src/cli/settings/settings.ts'
import { chooseSnapshot } from '../../src/cli/snapshots/choose-snapshot.ts'
import { fakeWorld, type Wishes } from './fake-world.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runCli } from './run-cli.ts'

function filesWith(texts: Record<string, string>) {
  const files = memoryFiles()
  for (const [path, text] of Object.entries(texts)) files.put(path, text)
  return files
}

const everywhere: Wishes = {
  environment: { MEMCTL_SNAPSHOT: 'env.mem.jsonl' },
  files: filesWith({ '/project/memctl.json': '{"snapshot":"project.mem.jsonl"}' }),
  preferences: { snapshot: '/user.mem.jsonl' }
}

test('a flag overrides a variable, a project file, a user file and the default, in this order', () => {
  const origin = (wishes: Wishes, flag?: string) =>
    makeSettings(fakeWorld(wishes), { snapshot: flag }).get('snapshot').origin
  expect(origin(everywhere, 'flag.mem.jsonl')).toBe('flag')
  expect(origin(everywhere)).toBe('environment')
  expect(origin({ ...everywhere, environment: {} })).toBe('project')
  expect(origin({ preferences: { snapshot: '/user.mem.jsonl' } })).toBe('user')
  expect(origin({})).toBe('default')
})

test('uses only the nearest project file upward', () => {
  const files = filesWith({
    '/project/memctl.json': '{"lock_wait":"1s"}',
    '/memctl.json': '{"lock_wait":"2s","server":"https://x.example"}'
  })
  const settings = makeSettings(fakeWorld({ files, current: '/project/deep/er' }), {})
  expect(settings.get('lock_wait')).toEqual({ value: '1s', origin: 'project', where: '/project/memctl.json' })
  expect(settings.get('server').origin).toBe('default')
})

test('a snapshot named in a file is relative to that file', () => {
  const files = filesWith({ '/project/memctl.json': '{"snapshot":"data/p.mem.jsonl"}' })
  const world = fakeWorld({ files, current: '/project/deep' })
  expect(chooseSnapshot(world, makeSettings(world, {}))).toMatchObject({
    path: '/project/data/p.mem.jsonl',
    why: 'named'
  })
})

test('uses the snapshot in the current folder without settings, or else the default', () => {
  const chosen = (world = fakeWorld()) => chooseSnapshot(world, makeSettings(world, {}))
  expect(chosen()).toMatchObject({ path: '/home/ada/data/memctl.mem.jsonl', why: 'default' })
  const here = fakeWorld({ files: filesWith({ '/project/memctl.mem.jsonl': '' }) })
  expect(chosen(here)).toMatchObject({ path: '/project/memctl.mem.jsonl', why: 'here' })
})

test.each([
  ['invalid JSON', '{"snapshot":', 'expected JSON'],
  ['an unknown key', '{"snapshoot":"x"}', "unknown setting 'snapshoot'"],
  ['a value that is not a text', '{"lock_wait":30}', "expected a text for 'lock_wait'"],
  ['an invalid value', '{"lock_wait":"long"}', "lock_wait 'long' is invalid: expected a duration"],
  ['a list', '[]', 'expected a JSON object'],
  ['bytes that are not text', '\ud800', 'expected JSON']
])('exits 10 and names a project file with %s', async (_name, text, why) => {
  const run = await runCli(['config', 'list', '--json'], { files: filesWith({ '/project/memctl.json': text }) })
  expect(run.code).toBe(10)
  expect(errorLine(run)).toMatchObject({ code: 'invalid_input', hint: 'fix or remove /project/memctl.json' })
  expect(errorLine(run).message).toContain(`settings file /project/memctl.json: ${why}`)
})

test.each([
  ['MEMCTL_SERVER', 'http://example.org', 'uses plain http for another machine'],
  ['MEMCTL_SERVER', 'ftp://example.org', 'is not an http or https URL'],
  ['MEMCTL_SERVER', 'https://me:hidden@example.org', 'user name or password'],
  ['MEMCTL_SERVER', 'nowhere', 'is not a URL'],
  ['MEMCTL_LOCK_WAIT', '30', 'expected a duration']
])('rejects %s=%s as a usage error', async (variable, value, why) => {
  const run = await runCli(['config', 'list', '--json'], { environment: { [variable]: value } })
  expect(run.code).toBe(2)
  expect(errorLine(run).message).toContain(why)
  expect(run.stderr).not.toContain('hidden')
})

test.each(['http://localhost:1', 'http://127.0.0.5', 'http://[::1]:8787', 'https://example.org/base'])(
  'accepts the server address %s',
  async (server) => {
    const run = await runCli(['config', 'get', 'server'], { environment: { MEMCTL_SERVER: server } })
    expect(run.stdout).toBe(`${server}\n`)
  }
)

test('config list --show-origin shows the origin of each value', async () => {
  const run = await runCli(['config', 'list', '--show-origin', '--json'], everywhere)
  expect(JSON.parse(run.stdout)).toContainEqual({
    key: 'snapshot',
    value: 'env.mem.jsonl',
    origin: 'environment',
    where: 'MEMCTL_SNAPSHOT'
  })
  const flag = await runCli(['config', 'get', 'snapshot', '--snapshot', 'f', '--show-origin'], everywhere)
  expect(flag.stdout).toBe('f\tflag\t--snapshot\n')
})

test('config set saves a valid value, get prints it, and unset removes it', async () => {
  const files = memoryFiles()
  const set = await runCli(['config', 'set', 'lock_wait', '5s'], { files })
  expect(set.code).toBe(0)
  expect(set.world.preferences.read()).toEqual({ lock_wait: '5s' })
  const get = await runCli(['config', 'get', 'lock_wait'], { files, preferences: { lock_wait: '5s' } })
  expect(get.stdout).toBe('5s\n')
  const unset = await runCli(['config', 'unset', 'lock_wait', '--json'], { files, preferences: { lock_wait: '5s' } })
  expect(unset.world.preferences.read()).toEqual({})
  expect(JSON.parse(unset.stdout)).toMatchObject({ key: 'lock_wait', removed: true })
})

test('config set rejects an invalid value and saves nothing', async () => {
  const run = await runCli(['config', 'set', 'server', 'http://example.org'])
  expect(run.code).toBe(2)
  expect(run.world.preferences.read()).toEqual({})
})

test('config set warns if another source overrides the setting', async () => {
  const run = await runCli(['config', 'set', 'snapshot', 's.mem.jsonl'], { environment: { MEMCTL_SNAPSHOT: '/e' } })
  expect(run.stderr).toContain('warning: MEMCTL_SNAPSHOT still overrides this setting here: /e')
  expect(run.world.preferences.read()).toEqual({ snapshot: '/project/s.mem.jsonl' })
})

test.each([['get'], ['unset'], ['set', 'x']])(
  'config %s exits 3 for an unknown key and lists the keys',
  async (verb, ...more) => {
    const run = await runCli(['config', verb, 'nope', ...more])
    expect(run.code).toBe(3)
    expect(run.stderr).toContain('settings are: snapshot, server, collection, lock_wait')
  }
)

test('config get exits 3 for a setting without a value', async () => {
  expect((await runCli(['config', 'get', 'collection'])).code).toBe(3)
})

test('config path prints the path of the user settings', async () => {
  expect((await runCli(['config', 'path'])).stdout).toBe('/home/ada/config/config.json\n')
})
