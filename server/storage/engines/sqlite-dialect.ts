import Database from 'libsql'
import type { Dialect, StorageFailure } from '../database/dialect.ts'

/** SQLite in a file that this process has to itself. Its transactions lock all of it, so nothing else need be locked. */
export const SQLITE_DIALECT: Dialect = {
  types: { id: 'text', text: 'text', bytes: 'blob', integer: 'integer' },
  rowsPerStatement: 100,
  locksRows: false,
  keepsAnyText: true,
  lock: async () => undefined,
  toFailure: sqliteFailure
}

/** What an error of SQLite means, by the first name that its code begins with. Others are bugs of ours. */
function sqliteFailure(error: unknown): StorageFailure | undefined {
  const named = readCode(error)
  const found = FAILURES.find(([code]) => named?.startsWith(code))
  return found?.[1]
}

/** That a file cannot be opened, libsql tells by a plain Error. */
function readCode(error: unknown): string | undefined {
  if (error instanceof Database.SqliteError) return error.code
  return error instanceof Error && error.message.startsWith('ConnectionFailed') ? 'SQLITE_CANTOPEN' : undefined
}

const DISK_HINT = 'look at the disk that the data folder is on: memctl doctor'

const DAMAGE_HINT =
  'memctl server check says where; put a copy of the data folder in its place where --repair is not enough'

const FAILURES: readonly (readonly [string, StorageFailure])[] = [
  ['SQLITE_BUSY', failure('another process has the database locked', 'end whatever else has the database open', 'yes')],
  ['SQLITE_LOCKED', failure('the database is locked', 'end whatever else has the database open', 'yes')],
  ['SQLITE_FULL', failure('the disk is full', 'free some space on the disk that the data folder is on')],
  ['SQLITE_IOERR', failure('the disk refused to read or write', DISK_HINT)],
  ['SQLITE_CANTOPEN', failure('the database cannot be opened', DISK_HINT)],
  ['SQLITE_READONLY', failure('the database can only be read', 'make the data folder and what is in it writable')],
  ['SQLITE_PERM', failure('the database may not be opened', 'make the data folder and what is in it writable')],
  ['SQLITE_CORRUPT', { ...failure('the database is damaged', DAMAGE_HINT), isDamage: true }],
  ['SQLITE_NOTADB', failure('the file is no database', 'put a copy of the data folder in its place')],
  ['SQLITE_NOMEM', failure('memory ran out', 'give the server more memory')]
]

function failure(reason: string, hint: string, again: StorageFailure['again'] = 'no'): StorageFailure {
  return { reason, hint, again, retryAfter: again === 'yes' ? 1 : 10 }
}
