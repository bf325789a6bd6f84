import { createHash } from 'node:crypto'
import initSqlJs from 'sql.js'

/** An index is a SQLite file followed by its SHA-256. */
const SEAL_BYTES = 32
/** The offset of the user version in a SQLite file. */
const VERSION_AT = 60

/** Returns a valid index of another version with its hash. */
export function resealed(bytes, versions) {
  const database = Buffer.from(bytes.subarray(0, -SEAL_BYTES))
  database.writeInt32BE(database.readInt32BE(VERSION_AT) + versions, VERSION_AT)
  return sealed(database)
}

const { Database } = await initSqlJs()

/**
 * Returns a database of this version with its hash that is not an index: another program's tables, or a bug of a later
 * memctl.
 */
export function foreignDatabase(bytes) {
  const database = new Database()
  database.run(`PRAGMA user_version = ${bytes.readInt32BE(VERSION_AT)}; CREATE TABLE notes (text TEXT)`)
  return sealed(Buffer.from(database.export()))
}

function sealed(database) {
  return Buffer.concat([database, createHash('sha256').update(database).digest()])
}
