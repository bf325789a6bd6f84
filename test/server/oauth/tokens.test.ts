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

test('twenty parallel calls on an expired token make one refresh', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  await setup.clock.pass(2 * HOUR_MS)
  const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(setup.oauth, credentialId)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(refreshes(setup)).toBe(1)
})

test('twenty parallel calls on two nodes make one refresh', async () => {
  const setup = await setUpOAuth()
  const other = createOAuth(setup.parts)
  const { credentialId } = await connect(setup)
  await setup.clock.pass(2 * HOUR_MS)
  const calls = Array.from({ length: 20 }, (_, n) => ask(n % 2 === 0 ? setup.oauth : other, credentialId))
  expect(new Set(await whilePassing(setup.clock, Promise.all(calls)))).toEqual(new Set([200]))
  expect(refreshes(setup)).toBe(1)
})

test('who gets the lease looks first whether another has renewed meanwhile', async () => {
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

test('twenty parallel calls whose token is refused before its time make one refresh, and each is sent again once', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  expect(await ask(setup.oauth, credentialId)).toBe(200)
  setup.server.endAccess('ada')
  setup.server.counts.clear()
  const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(setup.oauth, credentialId)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([refreshes(setup), setup.server.counts.get('/v1/me')]).toEqual([1, 40])
})

test.for(Object.keys(PROVIDER_KINDS) as ProviderKind[])('tokens are renewed again and again: %s', async (kind) => {
  const setup = await setUpOAuth({ kind })
  const { credentialId } = await connect(setup)
  for (let round = 1; round <= 3; round++) {
    await setup.clock.pass(HOUR_MS)
    expect(await ask(setup.oauth, credentialId)).toBe(200)
    expect(refreshes(setup)).toBe(round)
  }
})

test('a refresh token that is not given anew stays', async () => {
  const setup = await setUpOAuth()
  setup.server.settings.rotates = false
  const { credentialId } = await connect(setup)
  for (let round = 0; round < 3; round++) {
    await setup.clock.pass(HOUR_MS)
    expect(await ask(setup.oauth, credentialId)).toBe(200)
  }
})

test('a token is renewed five minutes before its end, and not earlier', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  await setup.clock.pass(HOUR_MS - 300_001)
  expect([await ask(setup.oauth, credentialId), refreshes(setup)]).toEqual([200, 0])
  await setup.clock.pass(1)
  expect([await ask(setup.oauth, credentialId), refreshes(setup)]).toEqual([200, 1])
})

test('a token that lives shorter than the margin is used until near its end', async () => {
  const setup = await setUpOAuth()
  setup.server.settings.expiresInSeconds = 60
  const { credentialId } = await connect(setup)
  await setup.clock.pass(53_000)
  expect([await ask(setup.oauth, credentialId), refreshes(setup)]).toEqual([200, 0])
  await setup.clock.pass(1000)
  expect([await ask(setup.oauth, credentialId), refreshes(setup)]).toEqual([200, 1])
})

test('while a renewal fails, the old token is used as long as it lives, and the endpoint is left alone', async () => {
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
  'a refused token that %s keeps from being renewed is told as %s, and works again later',
  async ([, kind, retryAfterMs, reply]) => {
    const setup = await setUpOAuth()
    const { credentialId, connectionId } = await connect(setup)
    setup.server.endAccess('ada')
    const whole = setup.enabled.fetch
    setup.enabled.fetch = async (request) => (request.url.endsWith('/token') ? reply() : await whole(request))
    await expect(ask(setup.oauth, credentialId)).rejects.toMatchObject({ kind, retryAfterMs, ofAccount: true })
    expect((await setup.storage.connection(connectionId))?.lastError).toBeUndefined()
    setup.enabled.fetch = whole
    expect(await ask(setup.oauth, credentialId)).toBe(200)
  }
)

test('a grant that is over is dead, says at each connection what mends it, and is not asked for again and again', async () => {
  const setup = await setUpOAuth()
  const { credentialId, connectionId } = await connect(setup)
  const second = await connect(setup, { collection: 2 })
  setup.server.endGrants('ada')
  for (let call = 0; call < 5; call++)
    await expect(ask(setup.oauth, credentialId)).rejects.toMatchObject({ kind: 'grant_dead' })
  expect(refreshes(setup)).toBe(1)
  for (const id of [connectionId, second.connectionId])
    expect((await setup.storage.connection(id))?.lastError).toMatch(
      /Test Drive no longer takes.*memctl connect cloud_drive -c /
    )
})

test('a new consent mends a dead grant, on this node and on others', async () => {
  const setup = await setUpOAuth()
  const other = createOAuth(setup.parts)
  const { credentialId, connectionId } = await connect(setup)
  expect(await ask(other, credentialId)).toBe(200)
  setup.server.endGrants('ada')
  for (const node of [setup.oauth, other]) await expect(ask(node, credentialId)).rejects.toThrow('no longer takes')
  const again = await connect(setup)
  expect(again).toEqual({ credentialId, connectionId })
  for (const node of [setup.oauth, other]) expect(await ask(node, credentialId)).toBe(200)
  expect((await setup.storage.connection(connectionId))?.lastError).toBeUndefined()
})

test('a token that cannot be renewed is used until it is refused', async () => {
  const setup = await setUpOAuth({ kind: 'nested' })
  Object.assign(setup.server.settings, { refreshes: false, expiresInSeconds: undefined })
  const { credentialId } = await connect(setup)
  await setup.clock.pass(1000 * HOUR_MS)
  expect(await ask(setup.oauth, credentialId)).toBe(200)
  setup.server.endAccess('ada')
  await expect(ask(setup.oauth, credentialId)).rejects.toMatchObject({ kind: 'grant_dead' })
})

test('a credential that was given to another client, or whose provider is off, is not shown to anybody', async () => {
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

test('a server that slept over its lease keeps the tokens it got', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  await setup.clock.pass(2 * HOUR_MS)
  const { fetch } = setup.enabled
  setup.enabled.fetch = async (request) => {
    const reply = await fetch(request)
    // Long enough for another to take the lease, which does nothing with it.
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
