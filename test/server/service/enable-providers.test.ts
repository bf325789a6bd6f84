import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { PROVIDERS } from '../../../server/providers/providers.ts'
import { createSandbox } from '../../../server/sandbox/create-sandbox.ts'
import { SANDBOX_PROVIDERS } from '../../../server/sandbox/sandbox-providers.ts'
import { assertClients, chooseProviders } from '../../../server/service/choose-providers.ts'
import { describeProviders } from '../../../server/service/describe-providers.ts'
import { enableProviders } from '../../../server/service/enable-providers.ts'
import { readServerSettings } from '../../../server/service/read-server-settings.ts'
import { PROVIDER_IDS } from '../../../src/contract/provider-ids.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'

const DRIVE = { MEMCTL_CLOUD_DRIVE_CLIENT_ID: 'drive-app', MEMCTL_CLOUD_DRIVE_CLIENT_SECRET: 'drive-hush' }
const NOTES = { MEMCTL_NOTES_CLIENT_ID: 'notes-app', MEMCTL_NOTES_CLIENT_SECRET: 'notes-hush' }

function settingsOf(variables: Record<string, string>) {
  const folder = temporaryFolder()
  const folders = { current: folder, config: folder, data: folder }
  return readServerSettings({ settings: variables, files: nodeFiles, folders }).settings
}

const sandbox = createSandbox({
  base: 'http://127.0.0.1:8787/sandbox',
  secret: new Uint8Array(32),
  world: { clock: nodeClock, ids: nodeIds },
  sandboxProviders: SANDBOX_PROVIDERS
})

/** Enables providers, and records the requested addresses. */
function enabling(variables: Record<string, string>) {
  const asked: string[] = []
  const noting = (by: string) => async (request: Request) => {
    asked.push(`${by} ${request.url}`)
    return new Response()
  }
  const fetches = { own: noting('own'), foreign: noting('foreign') }
  const enabled = enableProviders({ settings: settingsOf(variables), providers: PROVIDERS, sandbox, fetches })
  return { enabled, asked }
}

test.each([
  [{}, 'sandbox'],
  [{ MEMCTL_PROVIDERS: 'sandbox' }, 'sandbox'],
  [{ MEMCTL_PROVIDERS: 'sandbox', ...DRIVE }, 'sandbox'],
  [DRIVE, ['cloud_drive']],
  [{ ...NOTES, ...DRIVE }, ['cloud_drive', 'notes']],
  [{ ...NOTES, ...DRIVE, MEMCTL_PROVIDERS: 'notes' }, ['notes']],
  [{ ...NOTES, ...DRIVE, MEMCTL_PROVIDERS: ' notes , cloud_drive,notes' }, ['cloud_drive', 'notes']]
])('%j enables %j', (variables, expected) => {
  const settings = settingsOf(variables)
  assertClients(settings)
  const chosen = chooseProviders(settings)
  expect(chosen.sandbox ? 'sandbox' : chosen.ids).toEqual(expected)
})

test('enables only the named providers of the sandbox if none of them has a client', async () => {
  const { enabled, asked } = enabling({ MEMCTL_PROVIDERS: 'notes,mailbox', ...DRIVE })
  expect([...enabled].map(([id, one]) => [id, one.sandbox])).toEqual([
    ['mailbox', true],
    ['notes', true]
  ])
  expect(asked).toEqual([])
})

test.each([
  [{ MEMCTL_PROVIDERS: 'mailbox', MEMCTL_MAILBOX_CLIENT_ID: 'mail-app' }, 'mailbox'],
  [{ MEMCTL_PROVIDERS: 'cloud_drive,mailbox', ...DRIVE }, 'mailbox'],
  [{ MEMCTL_NOTES_CLIENT_ID: 'notes-app' }, 'notes'],
  [{ MEMCTL_TEAM_CHAT_CLIENT_SECRET: 'hush', ...DRIVE }, 'team_chat']
])('refuses %j, names what %s lacks, and reveals no secret', async (variables, id) => {
  const fault = await faultOf(() => assertClients(settingsOf(variables)))
  const variable = `MEMCTL_${id.toUpperCase()}_CLIENT_SECRET`
  expect(fault).toMatchObject({
    code: 'usage',
    message: expect.stringContaining(id),
    hint: expect.stringMatching(new RegExp(`${variable}.*memctl server providers set ${id}`))
  })
  expect(inspect(fault)).not.toContain('hush')
})

test.each(['', 'gmail', 'cloud_drive,gmail', 'sandbox,notes', 'CLOUD_DRIVE', ','])(
  'refuses the list of providers %j unless it is empty',
  async (value) => {
    const work = () => settingsOf({ MEMCTL_PROVIDERS: value })
    if (value === '') return expect(work().providers).toBeUndefined()
    expect(await faultOf(work)).toMatchObject({ code: 'usage', message: expect.stringContaining('MEMCTL_PROVIDERS') })
  }
)

test('uses the real service with a client, at its own addresses and with its own fetch', async () => {
  const { enabled, asked } = enabling(DRIVE)
  expect([...enabled.keys()]).toEqual(['cloud_drive'])
  const drive = enabled.get('cloud_drive')
  expect(drive).toMatchObject({ clientId: 'drive-app', clientSecret: 'drive-hush', sandbox: false, driveIds: true })
  expect(drive?.oauth).toEqual(drive?.provider.facts.oauth)
  expect(drive?.apiUrl).toBe('https://www.googleapis.com')
  await drive?.fetch(new Request('https://oauth2.googleapis.com/token', { method: 'POST' }))
  const elsewhere = drive?.fetch(new Request('https://slack.com/api/auth.test'))
  await expect(elsewhere).rejects.toMatchObject({ kind: 'contract_broken' })
  expect(asked).toEqual(['own https://oauth2.googleapis.com/token'])
})

test('replaces the real addresses by those of the admin, including the issuer', async () => {
  const { enabled, asked } = enabling({
    ...DRIVE,
    MEMCTL_CLOUD_DRIVE_AUTHORIZE_URL: 'http://127.0.0.1:9/a?x=1',
    MEMCTL_CLOUD_DRIVE_TOKEN_URL: 'https://id.example/token/',
    MEMCTL_CLOUD_DRIVE_REVOKE_URL: 'http://localhost:9/revoke',
    MEMCTL_CLOUD_DRIVE_API_URL: 'http://[::1]:9/drive/'
  })
  const drive = enabled.get('cloud_drive')
  expect(drive?.oauth).toMatchObject({
    authorizeUrl: 'http://127.0.0.1:9/a?x=1',
    tokenUrl: 'https://id.example/token',
    revokeUrl: 'http://localhost:9/revoke'
  })
  expect(drive?.oauth.issuer).toBeUndefined()
  await drive?.fetch(new Request('http://[::1]:9/drive/v3/about'))
  const usual = drive?.fetch(new Request('https://www.googleapis.com/drive/v3/about'))
  await expect(usual).rejects.toMatchObject({ kind: 'contract_broken' })
  expect(asked).toEqual(['own http://[::1]:9/drive/v3/about'])
})

test.each([
  'http://example.com/',
  'ftp://example.com',
  'https://me:hush@example.com/',
  'https://example.com/#part',
  'http://127.0.0.1.example.com/',
  'example.com',
  'http://10.0.0.1/'
])('refuses the address %s', async (value) => {
  const fault = await faultOf(() => settingsOf({ MEMCTL_NOTES_API_URL: value }))
  expect(fault).toMatchObject({ code: 'usage', message: expect.stringContaining('MEMCTL_NOTES_API_URL') })
})

test('enables all sandbox providers, answered without a socket', async () => {
  const { enabled, asked } = enabling({})
  expect([...enabled.keys()]).toEqual([...PROVIDER_IDS])
  for (const [id, { oauth, apiUrl, sandbox: isSandbox, driveIds, fetch }] of enabled) {
    expect([isSandbox, driveIds]).toEqual([true, false])
    const base = `http://127.0.0.1:8787/sandbox/${id}/`
    for (const address of [oauth.authorizeUrl, oauth.tokenUrl, `${apiUrl}/`]) expect(address).toContain(base)
    expect((await fetch(new Request(oauth.tokenUrl, { method: 'POST' }))).status).toBeLessThan(500)
  }
  expect(asked).toEqual([])
})

test.each([
  [{}, false],
  [{ MEMCTL_CLOUD_DRIVE_FOLDER_ID_PATTERN: 'drive' }, true],
  [DRIVE, true],
  [{ ...DRIVE, MEMCTL_CLOUD_DRIVE_FOLDER_ID_PATTERN: 'interface' }, false]
])('with %j, accepts ids of real drives: %s', (variables, expected) => {
  expect(enabling(variables).enabled.get('cloud_drive')?.driveIds).toBe(expected)
})

test('describes the configured providers without secrets', () => {
  const settings = settingsOf({ ...DRIVE, MEMCTL_NOTES_CLIENT_ID: 'notes-app' })
  const described = describeProviders(settings, PROVIDERS, sandbox.provider)
  expect(described.map(({ provider, enabled }) => [provider, enabled])).toEqual([
    ['cloud_drive', true],
    ['team_chat', false],
    ['mailbox', false],
    ['notes', false]
  ])
  expect(described[0]).toMatchObject({ client_id: 'drive-app', client_secret_set: true, sandbox: false })
  expect(described[3]).toMatchObject({ client_id: 'notes-app', client_secret_set: false })
  expect(JSON.stringify(described)).not.toContain('hush')
  const sandboxProviders = describeProviders(settingsOf({}), PROVIDERS, sandbox.provider)
  expect(sandboxProviders.every(({ enabled, api_url }) => enabled && api_url.includes('/sandbox/'))).toBe(true)
})
