import type { Kysely } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { AttemptStatus, StoredConnection } from '../port/connector-storage.ts'

import type { ItemStatus, RunOutcome, RunTrigger } from '../port/sync-storage.ts'

/**
 * The rows of all tables, in columns that both engines have. Times are milliseconds since 1970. Columns with untrusted
 * text hold it as `toStored` writes it. All rows are in one file because a statement may join any of the tables.
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
  epoch: EpochRow
}

export type Db = Kysely<Tables>

/** Bytes as a driver returns them. libsql returns either type, depending on the method. */
export type Bytes = Uint8Array | ArrayBuffer

export type CollectionRow = {
  id: string
  name: string
  created_at: EpochMs
  expires_at: EpochMs | null
  owner_key_id: string | null
  snapshot_id: string
  /** Number of lines of kind memory. */
  memories: number
  /** The highest sequence number assigned so far. Appends wait for the lock on this row. */
  seq: number
  /** Number of rows in `damaged_lines` for this collection. */
  damaged: number
  /** JSON: the epochs in which lines were written, each with the sequence number before it, oldest first. */
  epochs: string | null
  /**
   * Set when the collection is deleted. From then on, no request sees it. Its records are removed in the background,
   * and this row with the last of them.
   */
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

/** A line, and those of its values that queries on lines need. `key` and `kind` are as in `RecordBatch`. */
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
  /**
   * 1 for a forget line written because the source deleted the memory. Storing the text again then creates a new copy.
   */
  taken_back: number
}

/** Records that a line is damaged, and why. */
type DamagedLineRow = { collection_id: string; seq: number; reason: string; found_at: EpochMs }

/** A damaged line that was removed from `records`, unchanged. Its bytes are kept for manual recovery. */
export type AsideLineRow = RecordRow & { reason: string; set_aside_at: EpochMs }

/** A row of another table that a repair removed or changed, as it was before. */
type AsideRowRow = {
  table_name: string
  collection_id: string | null
  /** Texts: the row's key, the row as JSON, and the problem. */
  place: string
  contents: string
  reason: string
  set_aside_at: EpochMs
}

/** An attempt. One that has ended keeps neither verifier nor grant. */
export type AttemptRow = {
  id: string
  provider: ProviderId
  collection_id: string
  key_id: string
  /** A `ConnectionConfig` as JSON. */
  config: string
  created_at: EpochMs
  expires_at: EpochMs
  used_at: EpochMs | null
  ended_at: EpochMs | null
  status: AttemptStatus
  /** Text, as written by `toStored`. */
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
  /** SHA-256 of provider and account, because an account id may be longer than an index allows. */
  account_key: Bytes
  /** A `StoredAccount` as JSON. */
  account: string
  status: StoredConnection['status']
  /** A `ConnectionConfig` as JSON. */
  config: string
  /** The names of selected folders or channels by id, as JSON. */
  place_names: string | null
  credential_id: string | null
  /** Text, as written by `toStored`. */
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
  /** Texts, as written by `toStored`. */
  client_id: string
  account_id: string
  secret: Bytes
  /** The id of the vault key. */
  secret_key: string
  expires_at: EpochMs | null
  lease_owner: string | null
  lease_until: EpochMs | null
  /** Since when no connection uses it. Removed later. */
  unused_since: EpochMs | null
}

/** The only row. Its lock serializes changes of the key with writes of sealed secrets. */
type VaultRow = { id: number; current_key: string }

/** The only row. `store_id` never changes: a key file names its store by it. */
type StoreRow = { id: number; store_id: string }

/** The only row: the epoch since the last start of a server. */
type EpochRow = { id: number; epoch: string }

/** The sync columns in the row of a connection. */
export type ConnectionSyncColumns = {
  /** When it is due; null if it is not active. */
  next_run_at: EpochMs | null
  paused_at: EpochMs | null
  requested_at: EpochMs | null
  lease_owner: string | null
  lease_until: EpochMs | null
  fence: number
  /** The newest run. */
  run_id: string | null
  /** Text, as written by `toStored`. */
  progress: string | null
  last_pass: number
  failures: number
  items_synced: number
  last_synced_at: EpochMs | null
  /** 1 if its memories are to be removed. */
  cleanup: number
}

export type ItemRow = {
  connection_id: string
  /** UTF-8 bytes, so that both engines order ids in the same way. */
  item_id: Bytes
  /** SHA-256 of the place, because its name may be longer than an index allows. */
  place_key: Bytes | null
  /** Texts, as written by `toStored`. */
  place: string | null
  version: string | null
  title: string | null
  url: string | null
  status: ItemStatus
  content_hash: Bytes | null
  /** Why it failed or was skipped. Text, as written by `toStored`. */
  reason: string | null
  tries: number
  next_try_at: EpochMs | null
  /** The last pass that saw it. */
  seen_pass: number
  /** The pass whose listed ranges did not contain it. */
  missing_pass: number | null
  /**
   * When a complete listing first lacked the item without confirmation that it was deleted, and the last pass that
   * lacked it.
   */
  absent_since: EpochMs | null
  absent_pass: number | null
  changed_at: EpochMs
}

/**
 * Records that an item of a connection has a memory. `BY_HAND` owns a memory that a person stored and an item has too.
 */
export type ReferenceRow = {
  collection_id: string
  /** The key of the memory's record. */
  memory_key: Bytes
  connection_id: string
  item_id: Bytes
}

/** The owner of memories that a person stored and an item has too. */
export const BY_HAND = '00000000-0000-0000-0000-000000000000'

type LedgerRow = {
  connection_id: string
  /** UTF-8 bytes, so that both engines order keys in the same way. */
  entry_key: Bytes
  /** Text, as written by `toStored`. */
  value: string
}

/** Records that an item is being read, or was being read when the server ended. */
export type ReadRow = {
  connection_id: string
  item_id: Bytes
  /** The version of the item at the start of the read. Text, as written by `toStored`. */
  version: string | null
  /** Reads that began and never ended. */
  attempts: number
  /** The run that reads the item; null if none does. */
  run_id: string | null
}

export type RunRow = {
  id: string
  connection_id: string
  trigger: RunTrigger
  started_at: EpochMs
  ended_at: EpochMs | null
  outcome: RunOutcome | null
  /** Text, as written by `toStored`. */
  error: string | null
  seen: number
  created: number
  updated: number
  unchanged: number
  deleted: number
  failed: number
  skipped: number
  /** A count for each reason, as JSON. */
  reasons: string
}

/** The only row: the progress of the scrub and the server that runs it. */
export type ScrubRow = {
  id: number
  owner: string | null
  lease_until: EpochMs | null
  /** Text, as written by `toStored`. */
  position: string | null
  /** Problems that the current pass has found so far. */
  found: number
  /** The end of the last complete pass, and the number of problems it found. */
  ended_at: EpochMs | null
  damage: number
}
