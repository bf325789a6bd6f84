import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { readServerSettings } from '../../../server/service/read-server-settings.ts'
import { SERVER_SETTINGS } from '../../../server/service/server-settings.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'

const KEY = `mk_${'k'.repeat(43)}`

/** Creates a folder with a config file, and reads its settings. */
function settingsIn(given: { file?: unknown; variables?: Record<string, string>; mode?: number } = {}) {
  const folder = temporaryFolder()
  const path = join(folder, 'server.json')
  if (given.file !== undefined) {
    writeFileSync(path, typeof given.file === 'string' ? given.file : JSON.stringify(given.file))
    chmodSync(path, given.mode ?? 0o600)
  }
  const folders = { current: '/somewhere', config: folder, data: '/data' }
  const world = { settings: given.variables ?? {}, files: nodeFiles, folders }
  return { path, read: (flags = {}) => readServerSettings(world, flags) }
}

test('uses the defaults of the table without any source', () => {
  expect(settingsIn().read().settings).toEqual({
    host: '127.0.0.1',
    port: 8787,
    publicUrl: undefined,
    adminKey: undefined,
    dataDir: '/data',
    databaseUrl: undefined,
    databaseConnections: 10,
    providers: undefined,
    folderIdPattern: undefined,
    stateTtlMs: 600_000,
    tokenMarginMs: 300_000,
    connectConfirm: 'auto',
    secretKeyFile: undefined,
    syncIntervalMs: 4 * 3_600_000,
    syncLeaseMs: 60_000,
    syncWorkers: 4,
    retryBackoffMs: [30_000, 120_000, 480_000],
    cooldownMs: 3_600_000,
    attachmentBytesMax: 25 * 2 ** 20,
    comments: 'on',
    ephemeralTtlMs: 3_600_000,
    bodyBytesMax: 64 * 1024 * 1024,
    keyRequestsPerMinute: 600,
    indexBytesMax: 1024 ** 3,
    drainMs: 30_000,
    logLevel: 'info'
  })
})

test('prefers flag to variable to file, and reports each origin', () => {
  const { path, read } = settingsIn({
    file: { host: '10.0.0.1', port: 1, body_limit: '1MiB' },
    variables: { MEMCTL_SERVER_PORT: '2', MEMCTL_SERVER_HOST: '10.0.0.2', MEMCTL_RATE_LIMIT: '' }
  })
  const { settings, describe } = read({ host: '10.0.0.3' })
  expect(settings).toMatchObject({ host: '10.0.0.3', port: 2, bodyBytesMax: 1024 * 1024, keyRequestsPerMinute: 600 })
  const said = Object.fromEntries(describe().map(({ key, value, origin, where }) => [key, [value, origin, where]]))
  expect(said).toMatchObject({
    host: ['10.0.0.3', 'flag', '--host'],
    port: ['2', 'environment', 'MEMCTL_SERVER_PORT'],
    body_limit: ['1MiB', 'file', path],
    rate_limit: ['600/min', 'default', null]
  })
})

test('resolves relative folders from their origin', () => {
  const { path, read } = settingsIn({ file: { data_dir: 'here' } })
  expect(read().settings.dataDir).toBe(join(path, '..', 'here'))
  expect(read({ data_dir: 'there' }).settings.dataDir).toBe('/somewhere/there')
})

test.each([
  ['off', undefined],
  ['10/s', 600],
  ['600/min', 600],
  ['60/h', 1]
])('parses a rate of %s as %s per minute', (rate_limit, perMinute) => {
  expect(settingsIn().read({ rate_limit }).settings.keyRequestsPerMinute).toBe(perMinute)
})

test.each([
  ['port', '65536'],
  ['port', '80a'],
  ['host', ' '],
  ['ephemeral_ttl', '10'],
  ['ephemeral_ttl', '30d'],
  ['body_limit', '64MB'],
  ['body_limit', '2GiB'],
  ['rate_limit', '0/min'],
  ['rate_limit', 'often'],
  ['public_url', 'ftp://example.org'],
  ['public_url', 'https://me:secret@example.org'],
  ['database_url', 'mysql://example.org/x'],
  ['database_connections', '0'],
  ['sync_interval', '0s'],
  ['sync_interval', '25d'],
  ['sync_interval', '4'],
  ['sync_lease', '500ms'],
  ['sync_lease', '2h'],
  ['sync_workers', '0'],
  ['sync_workers', '65'],
  ['sync_workers', '1.5'],
  ['retry_backoff', '30s,2m'],
  ['retry_backoff', '30s,2m,8m,1h'],
  ['retry_backoff', '30s,0s,8m'],
  ['retry_backoff', '30s,,8m'],
  ['cooldown', '25h'],
  ['cooldown', '10ms'],
  ['sync_attachments', '0MiB'],
  ['sync_comments', 'yes'],
  ['log_level', 'loud'],
  ['data_dir', '']
])('refuses %s %s with the name and origin of the setting', async (key, value) => {
  const row = Object.values(SERVER_SETTINGS).find((one) => one.key === key)
  const flagged = await faultOf(() => settingsIn().read({ [key]: value }))
  expect(flagged).toMatchObject({ code: 'usage', message: expect.stringContaining(row?.flag ?? key) })
  const { path, read } = settingsIn({ file: { [key]: value } })
  const inFile = await faultOf(() => read())
  expect(inFile).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(`${path}: invalid ${key}`) })
})

test.each([['{"hots":"x"}'], ['{"port":true}'], ['[]'], ['{"port":"1","port":"2"}'], ['{']])(
  'refuses a config file %s by its path',
  async (file) => {
    const { path, read } = settingsIn({ file })
    expect(await faultOf(() => read())).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(path)
    })
  }
)

test('refuses a secret in a file that other users can read', async () => {
  const { read } = settingsIn({ file: { admin_key: KEY }, mode: 0o644 })
  expect(await faultOf(() => read())).toMatchObject({
    code: 'invalid_input',
    hint: expect.stringContaining('chmod 600')
  })
  expect(settingsIn({ file: { admin_key: KEY } }).read().settings.adminKey).toBe(KEY)
})

test('shows no secret in a description or an error', async () => {
  const variables = {
    MEMCTL_ADMIN_KEY: KEY,
    MEMCTL_DATABASE_URL: 'postgres://me:hunter2@db.example/memctl?sslpassword=hunter3'
  }
  const { read } = settingsIn({ variables })
  const described = JSON.stringify(read().describe())
  expect(described).toContain('db.example')
  expect(described).not.toMatch(/hunter|kkk/)
  const fault = await faultOf(() => settingsIn({ variables: { MEMCTL_ADMIN_KEY: 'mk_hunter2' } }).read())
  expect(fault).toMatchObject({ message: expect.stringContaining('MEMCTL_ADMIN_KEY') })
  expect(String(fault)).not.toContain('hunter2')
})

test('removes the final slash of a public URL', () => {
  expect(settingsIn().read({ public_url: 'https://memory.example/api/' }).settings.publicUrl).toBe(
    'https://memory.example/api'
  )
})

test('gives every row unique names', () => {
  const rows = Object.values(SERVER_SETTINGS)
  for (const names of [rows.map(({ key }) => key), rows.map(({ variable }) => variable)]) {
    expect(new Set(names).size).toBe(rows.length)
  }
})
