import { expect, test } from 'vitest'
import type { StoredCredential } from '../../../server/storage/port/connector-storage.ts'

import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { connect, type OAuthSetup, setUpOAuth, whilePassing } from './oauth-kit.ts'
import { PROVIDER_KINDS, type ProviderKind } from './provider-kinds.ts'

const KINDS = Object.keys(PROVIDER_KINDS) as ProviderKind[]

/** Links and disconnects an account. Returns its credential, which is no longer in the storage. */
async function disconnected(setup: OAuthSetup): Promise<StoredCredential> {
  const { connectionId } = await connect(setup)
  const ended = await setup.storage.revokeConnection(connectionId, epochNow(setup.clock))
  if (ended?.credential === undefined) throw new Error('there is no credential')
  return ended.credential
}

const signal = new AbortController().signal

test.for(KINDS)('revokes a grant in the way of its provider, even a second time: %s', async (kind) => {
  const setup = await setUpOAuth({ kind })
  const credential = await disconnected(setup)
  expect(setup.server.isAlive('ada')).toBe(true)
  expect(await setup.oauth.revoke(credential, signal)).toBe(true)
  expect(setup.server.isAlive('ada')).toBe(false)
  expect(await setup.oauth.revoke(credential, signal)).toBe(true)
})

test.for(KINDS)('revokes a grant whose access token expired long ago: %s', async (kind) => {
  const setup = await setUpOAuth({ kind })
  const credential = await disconnected(setup)
  await setup.clock.pass(100 * 3_600_000)
  expect(await setup.oauth.revoke(credential, signal)).toBe(true)
  expect(setup.server.isAlive('ada')).toBe(false)
})

test('returns false if the provider refuses a revocation or cannot be reached', async () => {
  const setup = await setUpOAuth()
  const credential = await disconnected(setup)
  const replies: (() => Response | Promise<Response>)[] = [
    () => new Response('', { status: 500 }),
    () => new Response('<html>', { status: 404 }),
    () => new Response(null, { status: 302, headers: { location: '/elsewhere' } }),
    () => Response.json({ error: 'unsupported_token_type' }, { status: 400 }),
    () => Promise.reject(new TypeError('fetch failed'))
  ]
  for (const reply of replies) {
    setup.server.answer('/revoke', reply)
    expect(await setup.oauth.revoke(credential, signal)).toBe(false)
  }
  expect(await setup.oauth.revoke({ ...credential, clientId: 'another' }, signal)).toBe(false)
  expect(await setup.oauth.revoke({ ...credential, provider: 'notes' }, signal)).toBe(false)
  expect(await setup.oauth.revoke({ ...credential, accountId: 'eve' }, signal)).toBe(false)
  const { revokeUrl: _, ...oauth } = setup.enabled.oauth
  setup.enabled.oauth = oauth
  expect(await setup.oauth.revoke(credential, signal)).toBe(false)
})

test('waits for a hanging provider within a limit, or until the caller aborts', async () => {
  const setup = await setUpOAuth()
  const credential = await disconnected(setup)
  setup.server.answer(
    '/revoke',
    (request) => new Promise((_, reject) => request.signal.addEventListener('abort', reject))
  )
  expect(await whilePassing(setup.clock, setup.oauth.revoke(credential, signal), 1000)).toBe(false)
  const leaves = new AbortController()
  const work = setup.oauth.revoke(credential, leaves.signal)
  leaves.abort(new Error('enough'))
  await expect(work).rejects.toThrow('enough')
})

test('leaves no credential of the previous client after a new consent', async () => {
  const setup = await setUpOAuth()
  await connect(setup)
  const before = setup.enabled.clientId
  setup.enabled.clientId = 'client-2'
  const { fetch } = setup.enabled
  setup.enabled.fetch = async (request) => {
    const text = (await request.text()).replaceAll('client-2', encodeURIComponent(before))
    const { url, method, headers } = request
    return await fetch(new Request(url, { method, headers, ...(method === 'POST' && { body: text }) }))
  }
  const again = await connect(setup)
  const kept = await setup.storage.findCredential(again.credentialId)
  expect(kept).toMatchObject({ clientId: 'client-2', accountId: 'ada' })
  expect(
    await setup.storage.findCredentialForAccount({ provider: 'cloud_drive', clientId: before, accountId: 'ada' })
  ).toBeUndefined()
})
