import { createHash } from 'node:crypto'
import { ANALYSER_VERSION } from '../analyse/analyse.ts'

/** Length of the SHA-256 after the database, which detects any damage. */
const SEAL_BYTES = 32

/** Appends the seal to a database file. */
export function sealBytes(database: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(database.length + SEAL_BYTES)
  sealed.set(database)
  sealed.set(sha256(database), database.length)
  return sealed
}

/** Returns the database file in sealed bytes as a view. Throws `UnusableIndex` if any bit differs. */
export function unsealBytes(sealed: Uint8Array): Uint8Array {
  const end = sealed.length - SEAL_BYTES
  if (end <= 0) throw new UnusableIndex('damaged', `the index is truncated: received ${sealed.length} bytes`)
  const database = sealed.subarray(0, end)
  if (Buffer.compare(sha256(database), sealed.subarray(end)) !== 0) {
    throw new UnusableIndex('damaged', 'the index does not match its SHA-256')
  }
  return database
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

/** Increases with every change of the tables or of their blobs. */
const TABLES_VERSION = 11

/** Version of the index; another version is rebuilt. Stored as SQLite's `user_version`. */
export const INDEX_VERSION = TABLES_VERSION * 1000 + ANALYSER_VERSION

/** Reads the version of a database file: SQLite keeps it in its header, in four big-endian bytes from byte 60. */
export function readVersion(database: Uint8Array): number {
  if (database.length < USER_VERSION_AT + 4) return 0
  return new DataView(database.buffer, database.byteOffset).getInt32(USER_VERSION_AT)
}

const USER_VERSION_AT = 60

/**
 * Why index bytes are refused: `damaged` differs from what was written, `other_version` was written by another memctl.
 */
export type UnusableReason = 'damaged' | 'other_version'

/** Index bytes that cannot be used. Nothing is lost: the index is a cache and can be rebuilt from the snapshot. */
export class UnusableIndex extends Error {
  readonly reason: UnusableReason

  constructor(reason: UnusableReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnusableIndex'
    this.reason = reason
  }
}
