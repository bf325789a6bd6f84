import { expect, test } from 'vitest'
import type { ServerHost, ServerSetting } from '../../src/cli/server-host.ts'
import type { ServerProvider } from '../../src/contract/server-provider.ts'
import type { FileFacts } from '../../src/ports.ts'
import { FACTS } from './fake-host.ts'
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
const DATA: ServerSetting = { key: 'data_dir', value: '/data', origin: 'default', where: null }

const set = (key: string, value: string): ServerSetting => ({
  key,
  value,
  origin: 'file',
  where: '/config/server.json'
})

/** What the doctor says of one thing, with the server of this machine as a test wants it. */
async function finding(check: string, host: Partial<ServerHost>, wishes: Wishes = {}) {
  const { stdout } = await runCli(['doctor', '--json'], { host, ...wishes })
  const found: { check: string; state: string; message: string; hint: string | null }[] = JSON.parse(stdout)
  return found.find((one) => one.check === check)
}

/** Files with the data folder of a server in them. */
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

test('a key file of a server that its owner alone may read is well', async () => {
  const files = filesWith(['/data/server.key', '/data/server.db'])
  expect(await finding('key file', {}, { files })).toMatchObject({ state: 'ok', message: '/data/server.key' })
})

test('a key file that others may read is a warning with the command that mends it', async () => {
  const files = filesWith(['/data/server.key', '/data/server.db'], { mode: 0o640 })
  expect(await finding('key file', {}, { files })).toMatchObject({
    state: 'warning',
    hint: 'chmod 600 /data/server.key'
  })
})

test('a database without the key file is a warning; neither of them is well', async () => {
  expect(await finding('key file', {}, { files: filesWith(['/data/server.db']) })).toMatchObject({ state: 'warning' })
  expect(await finding('key file', {})).toMatchObject({ state: 'ok' })
})

test('a key file elsewhere is looked at there', async () => {
  const settings = async () => [DATA, set('secret_key_file', '/run/keys/vault.key')]
  const found = await finding('key file', { settings }, { files: filesWith(['/run/keys/vault.key']) })
  expect(found).toMatchObject({ state: 'ok', message: '/run/keys/vault.key' })
})

test('the providers of a server are named, and the sandbox as what it is', async () => {
  expect(await finding('providers', { providers: async () => [REAL] })).toMatchObject({ state: 'ok', message: 'notes' })
  expect(await finding('providers', { providers: async () => [STAND_IN] })).toMatchObject({
    message: 'notes (sandbox)'
  })
})

test.each([
  ['public_url', 'https://memory.example'],
  ['host', '0.0.0.0'],
  ['host', '::']
])('a sandbox that others reach by %s %s is a warning', async (key, value) => {
  const host = { settings: async () => [DATA, set(key, value)], providers: async () => [STAND_IN] }
  expect(await finding('providers', host)).toMatchObject({
    state: 'warning',
    message: expect.stringContaining(value),
    hint: expect.stringContaining('providers set')
  })
})

test('a sandbox that nobody else reaches is well, whatever loopback is called', async () => {
  for (const setting of [set('public_url', 'http://localhost:9'), set('host', '::1')]) {
    const host = { settings: async () => [DATA, setting], providers: async () => [STAND_IN] }
    expect(await finding('providers', host)).toMatchObject({ state: 'ok' })
  }
})

test('half a client is a warning that says which half is lacking', async () => {
  const half = { ...REAL, enabled: false, client_secret_set: false }
  const found = await finding('providers', { providers: async () => [half] })
  expect(found).toMatchObject({ state: 'warning', message: 'notes has a client without secret' })
})

test('a provider that gives no answer is a warning with its address, and nothing is sent along', async () => {
  const asked: Request[] = []
  const refuse: Wishes['fetch'] = async (request) => {
    asked.push(request)
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  }
  const found = await finding('their addresses', { providers: async () => [REAL] }, { fetch: refuse })
  expect(found).toMatchObject({ state: 'warning', message: 'no answer from notes (https://api.notes.example)' })
  expect(asked[0]?.url).toBe('https://api.notes.example/')
  expect([...(asked[0]?.headers.keys() ?? ['nothing'])]).toEqual([])
})

test('any answer of a provider will do', async () => {
  const fetch: Wishes['fetch'] = async () => new Response('no', { status: 404 })
  const found = await finding('their addresses', { providers: async () => [REAL] }, { fetch })
  expect(found).toMatchObject({ state: 'ok', message: '1 provider answers' })
})

test('settings that were changed after a server had started are not what it has', async () => {
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
