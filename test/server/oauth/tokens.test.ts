import { expect, test } from 'vitest'
import { createOAuth } from '../../../server/oauth/create-oauth.ts'
import type { OAuth } from '../../../server/oauth/oauth.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { idAt } from '../../suites/storage-place.ts'
import { connect, type OAuthSetup, setUpOAuth, whilePassing } from './oauth-kit.ts'
import { PROVIDER_KINDS, type ProviderKind } from './provider-kinds.ts'

const ME = 'https://api.example/v1/me'
const HOUR_MS = 3600_000

async function ask(oauth: OAuth, credentialId: string): Promise<number> {
  return (await oauth.authorizedFetch(credentialId)(new Request(ME))).status
}

function refreshes({ server }: OAuthSetup): number {
  return server.counts.get('grant refresh_token') ?? 0
}

test('refreshes once for twenty parallel calls with an expired token', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  await setup.clock.pass(2 * HOUR_MS)
  const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(setup.oauth, credentialId)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(refreshes(setup)).toBe(1)
})

test('refreshes once for twenty parallel calls on two nodes', async () => {
  const setup = await setUpOAuth()
  const other = createOAuth(setup.parts)
  const { credentialId } = await connect(setup)
  await setup.clock.pass(2 * HOUR_MS)
  const calls = Array.from({ length: 20 }, (_, n) => ask(n % 2 === 0 ? setup.oauth : other, credentialId))
  expect(new Set(await whilePassing(setup.clock, Promise.all(calls)))).toEqual(new Set([200]))
  expect(refreshes(setup)).toBe(1)
})

test('checks after getting the lease whether another caller has renewed the tokens', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  await setup.clock.pass(2 * HOUR_MS)
  const leaseRefresh: typeof setup.storage.leaseRefresh = async (id, lease) => {
    await ask(setup.oauth, credentialId)
    return await setup.storage.leaseRefresh(id, lease)
  }
  const late = createOAuth({ ...setup.parts, storage: { ...setup.storage, leaseRefresh } })
  expect([await ask(late, credentialId), refreshes(setup)]).toEqual([200, 1])
})

test('refreshes once for twenty parallel calls whose token is refused early, and repeats each call once', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  expect(await ask(setup.oauth, credentialId)).toBe(200)
  setup.server.endAccess('ada')
  setup.server.counts.clear()
  const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(setup.oauth, credentialId)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([refreshes(setup), setup.server.counts.get('/v1/me')]).toEqual([1, 40])
})

test.for(Object.keys(PROVIDER_KINDS) as ProviderKind[])('renews tokens repeatedly: %s', async (kind) => {
  const setup = await setUpOAuth({ kind })
  const { credentialId } = await connect(setup)
  for (let round = 1; round <= 3; round++) {
    await setup.clock.pass(HOUR_MS)
    expect(await ask(setup.oauth, credentialId)).toBe(200)
    expect(refreshes(setup)).toBe(round)
  }
})

test('keeps a refresh token that is not replaced', async () => {
  const setup = await setUpOAuth()
  setup.server.settings.rotates = false
  const { credentialId } = await connect(setup)
  for (let round = 0; round < 3; round++) {
    await setup.clock.pass(HOUR_MS)
    expect(await ask(setup.oauth, credentialId)).toBe(200)
  }
})

test('renews a token five minutes before it expires, and not earlier', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  await setup.clock.pass(HOUR_MS - 300_001)
  expect([await ask(setup.oauth, credentialId), refreshes(setup)]).toEqual([200, 0])
  await setup.clock.pass(1)
  expect([await ask(setup.oauth, credentialId), refreshes(setup)]).toEqual([200, 1])
})

test('uses a token that lives shorter than the margin until shortly before it expires', async () => {
  const setup = await setUpOAuth()
  setup.server.settings.expiresInSeconds = 60
  const { credentialId } = await connect(setup)
  await setup.clock.pass(53_000)
  expect([await ask(setup.oauth, credentialId), refreshes(setup)]).toEqual([200, 0])
  await setup.clock.pass(1000)
  expect([await ask(setup.oauth, credentialId), refreshes(setup)]).toEqual([200, 1])
})

test('uses the old token while renewals fail, and pauses calls to the endpoint', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  setup.server.answer('/token', () => new Response('down', { status: 503 }))
  setup.server.counts.clear()
  await setup.clock.pass(HOUR_MS - 200_000)
  for (let call = 0; call < 5; call++) expect(await ask(setup.oauth, credentialId)).toBe(200)
  expect(setup.server.counts.get('/token')).toBe(1)
  await setup.clock.pass(30_000)
  expect(await ask(setup.oauth, credentialId)).toBe(200)
  expect(setup.server.counts.get('/token')).toBe(2)
  await setup.clock.pass(200_000)
  await expect(ask(setup.oauth, credentialId)).rejects.toMatchObject({ kind: 'transient', message: /status 503/ })
})

const OUT_OF_ORDER: readonly [name: string, kind: string, retryAfterMs: number | undefined, reply: () => Response][] = [
  ['500', 'transient', undefined, () => new Response('', { status: 500 })],
  ['503', 'transient', 60_000, () => new Response('', { status: 503, headers: { 'retry-after': '60' } })],
  ['429', 'rate_limited', 30_000, () => new Response('', { status: 429, headers: { 'retry-after': '30' } })],
  ['a web page', 'transient', undefined, () => new Response('<!doctype html>Sign in')],
  ['a web page for a 404', 'transient', undefined, () => new Response('<!doctype html>', { status: 404 })],
  ['a 400 of its own', 'transient', undefined, () => Response.json({ detail: 'no' }, { status: 400 })],
  ['the wrong client', 'auth_expired', undefined, () => Response.json({ error: 'invalid_client' }, { status: 400 })]
]

test.for(OUT_OF_ORDER)(
  'if %s prevents the renewal of a refused token, reports %s and recovers later',
  async ([, kind, retryAfterMs, reply]) => {
    const setup = await setUpOAuth()
    const { credentialId, connectionId } = await connect(setup)
    setup.server.endAccess('ada')
    const whole = setup.enabled.fetch
    setup.enabled.fetch = async (request) => (request.url.endsWith('/token') ? reply() : await whole(request))
    await expect(ask(setup.oauth, credentialId)).rejects.toMatchObject({ kind, retryAfterMs, ofAccount: true })
    expect((await setup.storage.findConnection(connectionId))?.lastError).toBeUndefined()
    setup.enabled.fetch = whole
    expect(await ask(setup.oauth, credentialId)).toBe(200)
  }
)

test('reports a dead grant with its fix at each connection, and does not request it again', async () => {
  const setup = await setUpOAuth()
  const { credentialId, connectionId } = await connect(setup)
  const second = await connect(setup, { collection: 2 })
  setup.server.endGrants('ada')
  for (let call = 0; call < 5; call++)
    await expect(ask(setup.oauth, credentialId)).rejects.toMatchObject({ kind: 'grant_dead' })
  expect(refreshes(setup)).toBe(1)
  for (const id of [connectionId, second.connectionId])
    expect((await setup.storage.findConnection(id))?.lastError).toMatch(
      /Test Drive no longer accepts.*memctl connect cloud_drive -c /
    )
})

test('revives a dead grant through a new consent, on this node and others', async () => {
  const setup = await setUpOAuth()
  const other = createOAuth(setup.parts)
  const { credentialId, connectionId } = await connect(setup)
  expect(await ask(other, credentialId)).toBe(200)
  setup.server.endGrants('ada')
  for (const node of [setup.oauth, other]) await expect(ask(node, credentialId)).rejects.toThrow('no longer accepts')
  const again = await connect(setup)
  expect(again).toEqual({ credentialId, connectionId })
  for (const node of [setup.oauth, other]) expect(await ask(node, credentialId)).toBe(200)
  expect((await setup.storage.findConnection(connectionId))?.lastError).toBeUndefined()
})

test('uses a token that cannot be renewed until it is refused', async () => {
  const setup = await setUpOAuth({ kind: 'nested' })
  Object.assign(setup.server.settings, { refreshes: false, expiresInSeconds: undefined })
  const { credentialId } = await connect(setup)
  await setup.clock.pass(1000 * HOUR_MS)
  expect(await ask(setup.oauth, credentialId)).toBe(200)
  setup.server.endAccess('ada')
  await expect(ask(setup.oauth, credentialId)).rejects.toMatchObject({ kind: 'grant_dead' })
})

test('does not use a credential of another client or of a disabled provider', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  setup.server.urls.length = 0
  const enabled = new Map([['cloud_drive' as const, { ...setup.enabled, clientId: 'another' }]])
  const another = createOAuth({ ...setup.parts, enabled })
  await expect(ask(another, credentialId)).rejects.toMatchObject({ kind: 'grant_dead' })
  const off = createOAuth({ ...setup.parts, enabled: new Map() })
  await expect(ask(off, credentialId)).rejects.toMatchObject({ kind: 'auth_expired' })
  await expect(ask(setup.oauth, idAt(77))).rejects.toMatchObject({ kind: 'grant_dead' })
  expect(setup.server.urls).toEqual([])
})

test('keeps the tokens that a server got after it slept past its lease', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  await setup.clock.pass(2 * HOUR_MS)
  const { fetch } = setup.enabled
  setup.enabled.fetch = async (request) => {
    const reply = await fetch(request)
    // Long enough for another node to take the lease, which it then does not use.
    const now = setup.clock.now() + 46_000
    if (request.url.endsWith('/token'))
      await setup.storage.leaseRefresh(credentialId, {
        owner: 'another',
        now: toEpochMs(now),
        until: toEpochMs(now + 1000)
      })
    return reply
  }
  const call = ask(setup.oauth, credentialId)
  expect(await whilePassing(setup.clock, call, 1000)).toBe(200)
  setup.enabled.fetch = fetch
  expect([await ask(createOAuth(setup.parts), credentialId), refreshes(setup)]).toEqual([200, 1])
})
