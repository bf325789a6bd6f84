import { expect } from 'vitest'
import { batchOf, forget, memory } from '../server/storage/record-lines.ts'
import { ready } from './storage-connector-things.ts'
import { held, itemsOf, memoriesOf, pageOf } from './storage-page-things.ts'
import { idAt, type StorageTests } from './storage-place.ts'

const COMMITTED = { outcome: 'committed', deleted: 0 }

/** What a page of a run writes. */
export const SYNC_PAGE_TESTS: StorageTests = {
  'memories of items go in with the next numbers, and are counted': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    expect(await storage.commitPage(hold, pageOf({ a: ['m1', 'm2'], b: ['m3'] }))).toEqual(COMMITTED)
    expect(await memoriesOf(storage)).toBe('m1 m2 m3')
    expect(await storage.collection(idAt(1))).toMatchObject({ memories: 3, seq: 3 })
    expect(await itemsOf(storage, hold)).toEqual(['a synced 2', 'b synced 1'])
    expect(await storage.connection(hold.connectionId)).toMatchObject({ itemsSynced: 2 })
  },

  'the same page again changes nothing': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    const page = () => pageOf({ a: ['m1', memory('m2', 'first')], b: ['m2'], c: { skipped: 'a video' } })
    await storage.commitPage(hold, page())
    const before = [await memoriesOf(storage), await storage.collection(idAt(1)), await itemsOf(storage, hold)]
    expect(await storage.commitPage(hold, page())).toEqual(COMMITTED)
    expect([await memoriesOf(storage), await storage.collection(idAt(1)), await itemsOf(storage, hold)]).toEqual(before)
  },

  'an item that changed lets go of what it has no more, and keeps the rest as it is': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm2', 'm3'] }))
    await storage.commitPage(hold, pageOf({ a: ['m3', 'm4', 'm1'] }))
    expect(await memoriesOf(storage)).toBe('m1 m3 m4 -')
    expect(await storage.collection(idAt(1))).toMatchObject({ memories: 3, seq: 5 })
  },

  'a person who forgot a memory has it stay forgotten': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm2'] }))
    await storage.append(idAt(1), batchOf([forget('m1')]))
    expect(await itemsOf(storage, hold)).toEqual(['a synced 1'])
    expect(await storage.commitPage(hold, pageOf({ a: ['m1', 'm2'], b: ['m1'] }))).toEqual(COMMITTED)
    expect(await memoriesOf(storage)).toBe('m2 forget m1 5')
    expect(await itemsOf(storage, hold)).toEqual(['a synced 1', 'b synced 0'])
  }
}
