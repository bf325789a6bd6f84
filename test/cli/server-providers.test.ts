import { expect, test } from 'vitest'
import { SANDBOX_TEXT } from '../../src/cli/commands/help/sandbox-text.ts'
import { drawHelp } from '../../src/cli/output/draw-help.ts'
import type { ServerHost } from '../../src/cli/ports/server-host.ts'
import type { ServerProvider } from '../../src/contract/running-server.ts'
import { FACTS } from './fake-host.ts'
import { errorLine, runCli } from './run-cli.ts'
import { scriptedService } from './scripted-service.ts'

const DRIVE: ServerProvider = {
  provider: 'cloud_drive',
  enabled: true,
  sandbox: true,
  client_id: null,
  client_secret_set: false,
  authorize_url: 'https://accounts.example/auth',
  token_url: 'https://accounts.example/token',
  revoke_url: null,
  api_url: 'https://api.example'
}

/** Creates a host that stores provider settings. */
function keeper(): { host: Partial<ServerHost>; kept: Record<string, string | undefined>[] } {
  const kept: Record<string, string | undefined>[] = []
  const host: Partial<ServerHost> = {
    providers: async () => [DRIVE],
    keepSettings: async (values) => {
      kept.push(values)
      return { path: '/home/ada/config/server.json' }
    }
  }
  return { host, kept }
}

test('lists providers without their secrets', async () => {
  const { host } = keeper()
  const { stdout } = await runCli(['server', 'providers', 'list', '--json'], { host })
  expect(JSON.parse(stdout)).toEqual([DRIVE])
  const table = await runCli(['server', 'providers', 'list'], { host, terminals: ['output'] })
  expect(table.stdout).toContain('sandbox')
})

test('stores a client with its secret from a file or stdin, never from an argument', async () => {
  const { host, kept } = keeper()
  const words = ['server', 'providers', 'set', 'cloud_drive', '--client-id', 'app-1', '--client-secret-file', '-']
  const { code, stdout, stderr } = await runCli(words, { host, stdin: 'hush-hush\n' })
  expect(code).toBe(0)
  expect(kept).toEqual([{ 'cloud_drive.client_id': 'app-1', 'cloud_drive.client_secret': 'hush-hush' }])
  expect(`${stdout}${stderr}`).not.toContain('hush')
})

test('prompts for the secret in an interactive session, and otherwise exits 2 and names the flag', async () => {
  const { host, kept } = keeper()
  const words = ['server', 'providers', 'set', 'cloud_drive', '--client-id', 'app-1']
  const refused = await runCli([...words, '--json'], { host })
  expect(refused.code).toBe(2)
  expect(errorLine(refused).hint).toContain('--client-secret-file')
  await runCli(words, { host, terminals: ['input', 'errors'], typed: ['hush-hush'] })
  expect(kept).toEqual([{ 'cloud_drive.client_id': 'app-1', 'cloud_drive.client_secret': 'hush-hush' }])
})

test('reports that the first real provider turns the sandbox off', async () => {
  const { host } = keeper()
  let isReal = false
  const providers = async () => [{ ...DRIVE, sandbox: !isReal, client_id: isReal ? 'app-1' : null }]
  const keepSettings = async () => {
    isReal = true
    return { path: '/home/ada/config/server.json' }
  }
  const words = ['server', 'providers', 'set', 'cloud_drive', '--client-id', 'app-1', '--client-secret-file', '-']
  const { stderr } = await runCli(words, { host: { ...host, providers, keepSettings }, stdin: 'hush' })
  expect(stderr).toContain('the sandbox is now disabled; enabled providers: cloud_drive')
})

test('sets addresses without a client, and removes all settings of a provider', async () => {
  const { host, kept } = keeper()
  await runCli(['server', 'providers', 'set', 'cloud_drive', '--api-url', 'https://proxy.example'], { host })
  await runCli(['server', 'providers', 'set', 'cloud_drive', '--clear'], { host })
  expect(kept[0]).toEqual({ 'cloud_drive.api_url': 'https://proxy.example' })
  expect(Object.keys(kept[1] ?? {}).sort()).toEqual(
    ['api_url', 'authorize_url', 'client_id', 'client_secret', 'revoke_url', 'token_url'].map(
      (part) => `cloud_drive.${part}`
    )
  )
  expect(Object.values(kept[1] ?? {})).toEqual(Array(6).fill(undefined))
})

test.each([
  [['set', 'cloud_drive'], 2, 'missing settings'],
  [
    ['set', 'cloud_drive', '--clear', '--api-url', 'https://x.example'],
    2,
    '--clear and other settings cannot be used together'
  ],
  [['set', 'fax', '--clear'], 3, "unknown provider 'fax'"],
  [['set', 'cloud_drive', '--client-secret-file', '-'], 10, 'white space']
])('rejects %j and stores nothing', async (words, code, message) => {
  const { host, kept } = keeper()
  const ended = await runCli(['server', 'providers', ...words, '--json'], { host, stdin: 'two words' })
  expect(ended.code).toBe(code)
  expect(errorLine(ended).message).toContain(message)
  expect(kept).toEqual([])
})

test('rejects an empty secret and names the flag', async () => {
  const { host, kept } = keeper()
  const words = ['server', 'providers', 'set', 'cloud_drive', '--client-secret-file', '-']
  const ended = await runCli(words, { host, stdin: '' })
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--client-secret-file FILE, or - for stdin') })
  expect(kept).toEqual([])
})

test('reports that a running server needs a restart', async () => {
  const { host } = keeper()
  const running = { ...host, facts: () => FACTS, isRunning: () => true }
  const { stderr } = await runCli(['server', 'providers', 'set', 'cloud_drive', '--clear'], { host: running })
  expect(stderr).toContain('restart the server')
})

test('rotates the key through the running server, or directly if no server runs', async () => {
  const { fetch, sent } = scriptedService({ 'POST /v1/vault/rotate': { key_id: 'k2', resealed: 3 } })
  const environment = { MEMCTL_API_KEY: 'mk_x' }
  const host = { facts: () => FACTS, isRunning: () => true, rotateKey: async () => ({ key_id: 'direct', resealed: 0 }) }
  const asked = await runCli(['server', 'rotate-key', '--json'], { host, fetch, environment })
  expect(JSON.parse(asked.stdout)).toEqual({ key_id: 'k2', resealed: 3 })
  expect(sent).toHaveLength(1)
  const direct = await runCli(['server', 'rotate-key', '--json'], { host: { ...host, isRunning: () => false }, fetch })
  expect(JSON.parse(direct.stdout)).toEqual({ key_id: 'direct', resealed: 0 })
  expect(sent).toHaveLength(1)
})

test('the sandbox prints its address and the settings that a server needs', async () => {
  const environment = { MEMCTL_PROVIDERS: 'cloud_drive', MEMCTL_CLOUD_DRIVE_API_URL: 'http://127.0.0.1:9/sandbox/a b' }
  const places: unknown[] = []
  const host: Partial<ServerHost> = {
    runSandbox: async (place, { onReady }) => {
      places.push(place)
      await onReady({ origin: 'http://127.0.0.1:9', environment })
    }
  }
  const { stdout } = await runCli(['server', 'sandbox', '--port', '0', '--json'], { host })
  expect(JSON.parse(stdout)).toEqual({ origin: 'http://127.0.0.1:9', environment })
  expect((await runCli(['server', 'sandbox'], { host })).stdout).toBe(
    "export MEMCTL_PROVIDERS=cloud_drive\nexport MEMCTL_CLOUD_DRIVE_API_URL='http://127.0.0.1:9/sandbox/a b'\n"
  )
  expect(places).toEqual([
    { host: '127.0.0.1', port: 0 },
    { host: '127.0.0.1', port: 8788 }
  ])
})

test('the sandbox rejects a host that other machines can reach', async () => {
  const ended = await runCli(['server', 'sandbox', '--host', '0.0.0.0', '--json'], {})
  expect(ended.code).toBe(2)
  expect(errorLine(ended).message).toContain('exposes the sandbox to other machines')
})

test('the help of the sandbox lists all its controls', async () => {
  const { stdout } = await runCli(['server', 'sandbox', '--help'], {})
  expect(stdout).toContain('--port <n>')
  expect(stdout).toContain(drawHelp(SANDBOX_TEXT, 100))
})
