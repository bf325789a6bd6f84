import { expect, test } from 'vitest'
import { createSandbox } from '../../../server/sandbox/create-sandbox.ts'
import { createSandboxServer } from '../../../server/sandbox/sandbox-server.ts'
import { SANDBOX_BASE, sandboxKit } from '../../suites/sandbox-provider-kit.ts'
import { manualClock } from '../http/manual-clock.ts'
import { tinySandboxProvider } from './tiny-sandbox-provider.ts'

const ORIGIN = 'http://127.0.0.1:8788'
const NOTHING = { clock: manualClock(), ids: { randomHex: (bytes: number) => '0'.repeat(2 * bytes) } }

test('changes content by id or address of the account', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  expect(await kit.control('POST', '/accounts/notes/A2/add', 'one')).toEqual({ count: 2, now: kit.clock.now() })
  await kit.control('POST', '/clock', { advance_ms: 5 })
  const added = await kit.control('POST', '/accounts/notes/1%40example.com/add', 'two')
  expect(added).toEqual({ count: 3, now: kit.clock.now() + 5 })
  const fetch = await kit.fetchAs('notes', { account: 'A2' })
  const list = await fetch(new Request(`${kit.sandbox.provider('notes').apiUrl}/notes`))
  expect(await list.json()).toMatchObject({ notes: [expect.any(String), 'one', 'two'] })
})

test('lists accounts with their possible changes', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  expect(await kit.control('GET', '/accounts')).toMatchObject([
    { provider: 'notes', accounts: [{ id: 'A1', name: 'ada', email: '0@example.com' }, {}, {}], changes: ['add'] }
  ])
  expect(await kit.control('GET', '/accounts/notes')).toMatchObject({ accounts: [{ id: 'A1' }, {}, {}] })
})

test('moves the clock forward or to a time, and resets it', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const start = kit.clock.now()
  expect(await kit.control('POST', '/clock', { advance_ms: 60_000 })).toMatchObject({ now_ms: start + 60_000 })
  expect(await kit.control('POST', '/clock', { set: '2027-01-01T00:00:00Z' })).toEqual({
    now: '2027-01-01T00:00:00.000Z',
    now_ms: Date.UTC(2027, 0)
  })
  await kit.clock.pass(1000)
  expect(await kit.control('GET', '/clock')).toMatchObject({ now_ms: Date.UTC(2027, 0) + 1000 })
  await kit.control('POST', '/reset')
  expect(await kit.control('GET', '/clock')).toMatchObject({ now_ms: start + 1000 })
})

test('restores the initial content on reset, which is always the same', async () => {
  const [kit, other] = [sandboxKit([tinySandboxProvider()]), sandboxKit([tinySandboxProvider()])]
  const read = async ({ fetchAs, sandbox }: typeof kit) => {
    const list = await (await fetchAs('notes'))(new Request(`${sandbox.provider('notes').apiUrl}/notes`))
    return ((await list.json()) as { notes: unknown }).notes
  }
  const before = await read(kit)
  await kit.control('POST', '/accounts/notes/A1/add', 'more')
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'timeout' })
  expect(await read(other)).toEqual(before)
  await kit.control('POST', '/reset')
  expect(await read(kit)).toEqual(before)
  expect(await kit.control('GET', '/faults')).toEqual([])
})

test('lists requests with operation, status and time, and nothing of their content', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const { accessToken } = await kit.consent('notes')
  await kit.sandbox.fetch(new Request(`${kit.sandbox.provider('notes').apiUrl}/nowhere?q=words`))
  const told = JSON.stringify(await kit.control('GET', '/requests'))
  expect(told).not.toContain(accessToken)
  expect(told).not.toContain('words')
  expect(JSON.parse(told)).toMatchObject({
    counts: { notes: { 'oauth.authorize': 2, 'oauth.token': 1, unknown: 1 } },
    requests: [
      { operation: 'oauth.authorize', method: 'GET', status: 200 },
      { status: 303 },
      { status: 200 },
      { status: 404 }
    ]
  })
  await kit.control('DELETE', '/requests')
  expect(await kit.control('GET', '/requests')).toEqual({ counts: {}, requests: [] })
})

test('keeps ten thousand requests, and counts all', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const address = `${kit.sandbox.provider('notes').apiUrl}/open`
  for (let call = 0; call < 10_050; call++) await kit.sandbox.fetch(new Request(address))
  const told = (await kit.control('GET', '/requests')) as { counts: unknown; requests: unknown[] }
  expect(told.counts).toEqual({ notes: { 'open.get': 10_050 } })
  expect(told.requests).toHaveLength(10_000)
})

test.each([
  ['POST', '/faults', { provider: 'notes', kind: 'earthquake' }, 422, 'kind'],
  ['POST', '/faults', { provider: 'notes', kind: 'timeout', times: 0 }, 422, 'times'],
  ['POST', '/faults', { provider: 'notes', kind: 'timeout', operation: 'notes.lost' }, 422, 'notes.lost'],
  ['POST', '/faults', { provider: 'mailbox', kind: 'timeout' }, 404, 'mailbox'],
  ['POST', '/faults', undefined, 422, 'the body'],
  ['POST', '/clock', { advance_ms: -1 }, 422, ''],
  ['POST', '/clock', { set: 'tomorrow' }, 422, ''],
  ['POST', '/accounts/notes/A1/vanish', {}, 404, 'change vanish'],
  ['POST', '/accounts/notes/A1/constructor', {}, 404, 'change constructor'],
  ['POST', '/accounts/notes/A9/add', 'x', 404, 'account A9'],
  ['POST', '/accounts/lists/A1/add', 'x', 404, 'provider lists'],
  ['POST', '/accounts/notes/A1/add', 7, 422, 'it takes a text'],
  ['GET', '/weather', undefined, 404, 'GET control/weather']
] as const)('refuses %s %s with %o, with a hint', async (...row) => {
  const [method, path, input, status, says] = row
  const { sandbox } = sandboxKit([tinySandboxProvider()])
  const body = input === undefined ? {} : { body: JSON.stringify(input) }
  const reply = await sandbox.fetch(new Request(`${SANDBOX_BASE}/control${path}`, { method, ...body }))
  expect(reply.status).toBe(status)
  const { error } = (await reply.json()) as { error: { message: string; hint: string } }
  expect(error.message).toContain(says)
  expect(error.hint.length).toBeGreaterThan(5)
})

test('refuses control without permission, and changes nothing', async () => {
  const sandbox = createSandbox({
    base: SANDBOX_BASE,
    secret: new Uint8Array(32),
    world: NOTHING,
    sandboxProviders: [tinySandboxProvider()]
  })
  const reply = await sandbox.fetch(new Request(`${SANDBOX_BASE}/control/reset`, { method: 'POST' }))
  expect(reply.status).toBe(403)
})

test.each([
  ['a program of this machine', {}, ORIGIN, 200],
  ['the same by its other name', {}, 'http://localhost:8788', 200],
  ['a person who opens it', { 'sec-fetch-site': 'none' }, ORIGIN, 200],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, ORIGIN, 403],
  ['a page with an origin', { origin: 'https://evil.example' }, ORIGIN, 403],
  ['a page without one', { origin: 'null' }, ORIGIN, 403],
  ['a name that was made to lead here', { host: 'evil.example:8788' }, ORIGIN, 403],
  ['a name that begins like this machine', {}, 'http://127.0.0.1.evil.example:8788', 403]
] as const)('when running alone, gives %s %o at %s: %s', async (...[, headers, origin, status]) => {
  const { fetch } = createSandboxServer(ORIGIN, { world: NOTHING, sandboxProviders: [tinySandboxProvider()] })
  const request = new Request(`${origin}/sandbox/control/clock`, { headers })
  expect((await fetch(request)).status).toBe(status)
})

test('prints the variables for a server when running alone', () => {
  const { environment } = createSandboxServer(ORIGIN, { world: NOTHING, sandboxProviders: [tinySandboxProvider()] })
  expect(environment).toEqual({
    MEMCTL_PROVIDERS: 'notes',
    MEMCTL_NOTES_CLIENT_ID: 'memctl-sandbox',
    MEMCTL_NOTES_CLIENT_SECRET: expect.stringMatching(/^sandbox-[0-9a-f]{40}$/),
    MEMCTL_NOTES_AUTHORIZE_URL: `${ORIGIN}/sandbox/notes/authorize`,
    MEMCTL_NOTES_TOKEN_URL: `${ORIGIN}/sandbox/notes/token`,
    MEMCTL_NOTES_REVOKE_URL: `${ORIGIN}/sandbox/notes/revoke`,
    MEMCTL_NOTES_API_URL: `${ORIGIN}/sandbox/notes/api`
  })
})
