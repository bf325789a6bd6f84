import { expect } from 'vitest'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { Hold } from '../../server/storage/port/sync-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { batchOf, memory } from '../server/storage/record-lines.ts'
import { ready } from './storage-connector-things.ts'
import { held, itemsOf, memoriesOf, pageOf } from './storage-page-things.ts'
import { idAt, type Open, type StorageTests } from './storage-place.ts'

const TIMES = { now: toEpochMs(3000), until: toEpochMs(9000) }
const NOBODY = idAt(999)

/** Tests the items that a pass has not seen, and what a revoked connection leaves behind. */
export const CLEANUP_TESTS: StorageTests = {
  'counts the items that a pass has not seen, and lists a few at a time': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1'], b: ['m2'], c: ['m3'], d: { skipped: 'a video' } }))
    await storage.commitPage(hold, pageOf({ b: 'unchanged', e: ['m4'], f: { failed: 'broken' } }, { pass: 2 }))
    await storage.commitPage(hold, pageOf({ b: 'unchanged', e: ['m4'] }, { pass: 0 }))
    const unseen = { before: 2 }
    expect(await storage.countUnseen(hold.connectionId, unseen)).toEqual({ unseen: 3, synced: 4 })
    const query = { unseen, notNotedIn: 2, limit: 2 }
    const [a, c, ...others] = await storage.listUnseenItems(hold.connectionId, query)
    expect([a?.id, a?.status, c?.id, others]).toEqual(['a', 'synced', 'c', []])
    await storage.commitPage(hold, pageOf({}, { pass: 2, gone: ['a', 'c'] }))
    expect((await storage.listUnseenItems(hold.connectionId, query)).map(({ id }) => id)).toEqual(['d'])
    await storage.commitPage(hold, pageOf({}, { pass: 2, gone: ['d'] }))
    expect(await memoriesOf(storage)).toBe('m2 m4 - -')
    expect(await itemsOf(storage, hold)).toEqual(['b synced 1', 'e synced 1', 'f failed 0'])
    expect(await storage.findConnection(hold.connectionId)).toMatchObject({ itemsSynced: 2 })
    expect(await storage.findRun(hold.connectionId, hold.runId)).toMatchObject({ deleted: 3 })
  },

  'marks what a range lacks as missing in its pass, until it is seen again': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1'], b: ['m2'], c: ['m3'], é: ['m4'], '😀': ['m5'] }))
    const covered = [
      { from: 'b', to: 'c' },
      { from: 'z', to: '\uffff' }
    ]
    await storage.commitPage(hold, pageOf({ c: 'unchanged' }, { pass: 2, covered }))
    expect(await storage.countUnseen(hold.connectionId, { missingIn: 2 })).toEqual({ unseen: 2, synced: 5 })
    await storage.commitPage(hold, pageOf({ é: ['m4'] }, { pass: 2 }))
    await storage.commitPage(hold, pageOf({ a: 'unchanged' }, { pass: 3 }))
    expect(await storage.countUnseen(hold.connectionId, { missingIn: 2, before: 1 })).toMatchObject({ unseen: 0 })
    const query = { unseen: { missingIn: 2, before: 3 }, notNotedIn: 2, limit: 9 }
    expect((await storage.listUnseenItems(hold.connectionId, query)).map(({ id }) => id)).toEqual(['b'])
  },

  'keeps an item with an unconfirmed absence, and the time of the first one, until it is seen again': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1'], b: ['m2'], c: { failed: 'broken' } }))
    // A database returns rows in any order.
    const known = async () =>
      (await storage.findKnownItems(hold.connectionId, ['a', 'b', 'c'])).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const before = await known()
    const absent = (pass: number, now: number) =>
      storage.commitPage(hold, pageOf({ a: 'absent', c: 'absent', nobody: 'absent' }, { pass, now: toEpochMs(now) }))
    await absent(2, 4000)
    await absent(3, 5000)
    const noted = before.map((item) => ({ ...item, absentSince: item.id === 'b' ? undefined : 4000 }))
    expect(await known()).toEqual(noted)
    expect(await memoriesOf(storage)).toBe('m1 m2')
    const unseen = async (notNotedIn: number) =>
      (await storage.listUnseenItems(hold.connectionId, { unseen: { before: 3 }, notNotedIn, limit: 9 })).map(
        ({ id }) => id
      )
    expect([await unseen(3), await unseen(4)]).toEqual([['b'], ['a', 'b', 'c']])
    await storage.commitPage(hold, pageOf({ a: 'unchanged', c: ['m3'] }, { pass: 4 }))
    expect((await known()).map(({ absentSince }) => absentSince)).toEqual([undefined, undefined, undefined])
  },

  'clears the missing mark of a rewritten item, and keeps the pass that saw it': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1'], b: ['m2'] }, { pass: 5 }))
    await storage.commitPage(hold, pageOf({}, { pass: 5, covered: [{ from: 'a', to: 'b' }] }))
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm3'] }, { pass: 0 }))
    expect(await storage.countUnseen(hold.connectionId, { missingIn: 5 })).toMatchObject({ unseen: 1 })
    expect(await storage.countUnseen(hold.connectionId, { before: 5 })).toMatchObject({ unseen: 0 })
  },

  'keeps the memories of a revoked connection until their cleanup is requested': async (open) => {
    const { storage, hold } = await revoked(open)
    expect(await memoriesOf(storage)).toBe('by hand m1 m2 m3 m4')
    expect(await storage.claimCleanup(hold.connectionId, { owner: 'one', ...TIMES })).toBe('nothing')
    expect(await storage.listOpenCleanups({ now: toEpochMs(3000), limit: 9 })).toEqual([])
    expect(await storage.requestCleanup(hold.connectionId)).toBe(5)
    expect(await storage.listOpenCleanups({ now: toEpochMs(3000), limit: 9 })).toEqual([hold.connectionId])
    expect(await storage.requestCleanup(hold.connectionId)).toBe(5)
  },

  'has nothing to clean up for an active, empty or unknown connection': async (open) => {
    const storage = await ready(open)
    const [one, two] = [await held(storage, 1), await held(storage, 2)]
    await storage.commitPage(one, pageOf({ a: ['m1'] }))
    await storage.revokeConnection(two.connectionId, toEpochMs(3000))
    for (const id of [one.connectionId, two.connectionId, NOBODY]) {
      expect(await storage.requestCleanup(id)).toBe(0)
      expect(await storage.claimCleanup(id, { owner: 'one', ...TIMES })).toBe('nothing')
    }
  },

  'removes memories without another owner, a few at a time': async (open) => {
    const { storage, hold } = await revoked(open)
    await storage.requestCleanup(hold.connectionId)
    const cleaning = await claimed(storage, hold)
    expect(await storage.releaseMemories(cleaning, { ...TIMES, limit: 2 })).toEqual({ outcome: 'released', left: 3 })
    expect(await storage.findConnection(hold.connectionId)).toMatchObject({ itemsSynced: 3 })
    expect(await storage.releaseMemories(cleaning, { ...TIMES, limit: 9 })).toEqual({ outcome: 'released', left: 0 })
    expect(await memoriesOf(storage)).toBe('by hand m2 m3 - -')
    expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 3 })
    expect(await storage.findConnection(hold.connectionId)).toMatchObject({ itemsSynced: 0 })
    expect(await storage.releaseMemories(cleaning, { ...TIMES, limit: 9 })).toMatchObject({ outcome: 'lost' })
    expect(await storage.requestCleanup(hold.connectionId)).toBe(0)
    expect(await storage.listOpenCleanups({ now: toEpochMs(99_000), limit: 9 })).toEqual([])
  },

  'resets the item count of a revoked connection without memories': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: [] }))
    await storage.revokeConnection(hold.connectionId, toEpochMs(3000))
    expect(await storage.findConnection(hold.connectionId)).toMatchObject({ itemsSynced: 1 })
    expect(await storage.requestCleanup(hold.connectionId)).toBe(0)
    expect(await storage.findConnection(hold.connectionId)).toMatchObject({ itemsSynced: 0 })
  },

  'lets one server clean up at a time, and another continue after its lease': async (open) => {
    const { storage, hold } = await revoked(open)
    await storage.requestCleanup(hold.connectionId)
    const first = await claimed(storage, hold)
    expect(
      await storage.claimCleanup(hold.connectionId, { owner: 'two', now: toEpochMs(8999), until: toEpochMs(9999) })
    ).toBe('held')
    expect(await storage.listOpenCleanups({ now: toEpochMs(8999), limit: 9 })).toEqual([])
    expect(await storage.listOpenCleanups({ now: toEpochMs(9000), limit: 9 })).toEqual([hold.connectionId])
    const second = await storage.claimCleanup(hold.connectionId, {
      owner: 'one',
      now: toEpochMs(9000),
      until: toEpochMs(9999)
    })
    expect(second).toMatchObject({ connectionId: hold.connectionId, owner: 'one', fence: first.fence + 1 })
    expect(await storage.releaseMemories(first, { ...TIMES, limit: 9 })).toEqual({ outcome: 'lost', left: 0 })
    expect(await memoriesOf(storage)).toBe('by hand m1 m2 m3 m4')
  },

  'requires no cleanup for memories of a deleted collection': async (open) => {
    const { storage, hold } = await revoked(open)
    await storage.requestCleanup(hold.connectionId)
    const cleaning = await claimed(storage, hold)
    await storage.deleteCollection(idAt(1))
    expect(await storage.releaseMemories(cleaning, { ...TIMES, limit: 9 })).toEqual({ outcome: 'lost', left: 0 })
    expect(
      await storage.claimCleanup(hold.connectionId, { owner: 'one', now: toEpochMs(9000), until: toEpochMs(9999) })
    ).toBe('nothing')
    expect(await storage.listOpenCleanups({ now: toEpochMs(9000), limit: 9 })).toEqual([])
  },

  'removes items and the ledger of revoked connections, and keeps runs and memories': async (open) => {
    const { storage, hold, other } = await revoked(open)
    let parts = 0
    while (await storage.purgeRevoked(2)) parts++
    expect(parts).toBe(2)
    expect(await itemsOf(storage, hold)).toEqual([])
    expect(await storage.findLedgerValue(hold.connectionId, 'k')).toBeUndefined()
    expect(await itemsOf(storage, other)).toEqual(['a synced 1'])
    expect(await storage.findLedgerValue(other.connectionId, 'k')).toBe('v')
    expect(await storage.listRuns(hold.connectionId, { limit: 9 })).toHaveLength(1)
    expect(await storage.requestCleanup(hold.connectionId)).toBe(5)
  }
}

/** Creates a revoked connection, and another that owns `m2` too. A person owns `by hand` and `m3` as well. */
async function revoked(open: Open): Promise<{ storage: Storage; hold: Hold; other: Hold }> {
  const storage = await ready(open)
  const [hold, other] = [await held(storage, 1), await held(storage, 2)]
  await storage.append(idAt(1), batchOf([memory('by hand')]))
  const ledger = [['k', 'v']] as const
  await storage.commitPage(hold, pageOf({ a: ['by hand', 'm1', 'm2'], b: ['m3'], c: ['m4'] }, { ledger }))
  await storage.commitPage(other, pageOf({ a: ['m2'] }, { ledger }))
  await storage.append(idAt(1), batchOf([memory('m3')]))
  await storage.revokeConnection(hold.connectionId, toEpochMs(3000))
  return { storage, hold, other }
}

async function claimed(storage: Storage, { connectionId }: Hold): Promise<Hold> {
  const hold = await storage.claimCleanup(connectionId, { owner: 'one', ...TIMES })
  if (typeof hold === 'string') throw new Error(`the cleanup is ${hold}`)
  return hold
}
