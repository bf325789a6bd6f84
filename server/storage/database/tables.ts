import type { Kysely } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { ConnectorTables } from './connector-tables.ts'
import type { SyncTables } from './sync-tables.ts'

/** What the tables hold, in the columns of both engines. Times are milliseconds since 1970. */
export type Tables = ConnectorTables &
  SyncTables & {
    collections: CollectionRow
    keys: KeyRow
    grants: GrantRow
    records: RecordRow
    damaged_lines: DamagedLineRow
    aside_lines: AsideLineRow
    aside_rows: AsideRowRow
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
export type DamagedLineRow = { collection_id: string; seq: number; reason: string; found_at: EpochMs }

/** A damaged line that was taken out of `records`, as it was there: its bytes are kept for who can make something of them. */
export type AsideLineRow = RecordRow & { reason: string; set_aside_at: EpochMs }

/** A row of another table that a repair took out or changed, as it was. */
export type AsideRowRow = {
  table_name: string
  collection_id: string | null
  /** Texts: the row's key, the row as JSON, and what was wrong with it. */
  place: string
  contents: string
  reason: string
  set_aside_at: EpochMs
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

/** The bytes of a column without copying them. A damaged row may have anything else there. */
export function toBytes(value: Bytes): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  throw damagedValueError('a column of bytes holds something else')
}

/** The fault of a value that the storage cannot have been given. */
export function damagedValueError(what: string): Fault {
  return new Fault('damaged_storage', `the database of the server is damaged: ${what}`, {
    hint: 'memctl server check names the damaged rows; with --repair it repairs what can be repaired'
  })
}
