import { ANALYSER_VERSION } from '../analyse/analyse.ts'

/** Grows with every change of the tables or of what is in their blobs. */
const TABLES_VERSION = 6

/** What an index was made by: an index of another version is made anew. Kept as SQLite's `user_version`. */
export const INDEX_VERSION = TABLES_VERSION * 1000 + ANALYSER_VERSION

/** The version of a database file: SQLite keeps it in its header, in four bytes from byte 60, high first. */
export function versionOf(database: Uint8Array): number {
  if (database.length < USER_VERSION_AT + 4) return 0
  return new DataView(database.buffer, database.byteOffset).getInt32(USER_VERSION_AT)
}

const USER_VERSION_AT = 60
