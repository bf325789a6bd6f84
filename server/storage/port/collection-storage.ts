import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { DamagedLine, RecordBatch, RecordPage } from './record-batch.ts'

/** The collections. */
export type CollectionStorage = {
  createCollection(collection: NewCollection): Promise<void>
  findCollection(id: string): Promise<StoredCollection | undefined>
  /** Lists the collections in `ids` that exist, or all, oldest first. */
  listCollections(ids?: readonly string[]): Promise<StoredCollection[]>
  /**
   * Lists the collections that the key has a grant on and its own ephemeral ones, oldest first. The cost does not
   * depend on the number of other collections.
   */
  listCollectionsForKey(keyId: string): Promise<StoredCollection[]>
  /**
   * Begins an epoch of the database, at the start of a server. A database that was restored from a backup lacks the epochs since
   * the backup, and the later sequence numbers of the epoch before it.
   */
  beginEpoch(epoch: string): Promise<void>
  /** Deletes a collection with all its records and grants. Returns false if it does not exist. */
  deleteCollection(id: string): Promise<boolean>
  /** Lists the ids of at most `limit` collections that had expired at `now`. */
  listExpiredCollections(now: EpochMs, limit: number): Promise<string[]>
}

export type NewCollection = {
  id: string
  name: string
  createdAt: EpochMs
  expiresAt: EpochMs | undefined
  /** The only key that may use an ephemeral collection. */
  ownerKeyId: string | undefined
  /** `snp_…`: the id of its exports. */
  snapshotId: string
}

export type StoredCollection = NewCollection & {
  memories: number
  /** The highest sequence number assigned so far, 0 at first. */
  seq: number
  /** Number of lines that are known to be damaged. */
  damaged: number
  /** The epochs in which lines were written, oldest first. */
  epochs: readonly StoredEpoch[]
}

/** An epoch. The sequence numbers above `after` belong to it, up to the `after` of the next one. */
export type StoredEpoch = { id: string; after: number }

/** The lines of the collections. */
export type RecordStorage = {
  /**
   * Appends lines to a collection in one durable transaction. Of several lines with one id the best stays: highest
   * extractor, then earliest time, then smallest check. A forget line removes its memory permanently. Every line that
   * changes something gets the next sequence number of the collection. Numbers become visible in order: a reader that
   * has seen one has seen all lower ones, except those of removed lines.
   *
   * The storage takes ownership of the batch's memory, which may be transferred.
   *
   * @throws Fault `not_found` if the collection was deleted.
   */
  append(collectionId: string, batch: RecordBatch): Promise<Appended>
  /**
   * Reads lines with a sequence number above `after` and up to `upTo`, in order. Returns as many as fit into
   * `maxBytes`, but at least one; an empty page is the end. Like `listKnownIds`, throws `not_found` if the collection
   * was deleted.
   */
  readPage(collectionId: string, range: PageRange): Promise<RecordPage>
  /** Verifies a page of lines in the storage without returning them. A deleted collection has none. */
  verifyLines(collectionId: string, range: PageRange): Promise<VerifiedLines>
  /**
   * Replaces the damage notes of lines with a sequence number above `after` and up to `upTo`. Removing a line removes
   * its note.
   */
  noteDamage(collectionId: string, found: FoundDamage): Promise<void>
  /** Lists the known ids (memories and forgotten ones), 16 bytes each, ascending. */
  listKnownIds(collectionId: string): Promise<Uint8Array>
}

/** A value of `OUTCOMES` for each line, and the collection's highest sequence number after the append. */
export type Appended = { outcomes: Uint8Array; seq: number }

/** `isUnverified` is set if the reader verifies the lines itself, so that each is hashed once. */
export type PageRange = { after: number; upTo: number; maxBytes: number; isUnverified?: boolean }

/**
 * The result of verifying a page: the last sequence number and the number of lines. `isEnd` is set if there were none.
 * `memories` includes all damaged lines, since any of them may be a memory.
 */
type VerifiedLines = {
  upTo: number
  isEnd: boolean
  lines: number
  memories: number
  damaged: readonly DamagedLine[]
}

export type FoundDamage = { after: number; upTo: number; damaged: readonly DamagedLine[] }

/** The API keys and their grants. */
export type KeyStorage = {
  createKey(key: NewStoredKey): Promise<void>
  /** Finds a key by the SHA-256 of its secret. Returns undefined if it is unknown or revoked. */
  findKeyByHash(hash: Uint8Array): Promise<StoredKey | undefined>
  /** Lists valid keys, oldest first. */
  listKeys(): Promise<StoredKey[]>
  /** Revokes a key. `last`: it is the only remaining admin key and is not revoked. */
  revokeKey(id: string): Promise<'revoked' | 'unknown' | 'last'>
  /**
   * Creates the first key and collection if the storage has never had a key. Of several servers that start at once, one
   * succeeds. Returns true if this call did.
   */
  setUp(first: { key: NewStoredKey; collection: NewCollection }): Promise<boolean>
}

/** `hash` is the SHA-256 of the secret. */
export type NewStoredKey = StoredKey & { hash: Uint8Array }

export type StoredKey = { id: string; name: string; admin: boolean; createdAt: EpochMs; grants: StoredGrant[] }

export type StoredGrant = { collectionId: string; permission: 'read' | 'edit' }
