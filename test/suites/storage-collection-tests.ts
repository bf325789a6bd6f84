import { expect } from 'vitest'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { allTexts, batchOf, memory } from '../server/storage/record-lines.ts'
import { hashOf, idAt, newCollection, newKey, type StorageTests } from './storage-place.ts'

/** Tests creating, finding and deleting collections. */
export const COLLECTION_TESTS: StorageTests = {
  'finds a collection as it was created, empty': async (open) => {
    const storage = await open()
    const made = newCollection(1, { name: 'Ada’s 📚', expiresAt: toEpochMs(5000), ownerKeyId: idAt(7) })
    await storage.createCollection(made)
    expect(await storage.findCollection(made.id)).toEqual({ ...made, memories: 0, seq: 0, damaged: 0, epochs: [] })
  },

  'finds no unknown collection': async (open) => {
    const storage = await open()
    expect(await storage.findCollection(idAt(1))).toBeUndefined()
  },

  'creates a collection once per id': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    await storage.append(idAt(1), batchOf([memory('a')]))
    await storage.createCollection(newCollection(1))
    expect((await storage.listCollections()).map(({ memories }) => memories)).toEqual([1])
  },

  'lists collections oldest first, all or by id': async (open) => {
    const storage = await open()
    for (const n of [3, 1, 2]) await storage.createCollection(newCollection(n))
    const all = await storage.listCollections()
    const some = await storage.listCollections([idAt(3), idAt(9), idAt(1)])
    expect([all, some, await storage.listCollections([])].map((list) => list.map(({ id }) => id))).toEqual([
      [idAt(1), idAt(2), idAt(3)],
      [idAt(1), idAt(3)],
      []
    ])
  },

  'lists the collections that a key has a grant on, and its own, which no grant gives to others': async (open) => {
    const storage = await open()
    for (const n of [3, 1, 2]) await storage.createCollection(newCollection(n))
    await storage.createCollection(newCollection(4, { expiresAt: toEpochMs(9000), ownerKeyId: idAt(7) }))
    await storage.createCollection(newCollection(5, { expiresAt: toEpochMs(9000), ownerKeyId: idAt(8) }))
    const grants = [3, 1, 5].map((n) => ({ collectionId: idAt(n), permission: 'read' as const }))
    await storage.createKey(newKey(7, { grants }))
    expect((await storage.listCollectionsForKey(idAt(7))).map(({ id }) => id)).toEqual([idAt(1), idAt(3), idAt(4)])
    await storage.deleteCollection(idAt(3))
    await storage.deleteCollection(idAt(4))
    expect(await storage.listCollectionsForKey(idAt(7))).toEqual([
      { ...newCollection(1), memories: 0, seq: 0, damaged: 0, epochs: [] }
    ])
    expect(await storage.listCollectionsForKey(idAt(9))).toEqual([])
  },

  'begins an epoch of a collection with its first lines after that of the database': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    await storage.append(idAt(1), batchOf([memory('a')]))
    await storage.beginEpoch('one')
    await storage.append(idAt(1), batchOf([memory('b'), memory('c')]))
    await storage.beginEpoch('two')
    await storage.append(idAt(1), batchOf([memory('c')]))
    const one = { id: 'one', after: 1 }
    expect(await storage.findCollection(idAt(1))).toMatchObject({ seq: 3, epochs: [one] })
    await storage.append(idAt(1), batchOf([memory('d')]))
    await storage.append(idAt(1), batchOf([memory('e')]))
    expect(await storage.findCollection(idAt(1))).toMatchObject({ seq: 5, epochs: [one, { id: 'two', after: 3 }] })
  },

  'hides a deleted collection from every call immediately': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    await storage.append(idAt(1), batchOf([memory('a')]))
    await storage.createKey(newKey(2, { grants: [{ collectionId: idAt(1), permission: 'edit' }] }))

    expect(await storage.deleteCollection(idAt(1))).toBe(true)
    expect(await storage.findCollection(idAt(1))).toBeUndefined()
    expect(await storage.listCollections()).toEqual([])
    expect((await storage.findKeyByHash(hashOf(2)))?.grants).toEqual([])
    const gone = { code: 'not_found' }
    await expect(storage.append(idAt(1), batchOf([memory('b')]))).rejects.toMatchObject(gone)
    await expect(storage.readPage(idAt(1), { after: 0, upTo: 9, maxBytes: 9 })).rejects.toMatchObject(gone)
    await expect(storage.listKnownIds(idAt(1))).rejects.toMatchObject(gone)
  },

  'reports that there is nothing to delete': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    const answers = [await storage.deleteCollection(idAt(2)), await storage.deleteCollection(idAt(1))]
    expect([...answers, await storage.deleteCollection(idAt(1))]).toEqual([false, true, false])
  },

  'leaves other collections unchanged when one is deleted': async (open) => {
    const storage = await open()
    for (const n of [1, 2]) await storage.createCollection(newCollection(n))
    for (const n of [1, 2]) await storage.append(idAt(n), batchOf([memory('a'), memory('b')]))
    await storage.deleteCollection(idAt(1))
    expect(await allTexts(storage, idAt(2))).toEqual([
      [1, 'a'],
      [2, 'b']
    ])
  },

  'lists expired collections, the longest expired first, up to the limit': async (open) => {
    const storage = await open()
    const times = [undefined, 300, 100, 200, 900]
    for (const [n, expiresAt] of times.entries())
      await storage.createCollection(
        newCollection(n, { expiresAt: expiresAt === undefined ? undefined : toEpochMs(expiresAt) })
      )
    await storage.deleteCollection(idAt(3))
    expect(await storage.listExpiredCollections(toEpochMs(300), 9)).toEqual([idAt(2), idAt(1)])
    expect(await storage.listExpiredCollections(toEpochMs(300), 1)).toEqual([idAt(2)])
    expect(await storage.listExpiredCollections(toEpochMs(99), 9)).toEqual([])
  }
}
