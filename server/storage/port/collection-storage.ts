import type { EpochMs } from '../../../src/contract/epoch-ms.ts'

/** The collections. */
export type CollectionStorage = {
  createCollection(collection: NewCollection): Promise<void>
  collection(id: string): Promise<StoredCollection | undefined>
  /** Oldest first; those of `ids` that exist, or all. */
  collections(ids?: readonly string[]): Promise<StoredCollection[]>
  /** Oldest first; those that the key has a grant on, and its own ephemeral ones. Costs the same however many others there are. */
  collectionsForKey(keyId: string): Promise<StoredCollection[]>
  /** With all its records and grants. False where there is none. */
  deleteCollection(id: string): Promise<boolean>
  /** Ids of collections whose time was over at `now`, `limit` at most. */
  expiredCollections(now: EpochMs, limit: number): Promise<string[]>
}

export type NewCollection = {
  id: string
  name: string
  createdAt: EpochMs
  expiresAt: EpochMs | undefined
  /** The key that alone may use it, of an ephemeral one. */
  ownerKeyId: string | undefined
  /** `snp_…`: the id that its exports have. */
  snapshotId: string
}

export type StoredCollection = NewCollection & {
  memories: number
  /** The highest sequence number given so far, 0 at first. */
  seq: number
  /** Lines that are known to be damaged. */
  damaged: number
}
