import { Buffer } from 'node:buffer'
import { hashKey } from '../../../server/http/make-key.ts'
import type { StoredCollection, StoredGrant, StoredKey } from '../../../server/storage/port/collection-storage.ts'

import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { START } from './manual-clock.ts'

/** Keys and collections in memory: the part of a storage that the HTTP side uses. */
export type FakeStorage = {
  ping(): Promise<void>
  findKeyByHash(hash: Uint8Array): Promise<StoredKey | undefined>
  listCollections(ids?: readonly string[]): Promise<StoredCollection[]>
  addKey(key: Partial<StoredKey> & { secret: string }): void
  revoke(secret: string): void
  addCollection(collection: Partial<StoredCollection> & { id: string }): void
  /** Calls of `findKeyByHash` so far. */
  lookups: number
  /** If set, every call rejects with it. */
  failure: unknown
}

export function fakeStorage(): FakeStorage {
  const keys = new Map<string, StoredKey>()
  const collections = new Map<string, StoredCollection>()
  const hashText = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')

  const storage: FakeStorage = {
    lookups: 0,
    failure: undefined,
    async ping() {
      if (storage.failure !== undefined) throw storage.failure
    },
    async findKeyByHash(hash) {
      storage.lookups++
      if (storage.failure !== undefined) throw storage.failure
      return keys.get(hashText(hash))
    },
    async listCollections(ids) {
      if (storage.failure !== undefined) throw storage.failure
      return [...collections.values()].filter(({ id }) => ids === undefined || ids.includes(id))
    },
    addKey({ secret, ...more }) {
      const grants: StoredGrant[] = []
      const id = `00000000-0000-7000-8000-${String(keys.size).padStart(12, '0')}`
      keys.set(hashText(hashKey(secret)), {
        id,
        name: 'a key',
        admin: false,
        createdAt: toEpochMs(START),
        grants,
        ...more
      })
    },
    revoke: (secret) => void keys.delete(hashText(hashKey(secret))),
    addCollection(more) {
      const snapshotId = `snp_${'0'.repeat(32)}`
      const blank = {
        name: 'one',
        createdAt: toEpochMs(START),
        expiresAt: undefined,
        ownerKeyId: undefined,
        snapshotId
      }
      collections.set(more.id, { ...blank, memories: 0, seq: 0, damaged: 0, epochs: [], ...more })
    }
  }
  return storage
}
