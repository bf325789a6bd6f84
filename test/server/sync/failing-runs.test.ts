import { expect, test } from 'vitest'
import { ProviderFailure } from '../../../server/providers/port/provider-failure.ts'
import { deadGrantError } from '../../../server/providers/port/reconnect-command.ts'
import { idAt } from '../../suites/storage-place.ts'
import { idsOf, sayingOf, scriptedKit } from './scripted-kit.ts'
import { failure } from './scripted-source.ts'
import { HOUR, MINUTE, textsOf } from './sync-kit.ts'

const THREE = ['a', 'b', 'c']
/** Later than the latest regular sync, jitter included. */
const REGULAR = 4 * HOUR * 0.95

test('parks a rate-limited run for as long as the provider demands, and counts no attempt', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  kit.source.fail('read p005', failure('rate_limited', 7 * MINUTE))
  expect(await kit.sync()).toMatchObject({ outcome: 'parked', created: 4, failed: 0 })
  const { nextRunAt, lastError } = await kit.connection()
  expect({ nextRunAt, lastError }).toEqual({ nextRunAt: kit.clock.now() + 7 * MINUTE, lastError: undefined })
  expect((await kit.items()).map(({ tries }) => tries)).toEqual([0, 0, 0, 0])
  expect(await kit.syncAfter(7 * MINUTE - 1)).toBeUndefined()
  kit.source.calls.length = 0
  expect(await kit.syncAfter(1)).toMatchObject({ outcome: 'succeeded', created: 5 })
  expect(kit.source.calls.filter((call) => call.startsWith('read p'))).toEqual(
    ['p005', 'p006', 'p007', 'p008', 'p009'].map((id) => `read ${id}`)
  )
})

test('ends the run at any item on a failure of the whole account, and retries soon', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  kit.source.fail('read p005', new ProviderFailure('transient', 'no token just now', { ofAccount: true }))
  expect(await kit.sync()).toMatchObject({ outcome: 'failed', created: 4, failed: 0 })
  const { nextRunAt, lastError } = await kit.connection()
  expect({ nextRunAt, lastError }).toEqual({ nextRunAt: kit.clock.now() + MINUTE / 2, lastError: 'no token just now' })
  expect(await kit.syncAfter(MINUTE / 2)).toMatchObject({ outcome: 'succeeded', created: 5 })
})

test('waits a minute after a rate limit without a duration', async () => {
  const kit = await scriptedKit({ holds: THREE })
  kit.source.fail('changes', failure('rate_limited'))
  expect(await kit.sync()).toMatchObject({ outcome: 'parked' })
  expect((await kit.connection()).nextRunAt).toBe(kit.clock.now() + MINUTE)
})

test.for(['auth_expired', 'grant_dead', 'scope_missing'] as const)(
  '%s: fails the run, explains how to reconnect, and retries at the regular time',
  async (kind) => {
    const kit = await scriptedKit({ holds: THREE })
    kit.source.fail('changes', failure(kind))
    expect(await kit.sync()).toMatchObject({ outcome: 'failed' })
    const { lastError, nextRunAt = 0 } = await kit.connection()
    expect(lastError).toContain(`memctl connect cloud_drive -c ${idAt(1)}`)
    expect(lastError).toContain(kind.replace('_', ' '))
    expect((await kit.lastRun()).error).toBe(lastError)
    expect(nextRunAt - kit.clock.now()).toBeGreaterThan(REGULAR)
  }
)

test('ends the run when reading an item reveals a dead grant, and keeps the items before it', async () => {
  const kit = await scriptedKit({ holds: THREE })
  kit.source.fail('read c', failure('grant_dead'))
  expect(await kit.sync()).toMatchObject({ outcome: 'failed', created: 2, failed: 0 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'b'].map(sayingOf))
})

test('names the collection of this connection in an error noted for several collections', async () => {
  const kit = await scriptedKit()
  const noted = deadGrantError('Drive', 'revoked', 'memctl connect cloud_drive -c <collection>')
  kit.source.fail('changes', Object.assign(failure('grant_dead'), { message: noted }))
  await kit.sync()
  expect((await kit.connection()).lastError).toBe(noted.replace('<collection>', idAt(1)))
})

test('fails the run on a broken contract without losing anything, and retries at the regular time', async () => {
  const kit = await scriptedKit({ holds: THREE })
  await kit.sync()
  kit.source.fail('changes', failure('contract_broken'))
  expect(await kit.syncNow()).toMatchObject({ outcome: 'failed' })
  const { lastError, nextRunAt = 0 } = await kit.connection()
  expect(lastError).toBe('contract broken: it was contract broken')
  expect(nextRunAt - kit.clock.now()).toBeGreaterThan(REGULAR)
  expect(textsOf(await kit.memories())).toEqual(THREE.map(sayingOf))
})

test('retries a listing that fails for temporary reasons three times, then at the regular time', async () => {
  const kit = await scriptedKit({ holds: THREE })
  kit.source.fail('changes', ...Array.from({ length: 5 }, () => failure('transient')))
  await kit.sync()
  for (const wait of [MINUTE / 2, 2 * MINUTE, 8 * MINUTE]) {
    expect((await kit.connection()).nextRunAt).toBe(kit.clock.now() + wait)
    expect(await kit.syncAfter(wait)).toMatchObject({ outcome: 'failed' })
  }
  expect(((await kit.connection()).nextRunAt ?? 0) - kit.clock.now()).toBeGreaterThan(REGULAR)
})

test('clears the error and resets the failures after a successful run', async () => {
  const kit = await scriptedKit({ holds: THREE })
  kit.source.fail('changes', failure('transient'))
  await kit.sync()
  expect((await kit.connection()).lastError).toBe('it was transient')
  expect(await kit.syncAfter(MINUTE / 2)).toMatchObject({ outcome: 'succeeded' })
  expect((await kit.connection()).lastError).toBeUndefined()
  kit.source.fail('changes', failure('transient'))
  await kit.syncNow()
  expect((await kit.connection()).nextRunAt).toBe(kit.clock.now() + MINUTE / 2)
})

test('continues after the last page when a later page failed', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  kit.source.when('changes', () => kit.source.when('changes', () => kit.source.fail('changes', failure('transient'))))
  expect(await kit.sync()).toMatchObject({ outcome: 'failed', created: 3 })
  expect(await kit.syncAfter(MINUTE / 2)).toMatchObject({ outcome: 'succeeded', seen: 6, created: 6 })
})

test('ends the run with a neutral message and logs the error on an internal bug', async () => {
  const kit = await scriptedKit({ holds: THREE })
  kit.source.when('changes', () => {
    throw new TypeError('secret text of a document')
  })
  expect(await kit.sync()).toMatchObject({ outcome: 'failed' })
  const { lastError } = await kit.connection()
  expect(lastError).toContain('server error unrelated to the account')
  expect(lastError).not.toContain('secret')
  expect(kit.logged[0]?.fields.err).toBeInstanceOf(TypeError)
  expect(await kit.syncAfter(MINUTE / 2)).toMatchObject({ outcome: 'succeeded' })
})

test.for([
  ['an id that is empty', { seen: [{ id: '' }] }],
  ['an id that is too long', { seen: [{ id: 'ä'.repeat(513) }] }],
  ['an id that is no text', { gone: ['\ud800'] }],
  ['a cursor that is too long', { cursor: 'x'.repeat(64 * 1024 + 1) }],
  ['no cursor', { cursor: undefined as unknown as string }]
] as const)('treats a page with %s as a broken contract', async ([, flaw]) => {
  const kit = await scriptedKit({ holds: THREE })
  kit.source.bend((page) => ({ ...page, ...flaw }))
  expect(await kit.sync()).toMatchObject({ outcome: 'failed' })
  expect((await kit.connection()).lastError).toMatch(/^contract broken: /)
})

test('ends the run at a page that leads to itself', async () => {
  const kit = await scriptedKit()
  kit.source.bend((page) => ({ ...page, cursor: '{"seq":0}', more: true }))
  expect(await kit.sync()).toMatchObject({ outcome: 'failed' })
  expect((await kit.connection()).lastError).toBe(
    'contract broken: the provider returned a page whose cursor leads back to itself'
  )
})

test('keeps an id of 1,024 bytes', async () => {
  const id = 'ä'.repeat(512)
  const kit = await scriptedKit({ holds: [id] })
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 1 })
  expect((await kit.items())[0]?.id).toBe(id)
})
