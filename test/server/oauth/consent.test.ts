import { expect, test } from 'vitest'
import { idAt } from '../../suites/storage-place.ts'
import { ASKED, connect, PUBLIC_URL, setUpOAuth } from './oauth-kit.ts'
import { PROVIDER_KINDS, type ProviderKind } from './provider-kinds.ts'

const KINDS = Object.keys(PROVIDER_KINDS) as ProviderKind[]

test.for(KINDS)('turns a consent into a connection whose fetch is authorized: %s', async (kind) => {
  const { oauth, server, storage } = await setUpOAuth({ kind })
  const { authUrl, state } = await oauth.begin({ ...ASKED, config: {} })
  const outcome = await oauth.receive('cloud_drive', server.approve(authUrl))
  expect(outcome).toMatchObject({
    outcome: 'connected',
    renewed: false,
    connection: { status: 'pending', accountId: 'ada', accountName: 'Account of ada', collectionId: idAt(1) }
  })
  const attempt = await oauth.attempt(state)
  expect(attempt).toMatchObject({ status: 'completed', connectionId: expect.any(String) })
  const connection = await storage.findConnection(attempt?.connectionId ?? '')
  const reply = await oauth.authorizedFetch(connection?.credentialId ?? '')(new Request('https://api.example/v1/me'))
  expect([reply.status, await reply.json()]).toEqual([200, { id: 'ada', name: 'Account of ada' }])
})

test('builds a consent URL with the client, the scopes and the redirect address', async () => {
  const { oauth } = await setUpOAuth()
  const { authUrl, state } = await oauth.begin(ASKED)
  const url = new URL(authUrl)
  expect(`${url.origin}${url.pathname}`).toBe('https://accounts.example/authorize')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    hd: 'any',
    response_type: 'code',
    client_id: 'client:1',
    redirect_uri: `${PUBLIC_URL}/v1/oauth/callback/cloud_drive`,
    scope: 'files.read profile',
    access_type: 'offline',
    prompt: 'consent',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state
  })
})

test('sends scopes in the parameter and with the separator of the provider, or not at all', async () => {
  const nested = await setUpOAuth({ kind: 'nested' })
  const url = new URL((await nested.oauth.begin(ASKED)).authUrl)
  expect([url.searchParams.get('user_scope'), url.searchParams.get('scope')]).toEqual([
    'channels:history,users:read',
    null
  ])
  const json = await setUpOAuth({ kind: 'json' })
  const plain = new URL((await json.oauth.begin(ASKED)).authUrl).searchParams
  expect([plain.get('scope'), plain.get('code_challenge'), plain.get('owner')]).toEqual([null, null, 'user'])
})

test('activates a connection whose selection was made in advance or whose provider has none', async () => {
  const { oauth, server } = await setUpOAuth()
  const { authUrl } = await oauth.begin({ ...ASKED, config: { folder_ids: ['a1'] } })
  const chosen = await oauth.receive('cloud_drive', server.approve(authUrl))
  expect(chosen).toMatchObject({ connection: { status: 'active', config: { folder_ids: ['a1'] } } })
  const other = await setUpOAuth({ selects: false })
  const whole = await other.oauth.receive('cloud_drive', other.server.approve((await other.oauth.begin(ASKED)).authUrl))
  expect(whole).toMatchObject({ connection: { status: 'active' } })
})

test('renews the credentials of the existing connection on a second consent', async () => {
  const setup = await setUpOAuth()
  const first = await connect(setup)
  const { authUrl } = await setup.oauth.begin({ ...ASKED, config: { folder_ids: ['b2'] } })
  const again = await setup.oauth.receive('cloud_drive', setup.server.approve(authUrl))
  expect(again).toMatchObject({
    outcome: 'connected',
    renewed: true,
    connection: { id: first.connectionId, status: 'pending', config: {} }
  })
  expect(await setup.storage.listConnectionsInCollection(idAt(1))).toHaveLength(1)
})

test('exchanges one of twenty simultaneous callbacks', async () => {
  const { oauth, server, storage } = await setUpOAuth()
  const query = server.approve((await oauth.begin(ASKED)).authUrl)
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => oauth.receive('cloud_drive', query)))
  const count = (outcome: string): number => outcomes.filter((one) => one.outcome === outcome).length
  expect([count('connected'), count('replayed')]).toEqual([1, 19])
  expect(server.counts.get('grant authorization_code')).toBe(1)
  expect(await storage.listConnectionsInCollection(idAt(1))).toHaveLength(1)
})

test('exchanges nothing for an expired consent', async () => {
  const { oauth, server, clock } = await setUpOAuth()
  const { authUrl, state } = await oauth.begin(ASKED)
  const query = server.approve(authUrl)
  await clock.pass(600_000)
  expect(await oauth.receive('cloud_drive', query)).toMatchObject({ outcome: 'expired' })
  expect(await oauth.attempt(state)).toMatchObject({
    status: 'expired',
    detail: expect.stringContaining('memctl connect')
  })
  expect(server.counts.get('grant authorization_code')).toBeUndefined()
})

test('ends the attempt as denied if the person declines, and reports it', async () => {
  const { oauth } = await setUpOAuth()
  const { state } = await oauth.begin(ASKED)
  const query = new URLSearchParams({ error: 'access_denied', state })
  expect(await oauth.receive('cloud_drive', query)).toMatchObject({
    outcome: 'denied',
    detail: 'access was denied at Test Drive'
  })
  expect(await oauth.attempt(state)).toMatchObject({ status: 'denied' })
  expect(await oauth.receive('cloud_drive', query)).toMatchObject({ outcome: 'replayed' })
})

test('accepts a state only at its own provider', async () => {
  const { oauth, server } = await setUpOAuth()
  const query = server.approve((await oauth.begin(ASKED)).authUrl)
  expect(await oauth.receive('mailbox', query)).toEqual({ outcome: 'unknown' })
  expect(await oauth.receive('cloud_drive', query)).toMatchObject({ outcome: 'connected' })
})

test('rejects a state with a changed byte or from another server', async () => {
  const { oauth, server } = await setUpOAuth()
  const { authUrl, state } = await oauth.begin(ASKED)
  const query = server.approve(authUrl)
  for (let at = 0; at < state.length; at++) {
    for (const sign of ['A', 'B', '0']) {
      const changed = `${state.slice(0, at)}${sign}${state.slice(at + 1)}`
      if (changed === state) continue
      const tampered = new URLSearchParams(query)
      tampered.set('state', changed)
      expect(await oauth.receive('cloud_drive', tampered)).toEqual({ outcome: 'unknown' })
      expect(await oauth.attempt(changed)).toBeUndefined()
    }
  }
  const other = await setUpOAuth()
  expect(await other.oauth.receive('cloud_drive', query)).toEqual({ outcome: 'unknown' })
  expect(server.counts.size).toBe(0)
  expect(await oauth.receive('cloud_drive', query)).toMatchObject({ outcome: 'connected' })
})

test('rejects a state whose row was changed in the storage', async () => {
  const { oauth, storage } = await setUpOAuth()
  const { state } = await oauth.begin(ASKED)
  const attempt = await oauth.attempt(state)
  const { status: _, usedAt: _u, endedAt: _e, detail: _d, connectionId: _c, held: _h, ...row } = attempt ?? fail()
  await storage.createAttempt({ ...row, id: idAt(99), collectionId: idAt(2) })
  expect(await oauth.attempt(state.replace(row.id, idAt(99)))).toBeUndefined()
})

test('exchanges nothing if iss is wrong, and accepts a callback without iss', async () => {
  const { oauth, server } = await setUpOAuth()
  const wrong = server.approve((await oauth.begin(ASKED)).authUrl)
  wrong.set('iss', 'https://evil.example')
  expect(await oauth.receive('cloud_drive', wrong)).toMatchObject({
    outcome: 'rejected',
    detail: expect.stringContaining('iss')
  })
  expect(server.counts.size).toBe(0)
  const none = server.approve((await oauth.begin(ASKED)).authUrl)
  none.delete('iss')
  expect(await oauth.receive('cloud_drive', none)).toMatchObject({ outcome: 'connected' })
})

function fail(): never {
  throw new Error('there is no attempt')
}
