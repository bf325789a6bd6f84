import { expect } from 'vitest'
import { hashOf, idAt, newCollection, newKey, type StorageTests } from './storage-place.ts'

/** Tests keys and their grants. */
export const KEY_TESTS: StorageTests = {
  'finds a key by the hash of its secret, with its grants': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    await storage.createCollection(newCollection(2))
    const grants = [
      { collectionId: idAt(1), permission: 'read' as const },
      { collectionId: idAt(2), permission: 'edit' as const }
    ]
    await storage.createKey(newKey(5, { admin: true, grants }))
    const found = await storage.findKeyByHash(hashOf(5))
    expect(found).toMatchObject({ id: idAt(5), name: 'key 5', admin: true, createdAt: 1005 })
    expect(new Set(found?.grants)).toEqual(new Set(grants))
    expect(await storage.findKeyByHash(hashOf(6))).toBeUndefined()
  },

  'stores no secret of a key, and never returns its hash': async (open) => {
    const storage = await open()
    await storage.createKey(newKey(5))
    expect(await storage.listKeys()).toEqual([
      { id: idAt(5), name: 'key 5', admin: false, createdAt: 1005, grants: [] }
    ])
  },

  'creates a key once per id': async (open) => {
    const storage = await open()
    await storage.createKey(newKey(5))
    await storage.createKey(newKey(5))
    expect(await storage.listKeys()).toHaveLength(1)
  },

  'never gives a secret to another key, even after it was revoked': async (open) => {
    const storage = await open()
    await storage.createKey(newKey(5))
    const second = { ...newKey(6), hash: hashOf(5) }
    await expect(storage.createKey(second)).rejects.toMatchObject({ code: 'conflict' })
    await storage.revokeKey(idAt(5))
    await expect(storage.createKey(second)).rejects.toMatchObject({ code: 'conflict' })
    expect(await storage.listKeys()).toEqual([])
  },

  'prefers edit if a key is given both edit and read': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    const grants = (['read', 'edit', 'read'] as const).map((permission) => ({ collectionId: idAt(1), permission }))
    await storage.createKey(newKey(5, { grants }))
    expect((await storage.findKeyByHash(hashOf(5)))?.grants).toEqual([{ collectionId: idAt(1), permission: 'edit' }])
  },

  'refuses a key for a missing collection': async (open) => {
    const storage = await open()
    const key = newKey(5, { grants: [{ collectionId: idAt(1), permission: 'read' }] })
    await expect(storage.createKey(key)).rejects.toMatchObject({ code: 'not_found' })
    expect(await storage.listKeys()).toEqual([])
  },

  'no longer finds a revoked key': async (open) => {
    const storage = await open()
    for (const n of [1, 2]) await storage.createKey(newKey(n))
    expect(await storage.revokeKey(idAt(1))).toBe('revoked')
    expect(await storage.findKeyByHash(hashOf(1))).toBeUndefined()
    expect((await storage.listKeys()).map(({ id }) => id)).toEqual([idAt(2)])
    expect(await storage.revokeKey(idAt(1))).toBe('unknown')
  },

  'does not revoke the last admin key': async (open) => {
    const storage = await open()
    for (const n of [1, 2]) await storage.createKey(newKey(n, { admin: true }))
    await storage.createKey(newKey(3))
    const answers = [
      await storage.revokeKey(idAt(1)),
      await storage.revokeKey(idAt(2)),
      await storage.revokeKey(idAt(3))
    ]
    expect(answers).toEqual(['revoked', 'last', 'revoked'])
  },

  'refuses one of two simultaneous revocations of the last two admin keys': async (open) => {
    const [one, two] = [await open(), await open()]
    for (const n of [1, 2]) await one.createKey(newKey(n, { admin: true }))
    const answers = await Promise.all([one.revokeKey(idAt(1)), two.revokeKey(idAt(2))])
    expect(answers.sort()).toEqual(['last', 'revoked'])
  },

  'creates the first key and collection once, and never again after all keys are gone': async (open) => {
    const storage = await open()
    const first = {
      key: newKey(1, { grants: [{ collectionId: idAt(2), permission: 'edit' }] }),
      collection: newCollection(2)
    }
    expect(await storage.setUp(first)).toBe(true)
    await storage.revokeKey(idAt(1))
    expect(await storage.setUp({ key: newKey(3), collection: newCollection(4) })).toBe(false)
    expect(await storage.listKeys()).toEqual([])
    expect((await storage.listCollections()).map(({ id }) => id)).toEqual([idAt(2)])
  }
}
