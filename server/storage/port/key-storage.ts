import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { NewCollection } from './collection-storage.ts'

/** The keys of the API, and what each may use. */
export type KeyStorage = {
  createKey(key: NewStoredKey): Promise<void>
  /** By the SHA-256 of its secret; undefined where it is unknown or revoked. */
  keyByHash(hash: Uint8Array): Promise<StoredKey | undefined>
  /** Valid ones, oldest first. */
  keys(): Promise<StoredKey[]>
  /** `last`: it is the only admin key left, and stays. */
  revokeKey(id: string): Promise<'revoked' | 'unknown' | 'last'>
  /**
   * Makes the first key and collection where the storage has never had a key, whoever of several servers comes first.
   * True where this call did.
   */
  setUp(first: { key: NewStoredKey; collection: NewCollection }): Promise<boolean>
}

/** `hash` is the SHA-256 of the secret. */
export type NewStoredKey = StoredKey & { hash: Uint8Array }

export type StoredKey = { id: string; name: string; admin: boolean; createdAt: EpochMs; grants: StoredGrant[] }

export type StoredGrant = { collectionId: string; permission: 'read' | 'edit' }
