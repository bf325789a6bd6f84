import { expect, test } from 'vitest'
import type { ConsentOutcome } from '../../../server/oauth/consent/consent-outcome.ts'
import { rotateKeyRing } from '../../../server/oauth/vault/rotate-key-ring.ts'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { idAt } from '../../suites/storage-place.ts'
import { ASKED, connect, type OAuthSetup, setUpOAuth } from './oauth-kit.ts'

type Asks = Extract<ConsentOutcome, { outcome: 'asks' }>

async function askedSetup(): Promise<OAuthSetup & { asks: Asks; state: string }> {
  const setup = await setUpOAuth({ settings: { confirm: true } })
  return { ...setup, ...(await consentOf(setup)) }
}

async function consentOf({ oauth, server }: OAuthSetup, account = 'ada'): Promise<{ asks: Asks; state: string }> {
  const { authUrl, state } = await oauth.begin(ASKED)
  const outcome = await oauth.receive('cloud_drive', server.approve(authUrl, account))
  if (outcome.outcome !== 'asks') throw new Error(outcome.outcome)
  return { asks: outcome, state }
}

test('links the account only after the person confirms', async () => {
  const { oauth, storage, asks, state } = await askedSetup()
  expect(asks).toMatchObject({ accountName: 'Account of ada', attempt: { collectionId: idAt(1), keyId: idAt(1) } })
  expect(asks.expiresAt).toBe(asks.attempt.expiresAt)
  expect(await storage.listConnectionsInCollection(idAt(1))).toEqual([])
  expect(await oauth.attempt(state)).toMatchObject({ status: 'waiting' })
  const outcome = await oauth.confirm('cloud_drive', { ticket: asks.ticket, approved: true })
  expect(outcome).toMatchObject({ outcome: 'connected', connection: { accountId: 'ada', status: 'pending' } })
  expect(await oauth.attempt(state)).toMatchObject({ status: 'completed' })
})

test('revokes the grant if the person declines', async () => {
  const { oauth, server, storage, asks, state } = await askedSetup()
  expect(server.isAlive('ada')).toBe(true)
  expect(await oauth.confirm('cloud_drive', { ticket: asks.ticket, approved: false })).toMatchObject({
    outcome: 'denied'
  })
  expect(server.isAlive('ada')).toBe(false)
  expect(await oauth.attempt(state)).toMatchObject({ status: 'denied' })
  expect(await storage.listConnectionsInCollection(idAt(1))).toEqual([])
})

test('accepts only the first of several simultaneous decisions', async () => {
  for (const first of [true, false]) {
    const { oauth, server, storage, asks } = await askedSetup()
    const said = Array.from({ length: 10 }, (_, n) => ({ ticket: asks.ticket, approved: (n % 2 === 0) === first }))
    const outcomes = (await Promise.all(said.map((one) => oauth.confirm('cloud_drive', one)))).map(
      ({ outcome }) => outcome
    )
    expect(outcomes.filter((outcome) => outcome !== 'replayed')).toHaveLength(1)
    const linked = outcomes.includes('connected')
    expect(await storage.listConnectionsInCollection(idAt(1))).toHaveLength(linked ? 1 : 0)
    expect(server.isAlive('ada')).toBe(linked)
  }
})

test('rejects a ticket that was changed, or belongs to another attempt or provider', async () => {
  const setup = await askedSetup()
  const { oauth, asks, state } = setup
  const { ticket } = asks
  const second = await consentOf(setup, 'bob')
  const mixed = `${ticket.split('.')[0]}.${second.asks.ticket.split('.')[1]}`
  const last = ticket.endsWith('A') ? 'B' : 'A'
  for (const wrong of [
    '',
    'x',
    state,
    mixed,
    ticket.slice(0, -1),
    `${ticket}A`,
    ticket.slice(0, -1) + last,
    'x'.repeat(1e6)
  ])
    expect(await oauth.confirm('cloud_drive', { ticket: wrong, approved: true })).toEqual({ outcome: 'unknown' })
  expect(await oauth.confirm('mailbox', { ticket, approved: true })).toEqual({ outcome: 'unknown' })
  expect(await oauth.confirm('cloud_drive', { ticket, approved: true })).toMatchObject({ outcome: 'connected' })
})

test('has nothing to confirm before a callback', async () => {
  const { oauth } = await setUpOAuth({ settings: { confirm: true } })
  const { state } = await oauth.begin(ASKED)
  const ticket = `${state.split('.')[0]}.${'A'.repeat(43)}`
  expect(await oauth.confirm('cloud_drive', { ticket, approved: true })).toEqual({ outcome: 'unknown' })
})

test('stores the ticket as a hash and the tokens sealed', async () => {
  const { storage, asks, server } = await askedSetup()
  const { held } = (await storage.findAttempt(asks.attempt.id)) ?? {}
  expect(held?.ticketHash).toHaveLength(32)
  const kept = Buffer.from(held?.secret.bytes ?? []).toString('latin1')
  for (const secret of server.secrets) expect(kept).not.toContain(secret)
})

test('links nothing and revokes the grant after a late decision', async () => {
  const { oauth, server, clock, asks, state } = await askedSetup()
  await clock.pass(600_000)
  expect(await oauth.confirm('cloud_drive', { ticket: asks.ticket, approved: true })).toMatchObject({
    outcome: 'expired'
  })
  expect(server.isAlive('ada')).toBe(false)
  expect(await oauth.attempt(state)).toMatchObject({ status: 'expired' })
})

test('revokes a grant without a decision in the sweep, even after the callback was opened again', async () => {
  const { oauth, server, clock, asks, state } = await askedSetup()
  await oauth.sweep(new AbortController().signal)
  expect(server.isAlive('ada')).toBe(true)
  await clock.pass(600_000)
  const again = new URLSearchParams({ code: 'x', state })
  expect(await oauth.receive('cloud_drive', again)).toMatchObject({ outcome: 'expired' })
  expect(server.isAlive('ada')).toBe(true)
  await oauth.sweep(new AbortController().signal)
  expect(server.isAlive('ada')).toBe(false)
  expect(await oauth.confirm('cloud_drive', { ticket: asks.ticket, approved: true })).toMatchObject({
    outcome: 'replayed'
  })
})

test('does not revoke a grant that another connection of the account uses', async () => {
  const setup = await askedSetup()
  const other = await consentOf(setup)
  await setup.oauth.confirm('cloud_drive', { ticket: setup.asks.ticket, approved: true })
  await setup.oauth.confirm('cloud_drive', { ticket: other.asks.ticket, approved: false })
  expect(setup.server.isAlive('ada')).toBe(true)
  const third = await consentOf(setup)
  await setup.clock.pass(600_000)
  await setup.oauth.sweep(new AbortController().signal)
  expect(await setup.oauth.attempt(third.state)).toMatchObject({ status: 'expired' })
  expect(setup.server.isAlive('ada')).toBe(true)
})

test('accepts a decision after a key rotation', async () => {
  const setup = await askedSetup()
  const waiting = await setup.oauth.begin(ASKED)
  await rotateKeyRing({ ...setup.parts, vault: setup.vault })
  const confirmed = await setup.oauth.confirm('cloud_drive', { ticket: setup.asks.ticket, approved: true })
  expect(confirmed).toMatchObject({ outcome: 'connected' })
  expect(await setup.oauth.attempt(setup.state)).toMatchObject({ status: 'completed' })
  const later = await setup.oauth.receive('cloud_drive', setup.server.approve(waiting.authUrl, 'bob'))
  expect(later).toMatchObject({ outcome: 'asks' })
})

test.for(['collection', 'key'] as const)(
  'links nothing and revokes the grant if the %s was deleted meanwhile',
  async (gone) => {
    for (const confirm of [true, false]) {
      const setup = await setUpOAuth({ settings: { confirm } })
      const { oauth, server, storage } = setup
      const take = (): Promise<unknown> =>
        gone === 'key' ? storage.revokeKey(idAt(2)) : storage.deleteCollection(idAt(3))
      const { authUrl, state } = await oauth.begin({ ...ASKED, keyId: idAt(2), collectionId: idAt(3) })
      const query = server.approve(authUrl)
      let outcome: ConsentOutcome
      if (confirm) {
        const asks = (await oauth.receive('cloud_drive', query)) as Asks
        await take()
        outcome = await oauth.confirm('cloud_drive', { ticket: asks.ticket, approved: true })
        await setup.oauth.sweep(new AbortController().signal)
        await setup.clock.pass(600_000)
        await setup.oauth.sweep(new AbortController().signal)
      } else {
        const { fetch } = setup.enabled
        setup.enabled.fetch = async (request) => {
          await take()
          return await fetch(request)
        }
        outcome = await oauth.receive('cloud_drive', query)
      }
      expect(['failed', 'unknown', 'expired']).toContain(outcome.outcome)
      expect(server.isAlive('ada')).toBe(false)
      expect((await oauth.attempt(state))?.status ?? 'gone').toMatch(/failed|gone|expired/)
    }
  }
)

test('revokes a shared grant with the last connection that uses it', async () => {
  const setup = await setUpOAuth()
  const [one, two] = [await connect(setup), await connect(setup, { collection: 2 })]
  const first = await setup.storage.revokeConnection(one.connectionId, epochNow(setup.clock))
  expect(first?.credential).toBeUndefined()
  expect(setup.server.isAlive('ada')).toBe(true)
  const last = await setup.storage.revokeConnection(two.connectionId, epochNow(setup.clock))
  expect(await setup.oauth.revoke(last?.credential ?? fail(), new AbortController().signal)).toBe(true)
  expect(setup.server.isAlive('ada')).toBe(false)
})

function fail(): never {
  throw new Error('there is no credential')
}
