import { expect, test } from 'vitest'
import { epochNow, toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { idsOf, sayingOf, scriptedKit } from './scripted-kit.ts'
import { failure } from './scripted-source.ts'
import { HOUR, MINUTE, textsOf } from './sync-kit.ts'

/** Yields to the event loop, so that pending work can proceed. */
async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Never settles, even when aborted. */
const hang = () => new Promise<never>(() => undefined)

test('never syncs one connection on two nodes at the same time', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  let others: unknown = 'not asked'
  kit.source.when('read p002', async () => {
    others = await kit.sync('two')
  })
  expect(await kit.sync('one')).toMatchObject({ outcome: 'succeeded', created: 9 })
  expect(others).toBeUndefined()
})

test('refuses a run that is requested while another is in progress', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  let asked: unknown
  kit.source.when('read a', async () => {
    asked = await kit.storage.requestSync(kit.connectionId, epochNow(kit.clock))
  })
  await kit.sync()
  expect(asked).toBe('running')
})

test('writes nothing more after a config change during the run', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  kit.source.put('x', sayingOf('x'), 'B')
  kit.source.when('read p005', () => kit.select(['B']))
  expect(await kit.sync()).toMatchObject({ outcome: 'lost', created: 3 })
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 1, deleted: 3 })
  expect(textsOf(await kit.memories())).toEqual([sayingOf('x')])
  const [, before] = await kit.storage.listRuns(kit.connectionId, { limit: 2 })
  expect(before).toMatchObject({ outcome: 'stopped', created: 3 })
})

test('writes nothing more after a disconnect during the run', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  kit.source.when('read p005', () => kit.storage.revokeConnection(kit.connectionId, epochNow(kit.clock)))
  expect(await kit.sync()).toMatchObject({ outcome: 'lost', created: 3 })
  expect(await kit.syncAfter(HOUR)).toBeUndefined()
  expect(await kit.memories()).toHaveLength(3)
  expect(kit.logged.filter(({ fields }) => 'err' in fields)).toEqual([])
})

test('takes over from a lost node after its lease expires, continuing after its last page', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  const claims = await kit.storage.claimDue({
    ...{ owner: 'gone', now: epochNow(kit.clock), until: toEpochMs(kit.clock.now() + MINUTE) },
    ...{ limit: 1, providers: ['cloud_drive'], runIds: [kit.parts.newId()] }
  })
  expect(claims).toHaveLength(1)
  expect(await kit.syncAfter(MINUTE - 1)).toBeUndefined()
  expect(await kit.syncAfter(1)).toMatchObject({ outcome: 'succeeded', created: 9 })
  const [, before] = await kit.storage.listRuns(kit.connectionId, { limit: 2 })
  expect(before?.outcome).toBe('interrupted')
})

test('does not let a node that slept past its lease overwrite its successor', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  const { renewLease } = kit.storage
  kit.storage.renewLease = async () => {
    throw new Error('not heard of')
  }
  const other = new Promise((resolve) => {
    kit.source.when('read p005', async () => {
      await kit.clock.pass(2 * MINUTE)
      kit.storage.renewLease = renewLease
      resolve(kit.sync('two'))
    })
  })
  expect(await kit.sync('one')).toMatchObject({ outcome: 'lost', created: 3 })
  expect(await other).toMatchObject({ outcome: 'succeeded', created: 6 })
  expect(await kit.memories()).toHaveLength(9)
})

test('renews the lease during a long read', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b'] })
  let others: unknown[] = []
  kit.source.when('read a', async () => {
    for (let count = 0; count < 20; count += 1) {
      await kit.clock.pass(MINUTE / 3)
      await turns()
      others = [...others, await kit.sync('two')]
    }
  })
  expect(await kit.sync('one')).toMatchObject({ outcome: 'succeeded', created: 2 })
  expect(others).toEqual(Array.from({ length: 20 }, () => undefined))
})

test('aborts a long read when the run loses its connection', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  let isCalledOff: Promise<boolean> | undefined
  const loseIt = async (signal: AbortSignal) => {
    await kit.select(['B'])
    await kit.clock.pass(MINUTE / 3)
    await turns()
    return signal.aborted
  }
  kit.source.when('read a', (signal) => {
    isCalledOff = loseIt(signal)
    return isCalledOff
  })
  expect(await kit.sync()).toMatchObject({ outcome: 'lost' })
  expect(await isCalledOff).toBe(true)
})

test('releases the connection when a node stops, and lets another continue after the last page', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  const stopping = new AbortController()
  kit.source.when('read p005', (signal) => {
    stopping.abort()
    expect(signal.aborted).toBe(true)
  })
  expect(await kit.sync('one', stopping.signal)).toMatchObject({ outcome: 'stopped', created: 3 })
  expect(await kit.sync('two')).toMatchObject({ outcome: 'succeeded', created: 6 })
})

test('finds changes in pages that the previous run had already read', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  kit.source.fail('read p005', failure('rate_limited', MINUTE))
  expect(await kit.sync('one')).toMatchObject({ outcome: 'parked' })
  kit.source.put('p001', 'This changed meanwhile.')
  kit.source.remove('p002')
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', updated: 1, deleted: 1 })
})

test('keeps a requested sync of a paused connection when the node stops', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  await kit.sync()
  await kit.storage.setPaused(kit.connectionId, { paused: true, now: epochNow(kit.clock) })
  await kit.storage.requestSync(kit.connectionId, epochNow(kit.clock))
  const stopping = new AbortController()
  kit.source.when('changes', () => stopping.abort())
  expect(await kit.sync('one', stopping.signal)).toMatchObject({ outcome: 'stopped' })
  expect(await kit.sync('two')).toMatchObject({ outcome: 'succeeded' })
  expect(await kit.syncAfter(24 * HOUR)).toBeUndefined()
})

test('gives up on a page that never arrives, and releases the connection', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  kit.source.when('changes', hang)
  const running = kit.sync()
  for (let count = 0; count < 60; count += 1) {
    await turns(3)
    await kit.clock.pass(MINUTE / 3)
  }
  expect(await running).toMatchObject({ outcome: 'failed' })
  expect((await kit.connection()).lastError).toBe('it took longer than 15 minutes')
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', created: 1 })
})

test('gives up on an item that never arrives, and stores the others', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  kit.source.when('read b', hang)
  const running = kit.sync()
  for (let count = 0; count < 60; count += 1) {
    await turns(3)
    await kit.clock.pass(MINUTE / 3)
  }
  expect(await running).toMatchObject({ outcome: 'partial', created: 2, failed: 1 })
})

test('ends the run when the storage is unavailable, and makes the connection due again soon', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  const { commitPage } = kit.storage
  kit.storage.commitPage = async () => {
    throw new Error('the disk is full')
  }
  expect(await kit.sync()).toMatchObject({ outcome: 'failed' })
  kit.storage.commitPage = commitPage
  expect(await kit.syncAfter(MINUTE / 2)).toMatchObject({ outcome: 'succeeded', created: 1 })
})

test('takes over a run whose end could not be written after its lease expires', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  const { endRun } = kit.storage
  kit.storage.endRun = async () => {
    throw new Error('the disk is full')
  }
  expect(await kit.sync()).toMatchObject({ outcome: 'lost' })
  kit.storage.endRun = endRun
  expect(await kit.sync('two')).toBeUndefined()
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', seen: 0 })
})
