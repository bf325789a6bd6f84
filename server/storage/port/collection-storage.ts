import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { DamagedLine, RecordBatch, RecordPage } from './record-batch.ts'

/** The collections. */
export type CollectionStorage = {
  createCollection(collection: NewCollection): Promise<void>
  findCollection(id: string): Promise<StoredCollection | undefined>
  /** Oldest first; those of `ids` that exist, or all. */
  listCollections(ids?: readonly string[]): Promise<StoredCollection[]>
  /** Oldest first; those that the key has a grant on, and its own ephemeral ones. Costs the same however many others there are. */
  listCollectionsForKey(keyId: string): Promise<StoredCollection[]>
  /** With all its records and grants. False where there is none. */
  deleteCollection(id: string): Promise<boolean>
  /** Ids of collections whose time was over at `now`, `limit` at most. */
  listExpiredCollections(now: EpochMs, limit: number): Promise<string[]>
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

/** The lines of the collections. */
export type RecordStorage = {
  /**
   * Puts lines into a collection in one transaction, durable when it resolves: of several lines with one id the best stays
   * (highest extractor, then earliest time, then smallest check), a forget line takes its memory out for good. Every
   * line that changes something gets the next sequence number of the collection. Numbers appear in their order: who has
   * seen one has all before it, but for those of lines that are gone.
   *
   * The memory of the batch is the storage's from then on: it may be moved away.
   *
   * @throws Fault `not_found` where the collection is gone.
   */
  append(collectionId: string, batch: RecordBatch): Promise<Appended>
  /**
   * Lines with a sequence number over `after` and up to `upTo`, in order; as many as fit into `maxBytes`, at least one: an
   * empty page is the end. Throws `not_found` where the collection is gone, as does `listKnownIds`.
   */
  readPage(collectionId: string, range: PageRange): Promise<RecordPage>
  /** Verifies a page of lines where they are stored, without handing them out. Of a collection that is gone there are none. */
  verifyLines(collectionId: string, range: PageRange): Promise<VerifiedLines>
  /**
   * Notes which lines with a sequence number over `after` and up to `upTo` are damaged, in place of what was noted of them before. A
   * note goes with its line.
   */
  noteDamage(collectionId: string, found: FoundDamage): Promise<void>
  /** The known ids (memories and forgotten ones), 16 bytes each, ascending. */
  listKnownIds(collectionId: string): Promise<Uint8Array>
}

/** A value of `OUTCOMES` for each line, and the collection's highest sequence number afterwards. */
export type Appended = { outcomes: Uint8Array; seq: number }

/** `isUnverified`: the reader verifies the lines itself, so that each is hashed once. */
export type PageRange = { after: number; upTo: number; maxBytes: number; isUnverified?: boolean }

/**
 * What verifying a page came to: up to which sequence number, and of how many lines. `isEnd`: there were none. `memories` counts
 * damaged lines too, since any of them may be one.
 */
type VerifiedLines = {
  upTo: number
  isEnd: boolean
  lines: number
  memories: number
  damaged: readonly DamagedLine[]
}

export type FoundDamage = { after: number; upTo: number; damaged: readonly DamagedLine[] }

/** The keys of the API, and what each may use. */
export type KeyStorage = {
  createKey(key: NewStoredKey): Promise<void>
  /** By the SHA-256 of its secret; undefined where it is unknown or revoked. */
  findKeyByHash(hash: Uint8Array): Promise<StoredKey | undefined>
  /** Valid ones, oldest first. */
  listKeys(): Promise<StoredKey[]>
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
