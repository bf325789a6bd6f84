import { expect } from 'vitest'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { batchOf, forget, memory } from '../server/storage/record-lines.ts'
import { ready } from './storage-connector-things.ts'
import { held, itemsOf, memoriesOf, pageOf } from './storage-page-things.ts'
import { idAt, type StorageTests } from './storage-place.ts'

const COMMITTED = { outcome: 'committed', deleted: 0 }

/** Tests the owners of a memory, and what happens when they release it. */
export const HOLDER_TESTS: StorageTests = {
  'stores one memory for two items, and removes it with the second': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm1'], b: ['m1'] }))
    expect(await itemsOf(storage, hold)).toEqual(['a synced 1', 'b synced 1'])
    await storage.commitPage(hold, pageOf({}, { gone: ['a'] }))
    expect(await memoriesOf(storage)).toBe('m1')
    await storage.commitPage(hold, pageOf({ b: [] }))
    expect(await memoriesOf(storage)).toBe('-')
    expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 0, seq: 2 })
  },

  'keeps a memory that one item releases and another takes on the same page': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1'] }))
    await storage.commitPage(hold, pageOf({ b: ['m1'] }, { gone: ['a'] }))
    expect(await memoriesOf(storage)).toBe('m1')
    expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 1, seq: 1 })
  },

  'stores one memory for two connections, removes it with the second, and stores another in another collection': async (
    open
  ) => {
    const storage = await ready(open)
    const [one, two] = [await held(storage, 1), await held(storage, 2)]
    const elsewhere = await held(storage, 3, { into: 2 })
    for (const hold of [one, two, elsewhere]) await storage.commitPage(hold, pageOf({ a: ['m1'] }))
    await storage.commitPage(one, pageOf({}, { gone: ['a'] }))
    expect(await memoriesOf(storage)).toBe('m1')
    await storage.commitPage(two, pageOf({}, { gone: ['a'] }))
    expect([await memoriesOf(storage), await memoriesOf(storage, 2)]).toEqual(['-', 'm1'])
  },

  'removes a memory with its item if its only other owner is a revoked connection': async (open) => {
    const storage = await ready(open)
    const [one, two] = [await held(storage, 1), await held(storage, 2)]
    for (const hold of [one, two]) await storage.commitPage(hold, pageOf({ a: ['m1'] }))
    await storage.revokeConnection(two.connectionId, toEpochMs(5000))
    await storage.commitPage(one, pageOf({}, { gone: ['a'] }))
    expect(await memoriesOf(storage)).toBe('-')
  },

  'keeps a memory that a person stored before, also when the item is deleted': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.append(idAt(1), batchOf([memory('m1', 'by hand')]))
    await storage.commitPage(hold, pageOf({ a: [memory('m1', 'by the item'), 'm2'] }))
    expect(await memoriesOf(storage)).toBe('by hand m2')
    await storage.commitPage(hold, pageOf({}, { gone: ['a'] }))
    expect(await memoriesOf(storage)).toBe('by hand -')
  },

  'keeps a memory that a person stores after the item, also when the item is deleted': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm2'] }))
    await storage.append(idAt(1), batchOf([memory('m1'), memory('m3')]))
    await storage.commitPage(hold, pageOf({ a: [memory('m1', 'by the item')] }))
    expect(await memoriesOf(storage)).toBe('m1 m3 -')
    await storage.commitPage(hold, pageOf({}, { gone: ['a'] }))
    expect(await memoriesOf(storage)).toBe('m1 m3 -')
  },

  'keeps the newest line of a memory that items own, whatever its extractor and time': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: [{ ...memory('m1', 'old'), extractor: 9, time: 1 }, 'm2'] }))
    await storage.commitPage(hold, pageOf({ b: [{ ...memory('m1', 'new'), extractor: 1, time: 2 }] }))
    expect(await memoriesOf(storage)).toBe('m2 new')
    expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 2, seq: 3 })
  },

  'keeps a memory forgotten that a person has forgotten, whoever stores it again': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm2'] }))
    await storage.append(idAt(1), batchOf([forget('m1')]))
    expect(await itemsOf(storage, hold)).toEqual(['a synced 1'])
    expect(await storage.commitPage(hold, pageOf({ a: ['m1', 'm2'], b: ['m1'] }))).toEqual(COMMITTED)
    expect(await memoriesOf(storage)).toBe('m2 forget m1 5')
    expect(await itemsOf(storage, hold)).toEqual(['a synced 1', 'b synced 0'])
  },

  'requests a further copy of a memory that a source has deleted': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm2'] }))
    await storage.commitPage(hold, pageOf({ a: ['m2'] }, { progress: 'before' }))
    const again = pageOf({ b: ['m3', 'm1'], c: ['m1'] }, { progress: 'after', ledger: [['k', 'v']] })
    expect(await storage.commitPage(hold, again)).toEqual({ outcome: 'copies', rows: [1, 2] })
    expect([await memoriesOf(storage), await itemsOf(storage, hold)]).toEqual(['m2 -', ['a synced 1']])
    expect(await storage.findLedgerValue(hold.connectionId, 'k')).toBeUndefined()
    await storage.commitPage(hold, pageOf({ b: ['m3', 'm1 copy 2'], c: ['m1 copy 2'] }))
    expect(await memoriesOf(storage)).toBe('m2 - m3 m1 copy 2')
  }
}
