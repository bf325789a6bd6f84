import { Buffer } from 'node:buffer'
import type { StorageMethod } from './guard-calls.ts'
import { CHECK_BYTES, KEY_BYTES, type RecordBatch } from './port/record-batch.ts'

/** Says what is wrong with a value, as the end of a sentence: `expected a UUID`. Undefined for one that both engines keep. */
export type Rule = (value: unknown) => string | undefined

/** Rules for the members of an object by name, for the elements of a list, or for one value. Absent: only the general rules hold. */
export type Rules = Rule | { each: Rules } | { members: Readonly<Record<string, Rules>> }

/** Bytes of a key of an index. PostgreSQL refuses a row of an index from 2,704 bytes on, and SQLite never does. */
const KEY_BYTES_MAX = 2000

/** What the columns of type `integer` hold in PostgreSQL. */
const INT4_MAX = 2_147_483_647

/** PostgreSQL has a type for it, by which upper-case digits are the same id; SQLite compares the text. */
const uuid: Rule = (value) =>
  typeof value === 'string' && UUID.test(value) ? undefined : 'expected a UUID with lower-case digits'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A text that a column holds as it is: PostgreSQL refuses NUL, libsql cuts at it, and neither keeps half a surrogate pair. */
const text: Rule = (value) =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
    ? undefined
    : 'expected a text without NUL and without half a surrogate pair'

/** A text of which the bytes are the key of an index. */
const bytesKey: Rule = (value) =>
  typeof value === 'string' && value.isWellFormed() && Buffer.byteLength(value) <= KEY_BYTES_MAX
    ? undefined
    : `expected a text of at most ${KEY_BYTES_MAX} bytes without half a surrogate pair`

const textKey: Rule = (value) => text(value) ?? bytesKey(value)

const int4: Rule = (value) =>
  typeof value === 'number' && value >= 0 && value <= INT4_MAX ? undefined : `expected 0 to ${INT4_MAX}`

/** PostgreSQL refuses a negative limit; for SQLite it is none. */
const limit: Rule = (value) => (typeof value === 'number' && value >= 0 ? undefined : 'expected 0 or more')

/** A batch whose columns are as long as it says: `count` is believed where they are read. */
const batch: Rule = (value) => {
  const { count, kinds, keys, times, extractors, checks, ends, lines } = value as RecordBatch
  const columns = [kinds, times, extractors, ends].map(({ length }) => length)
  const hashes = [keys.length / KEY_BYTES, checks.length / CHECK_BYTES]
  const isWhole = [...columns, ...hashes].every((length) => length === count) && (ends.at(-1) ?? 0) <= lines.length
  return isWhole ? undefined : `expected columns of ${count} lines each`
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

/** What one of the engines is stricter about than the general rules, by method and in the order of its arguments. */
export const ARGUMENT_RULES: Readonly<Partial<Record<StorageMethod, readonly (Rules | undefined)[]>>> = {
  createCollection: [COLLECTION],
  collection: [uuid],
  collections: [each(uuid)],
  collectionsOf: [uuid],
  deleteCollection: [uuid],
  expiredCollections: [undefined, limit],
  append: [uuid, batch],
  page: [uuid],
  verifyLines: [uuid],
  noteDamage: [uuid],
  knownIds: [uuid],
  createKey: [KEY],
  revokeKey: [uuid],
  setUp: [members({ key: KEY, collection: COLLECTION })],
  createAttempt: [ATTEMPT],
  useAttempt: [text],
  endAttempt: [text],
  holdGrant: [text, HELD],
  completeAttempt: [text, MADE],
  takeOldAttempts: [LIMITED],
  connection: [uuid],
  connectionsOf: [uuid],
  updateConnection: [uuid],
  noteError: [uuid],
  revokeConnection: [uuid],
  takeUnusedCredentials: [limit],
  credential: [text],
  leaseRefresh: [text, LEASE],
  saveRefreshed: [text, members({ owner: text, secret: SEALED })],
  endRefresh: [text, LEASE],
  changeVaultKey: [text, text],
  staleSecrets: [limit],
  resealSecret: [members({ id: text, secret: SEALED }), SEALED],
  claimDue: [members({ owner: text, limit, providers: each(text), runIds: each(uuid) })],
  nextDue: [each(text)],
  requestSync: [uuid],
  renewLease: [HOLD],
  beginReads: [HOLD, members({ items: each(members({ id: bytesKey })) })],
  endReads: [HOLD],
  commitPage: [HOLD, PAGE],
  endRun: [HOLD, members({ outcome: text })],
  knownItems: [uuid, each(bytesKey)],
  dueItems: [uuid, LIMITED],
  nextTry: [uuid],
  countUnseen: [uuid],
  unseenItems: [uuid, LIMITED],
  ledgerValue: [uuid, bytesKey],
  ledgerEntries: [uuid, bytesKey],
  schedule: [uuid],
  setPaused: [uuid],
  runs: [uuid, LIMITED],
  run: [uuid, uuid],
  items: [uuid, members({ limit, status: text })],
  item: [uuid],
  retryItem: [uuid],
  askCleanup: [uuid],
  openCleanups: [LIMITED],
  claimCleanup: [uuid, LEASE],
  releaseMemories: [HOLD, LIMITED],
  purgeRevoked: [limit],
  asideEntries: [members({ offset: limit, limit })],
  claimScrub: [LEASE],
  keepScrub: [text]
}
