import { createHash } from 'node:crypto'
import { ANALYSER_VERSION } from '../analyse/analyse.ts'

/** Bytes of SHA-256 that stand after the database, so that any damage shows. */
const SEAL_BYTES = 32

/** A database file with its seal. */
export function sealBytes(database: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(database.length + SEAL_BYTES)
  sealed.set(database)
  sealed.set(sha256(database), database.length)
  return sealed
}

/** The database file in sealed bytes, a view. Throws `UnusableIndex` where a bit is not as it was. */
export function unsealBytes(sealed: Uint8Array): Uint8Array {
  const end = sealed.length - SEAL_BYTES
  if (end <= 0) throw new UnusableIndex('damaged', `the index is cut short: ${sealed.length} bytes`)
  const database = sealed.subarray(0, end)
  if (Buffer.compare(sha256(database), sealed.subarray(end)) !== 0) {
    throw new UnusableIndex('damaged', 'the bytes of the index do not match their SHA-256')
  }
  return database
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

/** Grows with every change of the tables or of what is in their blobs. */
const TABLES_VERSION = 6

/** What an index was made by: an index of another version is made anew. Kept as SQLite's `user_version`. */
export const INDEX_VERSION = TABLES_VERSION * 1000 + ANALYSER_VERSION

/** The version of a database file: SQLite keeps it in its header, in four bytes from byte 60, high first. */
export function readVersion(database: Uint8Array): number {
  if (database.length < USER_VERSION_AT + 4) return 0
  return new DataView(database.buffer, database.byteOffset).getInt32(USER_VERSION_AT)
}

const USER_VERSION_AT = 60

/** Why index bytes are refused: `damaged` is not what was written, `other_version` was written by another memctl. */
export type UnusableReason = 'damaged' | 'other_version'

/** Index bytes that cannot be used. Nothing is lost by it: the index is a cache and can be made from the snapshot. */
export class UnusableIndex extends Error {
  readonly reason: UnusableReason

  constructor(reason: UnusableReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnusableIndex'
    this.reason = reason
  }
}
