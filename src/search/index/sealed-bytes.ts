import { createHash } from 'node:crypto'
import { UnusableIndex } from './unusable-index.ts'

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
