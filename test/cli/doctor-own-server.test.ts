import { expect, test } from 'vitest'
import type { ServerHost, ServerSettingValue } from '../../src/cli/ports/server-host.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { ServerProvider } from '../../src/contract/running-server.ts'
import type { Fetch, FileFacts } from '../../src/ports.ts'
import { FACTS, type HostWishes } from './fake-host.ts'
import type { Wishes } from './fake-world.ts'
import { memoryFiles } from './memory-files.ts'
import { runCli } from './run-cli.ts'

const REAL: ServerProvider = {
  provider: 'notes',
  enabled: true,
  sandbox: false,
  client_id: 'app-1',
  client_secret_set: true,
  authorize_url: 'https://notes.example/auth',
  token_url: 'https://notes.example/token',
  revoke_url: null,
  api_url: 'https://api.notes.example/base'
}
const STAND_IN: ServerProvider = { ...REAL, sandbox: true, client_id: null, client_secret_set: false }
const DATA: ServerSettingValue = { key: 'data_dir', value: '/data', origin: 'default', where: null }

const set = (key: string, value: string): ServerSettingValue => ({
  key,
  value,
  origin: 'file',
  where: '/config/server.json'
})

/** Returns the finding of one check for a given local server. */
async function finding(check: string, host: Partial<ServerHost>, wishes: Wishes & HostWishes = {}) {
  const { stdout } = await runCli(['doctor', '--json'], { host, ...wishes })
  const found: { check: string; state: string; message: string; hint: string | null }[] = JSON.parse(stdout)
  return found.find((one) => one.check === check)
}

/** Returns files that include the data folder of a server. */
function filesWith(paths: readonly string[], facts: Partial<FileFacts> = {}) {
  const files = memoryFiles()
  for (const path of paths) files.put(path, '{}')
  const { find } = files
  files.find = (path) => {
    const found = find(path)
    return found && { ...found, ...facts }
  }
  return files
}

test('accepts a key file that only its owner can read', async () => {
  const files = filesWith(['/data/server.key', '/data/server.db'])
  expect(await finding('key file', {}, { files })).toMatchObject({ state: 'ok', message: '/data/server.key' })
})

test('warns about a key file that others can read, with the command that fixes it', async () => {
  const files = filesWith(['/data/server.key', '/data/server.db'], { mode: 0o640 })
  expect(await finding('key file', {}, { files })).toMatchObject({
    state: 'warning',
    hint: 'chmod 600 /data/server.key'
  })
})

test('warns about a database without its key file, and accepts a folder with neither', async () => {
  expect(await finding('key file', {}, { files: filesWith(['/data/server.db']) })).toMatchObject({ state: 'warning' })
  expect(await finding('key file', {})).toMatchObject({ state: 'ok' })
})

test('checks a key file in another folder at its own path', async () => {
  const settings = async () => [DATA, set('secret_key_file', '/run/keys/vault.key')]
  const found = await finding('key file', { settings }, { files: filesWith(['/run/keys/vault.key']) })
  expect(found).toMatchObject({ state: 'ok', message: '/run/keys/vault.key' })
})

test('names the configured providers, and the sandbox as such', async () => {
  expect(await finding('providers', { providers: async () => [REAL] })).toMatchObject({ state: 'ok', message: 'notes' })
  expect(await finding('providers', { providers: async () => [STAND_IN] })).toMatchObject({
    message: 'notes (sandbox)'
  })
})

test.each([
  ['public_url', 'https://memory.example'],
  ['host', '0.0.0.0'],
  ['host', '::']
])('warns about a sandbox that other machines can reach by %s %s', async (key, value) => {
  const host = { settings: async () => [DATA, set(key, value)], providers: async () => [STAND_IN] }
  expect(await finding('providers', host)).toMatchObject({
    state: 'warning',
    message: expect.stringContaining(value),
    hint: expect.stringContaining('providers set')
  })
})

test('accepts a sandbox that only loopback reaches, under any name of loopback', async () => {
  for (const setting of [set('public_url', 'http://localhost:9'), set('host', '::1')]) {
    const host = { settings: async () => [DATA, setting], providers: async () => [STAND_IN] }
    expect(await finding('providers', host)).toMatchObject({ state: 'ok' })
  }
})

test('warns about an incomplete client and names the missing half', async () => {
  const half = { ...REAL, enabled: false, client_secret_set: false }
  const found = await finding('providers', { providers: async () => [half] })
  expect(found).toMatchObject({ state: 'warning', message: 'the OAuth client of notes has no secret' })
})

test('warns about a provider that does not respond, with its address, and sends no credentials', async () => {
  const asked: Request[] = []
  const refuse: Wishes['fetch'] = async (request) => {
    asked.push(request)
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  }
  const found = await finding('their addresses', { providers: async () => [REAL] }, { fetch: refuse })
  expect(found).toMatchObject({ state: 'warning', message: 'no response from notes (https://api.notes.example)' })
  expect(asked[0]?.url).toBe('https://api.notes.example/')
  expect([...(asked[0]?.headers.keys() ?? ['nothing'])]).toEqual([])
})

test('accepts any response of a provider', async () => {
  const fetch: Wishes['fetch'] = async () => new Response('no', { status: 404 })
  const found = await finding('their addresses', { providers: async () => [REAL] }, { fetch })
  expect(found).toMatchObject({ state: 'ok', message: '1 provider answers' })
})

test('warns about settings that changed after the server started', async () => {
  const running = { facts: () => FACTS, isRunning: () => true, settings: async () => [DATA, set('port', '8787')] }
  const minuteMs = 60_000
  const at = (ms: number) =>
    filesWith(['/config/server.json'], { mtimeNs: BigInt(Date.parse(FACTS.started_at) + ms) * 1_000_000n })
  expect(await finding('own settings', running, { files: at(minuteMs) })).toMatchObject({
    state: 'warning',
    hint: expect.stringContaining('server stop')
  })
  expect(await finding('own settings', running, { files: at(-minuteMs) })).toMatchObject({
    state: 'ok',
    message: 'port'
  })
})

const at = (key: string, value: string) => async () => [DATA, set(key, value)]
const DRIVE: ServerProvider = { ...REAL, provider: 'cloud_drive' }
const CHAT: ServerProvider = { ...REAL, provider: 'team_chat' }
const RUNNING = { facts: () => FACTS, isRunning: () => true, providers: async () => [DRIVE] }

test('prints the redirect address that must be registered', async () => {
  const one = { providers: async () => [DRIVE], settings: at('public_url', 'https://memory.example/base/') }
  expect(await finding('redirect', one)).toMatchObject({
    state: 'ok',
    message: 'register with the provider: https://memory.example/base/v1/oauth/callback/cloud_drive'
  })
  const two = { providers: async () => [DRIVE, REAL], settings: at('port', '9000') }
  expect(await finding('redirect', two)).toMatchObject({
    message: 'register with the provider: http://127.0.0.1:9000/v1/oauth/callback/<provider>'
  })
  expect(await finding('redirect', { providers: async () => [STAND_IN] })).toMatchObject({ state: 'ok' })
})

test.each([
  [set('host', '0.0.0.0'), DRIVE, 'public_url'],
  [set('port', '0'), DRIVE, 'fixed port'],
  [set('public_url', 'http://memory.example'), DRIVE, 'https://memory.example'],
  [set('public_url', 'http://127.0.0.1:8787'), CHAT, 'public_url'],
  [set('port', '9000'), CHAT, 'public_url']
])('warns about the redirect address %j for a real provider', async (setting, provider, hint) => {
  const found = await finding('redirect', { providers: async () => [provider], settings: async () => [DATA, setting] })
  expect(found).toMatchObject({ state: 'warning', hint: expect.stringContaining(hint) })
})

test('warns about a local public_url that does not reach the running server', async () => {
  const past = { ...RUNNING, settings: at('public_url', 'http://localhost:9000') }
  expect(await finding('redirect', past)).toMatchObject({
    state: 'warning',
    message: 'public_url names port 9000, but the server listens on 8787',
    hint: `set public_url to ${FACTS.origin}, or start the server with --port 9000`
  })
  const there = { ...RUNNING, settings: at('public_url', 'http://localhost:8787') }
  const fetch = async (): Promise<Response> => Response.json({ status: 'ok' })
  expect(await finding('redirect', there, { fetch })).toMatchObject({ state: 'ok' })
})

async function refuseConnection(): Promise<Response> {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
}

test.each([
  ['no program listens', refuseConnection, /^public_url does not reach the server from this machine: /],
  [
    'another program responds',
    async () => new Response('<h1>hello</h1>'),
    /expected a memctl server at \S+, received another response$/
  ],
  [
    'a login page responds',
    async () => new Response('{"status":"who are you"}', { status: 401 }),
    /expected a memctl server at \S+, received another response$/
  ]
])('warns about a public_url where %s', async (_what, answer, message) => {
  const host = { ...RUNNING, settings: at('public_url', 'https://memory.example/base/') }
  const asked: string[] = []
  const fetch: Fetch = async ({ url }) => {
    asked.push(url)
    return await answer()
  }
  expect(await finding('redirect', host, { fetch })).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(message),
    hint: `forward https://memory.example/base/ to ${FACTS.origin}`
  })
  expect(asked).toContain('https://memory.example/base/healthz')
})

test('accepts a public_url that reaches the server', async () => {
  const host = { ...RUNNING, settings: at('public_url', 'https://memory.example') }
  const fetch = async (): Promise<Response> => Response.json({ status: 'ok' })
  expect(await finding('redirect', host, { fetch })).toMatchObject({ state: 'ok' })
})

test('warns about the lock of a killed container, with the command that removes it', async () => {
  const files = memoryFiles()
  files.link('0f3a9c2b:boot:1:1:5:n', '/data/server.db.lock')
  expect(await finding('own lock', {}, { files })).toMatchObject({
    state: 'warning',
    message: 'process 1 on 0f3a9c2b has locked /data, so no other server can start in it',
    hint: 'if you are sure that process has ended: rm /data/server.db.lock'
  })
  expect(await finding('own lock', {})).toMatchObject({ state: 'ok', message: 'free' })
})

test('reports a read-only data folder as a problem, and warns about a full disk', async () => {
  const settings = async () => [
    { ...DATA, value: '/srv/memctl', origin: 'file' as const, where: '/config/server.json' }
  ]
  const mayWrite = (path: string) => !path.startsWith('/srv')
  const files = filesWith(['/srv/memctl/server.db'])
  expect(await finding('own folder', { settings }, { files, machine: { mayWrite } })).toMatchObject({
    state: 'problem',
    message: '/srv/memctl is not writable',
    hint: expect.stringContaining('data_dir')
  })
  const freeBytes = (path: string) => (path.startsWith('/srv') ? 1000 : 1 << 30)
  expect(await finding('own folder', { settings }, { files, machine: { freeBytes } })).toMatchObject({
    state: 'warning',
    message: '1000 B free'
  })
})

test('reports a server that listens at another address than the settings name', async () => {
  const running = { facts: () => ({ ...FACTS, origin: 'http://127.0.0.1:9000' }), isRunning: () => true }
  expect(await finding('reachable', running)).toMatchObject({
    state: 'problem',
    hint: 'memctl config set server http://127.0.0.1:9000'
  })
})

test('asks for a restart of a server that an older program runs', async () => {
  const running = { facts: () => ({ ...FACTS, version: '0.0.9' }), isRunning: () => true }
  expect(await finding('own version', running)).toMatchObject({
    state: 'warning',
    hint: 'memctl server stop && memctl server start --detach'
  })
})

test('reports invalid server settings once, and checks the used server anyway', async () => {
  const settings = async () => {
    throw new Fault('invalid_input', 'settings file /config/server.json: it is no JSON', { hint: 'mend it' })
  }
  const { stdout, code } = await runCli(['doctor', '--json'], { host: { settings } })
  expect(code).toBe(1)
  const found: { check: string; state: string }[] = JSON.parse(stdout)
  expect(found.filter(({ state }) => state === 'problem')).toMatchObject([{ check: 'own settings' }])
  expect(found.map(({ check }) => check)).toContain('reachable')
})
