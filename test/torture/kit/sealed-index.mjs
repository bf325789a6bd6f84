import { createHash } from 'node:crypto'
import initSqlJs from 'sql.js'

/** An index is a SQLite file, then its SHA-256. */
const SEAL_BYTES = 32
/** Where a SQLite file keeps the version that its user gave it. */
const VERSION_AT = 60

/** An index of another version, whole and sealed. */
export function resealed(bytes, versions) {
  const database = Buffer.from(bytes.subarray(0, -SEAL_BYTES))
  database.writeInt32BE(database.readInt32BE(VERSION_AT) + versions, VERSION_AT)
  return sealed(database)
}

const { Database } = await initSqlJs()

/** A sealed database of this version that is no index: another program's tables, or a slip of a later memctl. */
export function foreignDatabase(bytes) {
  const database = new Database()
  database.run(`PRAGMA user_version = ${bytes.readInt32BE(VERSION_AT)}; CREATE TABLE notes (text TEXT)`)
  return sealed(Buffer.from(database.export()))
}

function sealed(database) {
  return Buffer.concat([database, createHash('sha256').update(database).digest()])
}
