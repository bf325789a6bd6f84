import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ItemStatus } from '../port/item-storage.ts'
import type { RunOutcome, RunTrigger } from '../port/run-storage.ts'

import type { Bytes } from './tables.ts'

/** The tables of syncing. Columns with text from outside hold it as `toStored` writes it. */
export type SyncTables = {
  items: ItemRow
  holdings: ReferenceRow
  ledger: LedgerRow
  reads: ReadRow
  runs: RunRow
}

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

/** A connection that never was synced, or starts anew. */
export const NEVER_SYNCED = {
  next_run_at: null,
  paused_at: null,
  requested_at: null,
  lease_owner: null,
  lease_until: null,
  fence: 0,
  run_id: null,
  progress: null,
  last_pass: 0,
  failures: 0,
  items_synced: 0,
  last_synced_at: null,
  cleanup: 0
} as const satisfies ConnectionSyncColumns

/** What a run is not to find where its connection was changed: it is fenced off, and nobody holds it. What was asked for still is. */
export const NO_HOLD = {
  lease_owner: null,
  lease_until: null,
  progress: null,
  failures: 0
} as const

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

export type LedgerRow = {
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
