import type { Kysely } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { AttemptStatus, StoredConnection } from '../port/connector-storage.ts'

import type { ItemStatus, RunOutcome, RunTrigger } from '../port/sync-storage.ts'

/**
 * The rows of all tables, in the columns of both engines. Times are milliseconds since 1970; columns with text from outside hold it as
 * `toStored` writes it. The rows stand in one file, since a statement may join any of the tables.
 */
export type Tables = {
  collections: CollectionRow
  keys: KeyRow
  grants: GrantRow
  records: RecordRow
  damaged_lines: DamagedLineRow
  aside_lines: AsideLineRow
  aside_rows: AsideRowRow
  attempts: AttemptRow
  connections: ConnectionRow
  credentials: CredentialRow
  vault: VaultRow
  store: StoreRow
  items: ItemRow
  holdings: ReferenceRow
  ledger: LedgerRow
  reads: ReadRow
  runs: RunRow
  scrub: ScrubRow
}

export type Db = Kysely<Tables>

/** Bytes as a driver gives them back: libsql has both, by the method that is called. */
export type Bytes = Uint8Array | ArrayBuffer

export type CollectionRow = {
  id: string
  name: string
  created_at: EpochMs
  expires_at: EpochMs | null
  owner_key_id: string | null
  snapshot_id: string
  /** How many lines of kind memory there are. */
  memories: number
  /** The highest sequence number given so far. Its row's lock is what appends wait for. */
  seq: number
  /** How many rows `damaged_lines` has of it. */
  damaged: number
  /** Deleted for everybody from then on; its records are being removed, and this row with the last of them. */
  deleted_at: EpochMs | null
}

export type KeyRow = {
  id: string
  name: string
  /** SHA-256 of the secret. */
  hash: Bytes
  /** 0 or 1. */
  admin: number
  created_at: EpochMs
  revoked_at: EpochMs | null
}

export type GrantRow = { key_id: string; collection_id: string; permission: 'read' | 'edit' }

/** A line, and of what it says only what choosing among lines needs. `key` and `kind` as in `RecordBatch`. */
export type RecordRow = {
  collection_id: string
  seq: number
  kind: number
  key: Bytes
  time: number
  extractor: number
  check_hash: Bytes
  line: Bytes
  /** Bytes of `line`, so that a page is measured without reading it. */
  line_bytes: number
  /** 1 of a forget line: a source took the memory back, so that saying it again is a further copy. */
  taken_back: number
}

/** That a line is known to be damaged, and why. */
type DamagedLineRow = { collection_id: string; seq: number; reason: string; found_at: EpochMs }

/** A damaged line that was taken out of `records`, as it was there: its bytes are kept for who can make something of them. */
export type AsideLineRow = RecordRow & { reason: string; set_aside_at: EpochMs }

/** A row of another table that a repair took out or changed, as it was. */
type AsideRowRow = {
  table_name: string
  collection_id: string | null
  /** Texts: the row's key, the row as JSON, and what was wrong with it. */
  place: string
  contents: string
  reason: string
  set_aside_at: EpochMs
}

/** Of an attempt that has ended neither verifier nor grant is left. */
export type AttemptRow = {
  id: string
  provider: ProviderId
  collection_id: string
  key_id: string
  /** A `ConnectionConfig`. */
  config: string
  created_at: EpochMs
  expires_at: EpochMs
  used_at: EpochMs | null
  ended_at: EpochMs | null
  status: AttemptStatus
  /** A text. */
  detail: string | null
  connection_id: string | null
  verifier: Bytes | null
  verifier_key: string | null
  held: Bytes | null
  held_key: string | null
  /** A `HeldGrant` without its secret and hash. */
  held_grant: string | null
  ticket_hash: Bytes | null
}

export type ConnectionRow = ConnectionSyncColumns & {
  id: string
  provider: ProviderId
  collection_id: string
  /** SHA-256 of provider and account: an id of an account may be longer than an index takes. */
  account_key: Bytes
  /** A `StoredAccount`. */
  account: string
  status: StoredConnection['status']
  /** A `ConnectionConfig`. */
  config: string
  credential_id: string | null
  /** A text. */
  last_error: string | null
  created_at: EpochMs
  revoked_at: EpochMs | null
  version: number
  cursor_generation: number
}

export type CredentialRow = {
  id: string
  /** SHA-256 of provider, client and account. */
  credential_key: Bytes
  provider: ProviderId
  /** Texts. */
  client_id: string
  account_id: string
  secret: Bytes
  /** The key of the vault. */
  secret_key: string
  expires_at: EpochMs | null
  lease_owner: string | null
  lease_until: EpochMs | null
  /** Since when no connection uses it, until it is taken out. */
  unused_since: EpochMs | null
}

/** One row. Its lock orders changes of the key and what is sealed with it. */
type VaultRow = { id: number; current_key: string }

/** One row. `store_id` never changes: a key file names the store that it was made for by it. */
type StoreRow = { id: number; store_id: string }

/** What syncing keeps in the row of a connection. */
export type ConnectionSyncColumns = {
  /** When it is due; null where it is not active. */
  next_run_at: EpochMs | null
  paused_at: EpochMs | null
  requested_at: EpochMs | null
  lease_owner: string | null
  lease_until: EpochMs | null
  fence: number
  /** The newest run. */
  run_id: string | null
  /** A text. */
  progress: string | null
  last_pass: number
  failures: number
  items_synced: number
  last_synced_at: EpochMs | null
  /** 1: its memories are to go. */
  cleanup: number
}

export type ItemRow = {
  connection_id: string
  /** UTF-8, so that both engines order ids alike. */
  item_id: Bytes
  /** SHA-256 of the place: the name may be longer than an index takes. */
  place_key: Bytes | null
  /** Texts. */
  place: string | null
  version: string | null
  title: string | null
  url: string | null
  status: ItemStatus
  content_hash: Bytes | null
  /** Why it failed or was skipped: a text. */
  reason: string | null
  tries: number
  next_try_at: EpochMs | null
  /** The last pass that saw it. */
  seen_pass: number
  /** The pass whose stretches lacked it. */
  missing_pass: number | null
  /** When a complete listing first lacked it without its absence being confirmed, and the last pass that did. */
  absent_since: EpochMs | null
  absent_pass: number | null
  changed_at: EpochMs
}

/** That an item of a connection has a memory. What a person stored that an item has too, is held by `BY_HAND`. */
export type ReferenceRow = {
  collection_id: string
  /** The key of the memory's record. */
  memory_key: Bytes
  connection_id: string
  item_id: Bytes
}

/** The holder of what somebody stored that an item has as well. */
export const BY_HAND = '00000000-0000-0000-0000-000000000000'

type LedgerRow = {
  connection_id: string
  /** UTF-8, so that both engines order keys alike. */
  entry_key: Bytes
  /** A text. */
  value: string
}

/** That an item is being read, or was when the server ended. */
export type ReadRow = {
  connection_id: string
  item_id: Bytes
  /** A text: that of the item as it was to be read. */
  version: string | null
  /** Reads that were begun and never ended. */
  attempts: number
  /** The run that reads it. Null: none does. */
  run_id: string | null
}

export type RunRow = {
  id: string
  connection_id: string
  trigger: RunTrigger
  started_at: EpochMs
  ended_at: EpochMs | null
  outcome: RunOutcome | null
  /** A text. */
  error: string | null
  seen: number
  created: number
  updated: number
  unchanged: number
  deleted: number
  failed: number
  skipped: number
  /** How often each reason was, as JSON. */
  reasons: string
}

/** One row: how far the scrub has come, and which server is at it. */
export type ScrubRow = {
  id: number
  owner: string | null
  lease_until: EpochMs | null
  /** A text. */
  position: string | null
  /** Problems that the pass under way has found so far. */
  found: number
  /** Of the last complete pass: when it ended, and how many problems it found. */
  ended_at: EpochMs | null
  damage: number
}
