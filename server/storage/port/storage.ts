import { Buffer } from 'node:buffer'
import type { CheckStorage } from './check-storage.ts'
import type { CollectionStorage, KeyStorage, RecordStorage } from './collection-storage.ts'
import type { ConnectorStorage } from './connector-storage.ts'
import { CHECK_BYTES, KEY_BYTES, type RecordBatch } from './record-batch.ts'
import type { SyncStorage } from './sync-storage.ts'

/**
 * Everything the server stores, on either of two engines. Values are plain, so that the storage can run in another
 * thread. Times are milliseconds since 1970. Each method is one transaction. Every method rejects with a Fault
 * `unavailable` and changes nothing if the storage cannot be reached or refuses, for example because the disk is full.
 */
export type Storage = CollectionStorage &
  RecordStorage &
  KeyStorage &
  ConnectorStorage &
  SyncStorage &
  CheckStorage & {
    /** Resolves if the storage can be reached. */
    ping(): Promise<void>
    /** Closes the storage after the calls under way have ended. */
    close(): Promise<void>
  }

/** A method that the wrappers of the storage apply to. `close` has its own rules. */
export type StorageMethod = Exclude<keyof Storage, 'close'>

/** Properties of a method that its types do not express. */
type MethodRules = {
  /** Restrictions of either engine beyond the general rules, in the order of the arguments. */
  arguments?: readonly (Rules | undefined)[]
  /**
   * Set if repeating a call that may have succeeded would report that there was nothing to do, or that another caller
   * did it.
   */
  isOnce?: true
}

/**
 * Returns what is wrong with a value, as the end of a sentence: `expected a UUID`. Returns undefined for a value that
 * both engines store.
 */
type Rule = (value: unknown) => string | undefined

/**
 * Rules for the members of an object by name, for the elements of a list, or for one value. If absent, only the general
 * rules apply.
 */
export type Rules = Rule | { each: Rules } | { members: Readonly<Record<string, Rules>> }

/** Bytes of an index key. PostgreSQL refuses index rows of 2,704 bytes or more; SQLite has no limit. */
const KEY_BYTES_MAX = 2000

/** The range of `integer` columns in PostgreSQL. */
const INT4_MAX = 2_147_483_647

/** Lower case only: PostgreSQL's UUID type treats upper-case digits as the same id, while SQLite compares the text. */
const uuid: Rule = (value) =>
  typeof value === 'string' && UUID.test(value) ? undefined : 'expected a UUID with lower-case digits'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Text that a column holds unchanged. PostgreSQL refuses NUL, libsql truncates text at NUL, and neither stores a lone
 * surrogate.
 */
const text: Rule = (value) =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
    ? undefined
    : 'expected a text without NUL or lone surrogates'

/** Text whose bytes are an index key. */
const bytesKey: Rule = (value) =>
  typeof value === 'string' && value.isWellFormed() && Buffer.byteLength(value) <= KEY_BYTES_MAX
    ? undefined
    : `expected a text of at most ${KEY_BYTES_MAX} bytes without lone surrogates`

const textKey: Rule = (value) => text(value) ?? bytesKey(value)

const int4: Rule = (value) =>
  typeof value === 'number' && value >= 0 && value <= INT4_MAX ? undefined : `expected 0 to ${INT4_MAX}`

/** PostgreSQL refuses a negative limit; SQLite ignores it. */
const limit: Rule = (value) => (typeof value === 'number' && value >= 0 ? undefined : 'expected 0 or more')

/** A batch whose columns have `count` entries each. Readers rely on `count`. */
const batch: Rule = (value) => {
  const { count, kinds, keys, times, extractors, checks, ends, lines } = value as RecordBatch
  const columns = [kinds, times, extractors, ends].map(({ length }) => length)
  const hashes = [keys.length / KEY_BYTES, checks.length / CHECK_BYTES]
  const isWhole = [...columns, ...hashes].every((length) => length === count) && (ends.at(-1) ?? 0) <= lines.length
  return isWhole ? undefined : `expected columns with ${count} lines each`
}

const members = (rules: Readonly<Record<string, Rules>>): Rules => ({ members: rules })
const each = (rules: Rules): Rules => ({ each: rules })

const SEALED = members({ keyId: text })
const GRANT = members({ collectionId: uuid, permission: text })
const COLLECTION = members({ id: uuid, name: text, ownerKeyId: uuid, snapshotId: text })
const KEY = members({ id: uuid, name: text, grants: each(GRANT) })
const ATTEMPT = members({ id: textKey, provider: text, collectionId: uuid, keyId: uuid, verifier: SEALED })
const HELD = members({ secret: SEALED })
const MADE = members({ id: uuid, credentialId: textKey, secret: SEALED, status: text })
const HOLD = members({ connectionId: uuid, owner: text, runId: uuid })
const LEASE = members({ owner: text })
const ITEM = members({ id: bytesKey, state: members({ tries: int4 }) })
const PAGE = members({
  items: each(ITEM),
  gone: each(bytesKey),
  covered: each(members({ from: bytesKey, to: bytesKey })),
  ledger: each({ members: { 0: bytesKey } }),
  memories: batch
})
const LIMITED = members({ limit })

/** The methods of the storage. */
export const STORAGE_METHODS: Readonly<Record<StorageMethod, MethodRules>> = {
  ping: {},
  createCollection: { arguments: [COLLECTION] },
  findCollection: { arguments: [uuid] },
  listCollections: { arguments: [each(uuid)] },
  listCollectionsForKey: { arguments: [uuid] },
  beginEpoch: { arguments: [text] },
  deleteCollection: { arguments: [uuid], isOnce: true },
  listExpiredCollections: { arguments: [undefined, limit] },
  append: { arguments: [uuid, batch] },
  readPage: { arguments: [uuid] },
  verifyLines: { arguments: [uuid] },
  noteDamage: { arguments: [uuid] },
  listKnownIds: { arguments: [uuid] },
  createKey: { arguments: [KEY] },
  findKeyByHash: {},
  listKeys: {},
  revokeKey: { arguments: [uuid], isOnce: true },
  setUp: { arguments: [members({ key: KEY, collection: COLLECTION })] },
  createAttempt: { arguments: [ATTEMPT] },
  findAttempt: {},
  useAttempt: { arguments: [text], isOnce: true },
  endAttempt: { arguments: [text], isOnce: true },
  holdGrant: { arguments: [text, HELD], isOnce: true },
  completeAttempt: { arguments: [text, MADE], isOnce: true },
  takeOldAttempts: { arguments: [LIMITED], isOnce: true },
  findConnection: { arguments: [uuid] },
  listConnectionsInCollection: { arguments: [uuid] },
  updateConnection: { arguments: [uuid], isOnce: true },
  noteError: { arguments: [uuid] },
  revokeConnection: { arguments: [uuid], isOnce: true },
  takeUnusedCredentials: { arguments: [limit], isOnce: true },
  findCredential: { arguments: [text] },
  findCredentialForAccount: {},
  leaseRefresh: { arguments: [text, LEASE], isOnce: true },
  saveRefreshed: { arguments: [text, members({ owner: text, secret: SEALED })] },
  endRefresh: { arguments: [text, LEASE] },
  ensureStoreId: {},
  listVaultKeys: {},
  changeVaultKey: { arguments: [text, text] },
  listStaleSecrets: { arguments: [limit] },
  resealSecret: { arguments: [members({ id: text, secret: SEALED }), SEALED] },
  claimDue: { arguments: [members({ owner: text, limit, providers: each(text), runIds: each(uuid) })] },
  findNextDue: { arguments: [each(text)] },
  requestSync: { arguments: [uuid], isOnce: true },
  renewLease: { arguments: [HOLD] },
  recordReads: { arguments: [HOLD, members({ items: each(members({ id: bytesKey })) })] },
  endReads: { arguments: [HOLD] },
  commitPage: { arguments: [HOLD, PAGE] },
  endRun: { arguments: [HOLD, members({ outcome: text })] },
  findKnownItems: { arguments: [uuid, each(bytesKey)] },
  listDueItems: { arguments: [uuid, LIMITED] },
  findNextTry: { arguments: [uuid] },
  countUnseen: { arguments: [uuid] },
  listUnseenItems: { arguments: [uuid, LIMITED] },
  findLedgerValue: { arguments: [uuid, bytesKey] },
  listLedgerEntries: { arguments: [uuid, bytesKey] },
  findSchedule: { arguments: [uuid] },
  setPaused: { arguments: [uuid] },
  listRuns: { arguments: [uuid, LIMITED] },
  findRun: { arguments: [uuid, uuid] },
  listItems: { arguments: [uuid, members({ limit, status: text })] },
  findItem: { arguments: [uuid] },
  retryItem: { arguments: [uuid] },
  requestCleanup: { arguments: [uuid] },
  listOpenCleanups: { arguments: [LIMITED] },
  claimCleanup: { arguments: [uuid, LEASE], isOnce: true },
  releaseMemories: { arguments: [HOLD, LIMITED] },
  purgeRevoked: { arguments: [limit] },
  checkPart: {},
  listAsideEntries: { arguments: [members({ offset: limit, limit })] },
  claimScrub: { arguments: [LEASE] },
  keepScrub: { arguments: [text] },
  replaceScrub: {}
}

/** The names of the methods. */
export const STORAGE_METHOD_NAMES = Object.keys(STORAGE_METHODS) as readonly StorageMethod[]
