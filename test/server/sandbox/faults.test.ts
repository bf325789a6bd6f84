import { expect, test } from 'vitest'
import type { Fetch } from '../../../src/ports.ts'
import { exchange, type SandboxKit, sandboxKit } from '../../suites/sandbox-provider-kit.ts'
import { tinySandboxProvider } from './tiny-sandbox-provider.ts'

type Opened = SandboxKit & { list(): Promise<Response>; fetch: Fetch }

test.each([
  [{ kind: 'rate_limited', retry_after: 7 }, 429, { reason: 'rate_limited' }],
  [{ kind: 'server_error' }, 500, { reason: 'server_error' }],
  [{ kind: 'server_error', status: 502 }, 502, { reason: 'server_error' }],
  [{ kind: 'overloaded', status: 529 }, 529, { reason: 'overloaded' }]
])("answers %o in the provider's format, once", async (order, status, body) => {
  const kit = await open()
  await kit.control('POST', '/faults', { provider: 'notes', operation: 'notes.list', ...order })
  const reply = await kit.list()
  expect(reply.status).toBe(status)
  expect(await reply.json()).toMatchObject(body)
  expect(reply.headers.get('retry-after')).toBe('retry_after' in order ? '7' : null)
  expect((await kit.list()).status).toBe(200)
  expect(await kit.control('GET', '/faults')).toEqual([])
})

test('omits Retry-After from a rate limit without a time', async () => {
  const kit = await open()
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'rate_limited' })
  expect((await kit.list()).headers.has('retry-after')).toBe(false)
})

test('applies a fault after skipped calls, a number of times, and only to its operation or path', async () => {
  const kit = await open()
  await kit.control('POST', '/faults', {
    provider: 'notes',
    operation: 'notes.list',
    kind: 'server_error',
    after: 1,
    times: 2
  })
  await kit.control('POST', '/faults', { provider: 'notes', path: '/api/notes/seven', kind: 'overloaded' })
  const statuses: number[] = []
  for (let call = 0; call < 4; call++) statuses.push((await kit.list()).status)
  expect(statuses).toEqual([200, 500, 500, 200])
  expect((await get(kit, '/notes/six')).status).toBe(200)
  expect((await get(kit, '/notes/seven')).status).toBe(503)
  expect((await get(kit, '/notes/seven')).status).toBe(200)
})

test('breaks a truncated body off after its declared length', async () => {
  const kit = await open()
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'cut_body', bytes: 5 })
  const reply = await kit.list()
  expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(50)
  await expect(reply.text()).rejects.toThrow('cut the connection')
})

test('returns HTML for a guest network, and only names and booleans for a wrong shape', async () => {
  const kit = await open()
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'html' })
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'wrong_shape' })
  const portal = await kit.list()
  expect(portal.headers.get('content-type')).toContain('text/html')
  expect(await portal.text()).toContain('guest network')
  expect(await (await kit.list()).json()).toMatchObject({ ok: true, notes: { unexpected: true } })
})

test('returns a big reply as the same one after whitespace', async () => {
  const kit = await open()
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'big', bytes: 3_000_001 })
  const text = await (await kit.list()).text()
  expect(text.length - text.trimStart().length).toBe(3_000_001)
  expect(JSON.parse(text)).toMatchObject({ ok: true })
})

test('keeps a timeout until the client leaves', async () => {
  const kit = await open()
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'timeout' })
  const leaving = new AbortController()
  const reply = kit.fetch(new Request(`${kit.sandbox.provider('notes').apiUrl}/notes`, { signal: leaving.signal }))
  const lost = expect(reply).rejects.toThrow('left')
  leaving.abort(new Error('left'))
  await lost
  expect(await kit.control('GET', '/requests')).toMatchObject({
    requests: expect.arrayContaining([
      expect.objectContaining({ operation: 'notes.list', status: 0, fault: 'timeout' })
    ])
  })
})

test('delays a slow reply until the time has passed', async () => {
  const kit = await open()
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'slow', ms: 5000 })
  let came = false
  const reply = kit.list().then(() => {
    came = true
  })
  while (kit.clock.waiting() === 0) await Promise.resolve()
  await kit.clock.pass(4999)
  expect(came).toBe(false)
  await kit.clock.pass(1)
  await reply
  expect(came).toBe(true)
})

test('keeps refusing an expired token until a refresh, and refuses the refresh of a dead grant', async () => {
  const sandboxProvider = tinySandboxProvider()
  const kit = sandboxKit([sandboxProvider])
  const first = await kit.consent('notes')
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refreshToken ?? '' }
  await kit.control('POST', '/faults', { provider: 'notes', operation: 'notes.list', kind: 'expired_token' })
  for (const _ of [1, 2]) expect(await listWith(kit, first.accessToken)).toMatchObject({ token: 'expired' })
  const renewed = (await (await exchange(kit.sandbox, sandboxProvider, refresh)).json()) as { access_token: string }
  expect(await listWith(kit, renewed.access_token)).toMatchObject({ ok: true })
  await kit.control('POST', '/faults', { provider: 'notes', operation: 'oauth.token', kind: 'dead_grant' })
  expect(await (await exchange(kit.sandbox, sandboxProvider, refresh)).json()).toMatchObject({ error: 'invalid_grant' })
  expect(await listWith(kit, renewed.access_token)).toMatchObject({ token: 'revoked' })
})

test("passes a sandbox provider's own faults to it with their value", async () => {
  const kit = await open()
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'lag', value: 3, after: 1 })
  const lags: unknown[] = []
  for (let call = 0; call < 3; call++) lags.push(((await (await kit.list()).json()) as { lag: unknown }).lag)
  expect(lags).toEqual([null, 3, null])
})

async function open(): Promise<Opened> {
  const kit = sandboxKit([tinySandboxProvider()])
  const fetch = await kit.fetchAs('notes')
  return { ...kit, fetch, list: () => fetch(new Request(`${kit.sandbox.provider('notes').apiUrl}/notes`)) }
}

function get({ fetch, sandbox }: Opened, path: string): Promise<Response> {
  return fetch(new Request(`${sandbox.provider('notes').apiUrl}${path}`))
}

async function listWith({ sandbox }: SandboxKit, token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` }
  return await (await sandbox.fetch(new Request(`${sandbox.provider('notes').apiUrl}/notes`, { headers }))).json()
}
