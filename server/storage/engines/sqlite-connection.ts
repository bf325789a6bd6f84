import { Buffer, isUtf8 } from 'node:buffer'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import Database from 'libsql'
import type { Dialect, StorageFailure } from '../database/dialect.ts'
import { BrokenText } from '../database/stored-values.ts'

/** Maximum number of prepared statements. Statements with many rows have few distinct lengths. */
const STATEMENTS_MAX = 64

/** Settings of each new connection. */
const SETTINGS = [
  // Must come first in a new file, so that its free pages can be released. In an existing file it takes effect at the
  // next VACUUM.
  'auto_vacuum = incremental',
  'journal_mode = wal',
  // A commit is on the disk when it returns.
  'synchronous = full',
  'foreign_keys = on',
  // Milliseconds. Longer waits happen outside of SQLite, where they do not block the thread.
  'busy_timeout = 10',
  // Deleted data is overwritten, not only unlinked.
  'secure_delete = on',
  // Number of 4 KiB pages after which the log is checkpointed, and bytes of the log that stay on the disk afterwards.
  'wal_autocheckpoint = 1000',
  'journal_size_limit = 67108864',
  // KiB.
  'cache_size = -8192'
]

/** Settings of a connection that only reads, beside the process that owns the database. */
const READER_SETTINGS = ['query_only = on', 'busy_timeout = 5000', 'cache_size = -8192']

/**
 * Opens the connection that kysely uses. Statements stay prepared. A transaction takes the write lock when it begins,
 * because a later upgrade could fail. A rollback that SQLite has already performed is skipped. After a disk error, or
 * after another process held the lock, the next call outside a transaction opens a new connection, because the old one
 * may have a wrong view of the file. A reader takes no lock that blocks a writer.
 */
export function sqliteConnection(path: string, { isReader = false } = {}): SqliteDatabase {
  const settings = isReader ? READER_SETTINGS : SETTINGS
  const begin = isReader ? 'begin' : 'begin immediate'
  let open: Open | undefined = openDatabase(path, settings)
  let isDoubtful = false

  return {
    prepare(sql) {
      if (isDoubtful && open?.database.inTransaction !== true) {
        open?.database.close()
        open = undefined
        open = openDatabase(path, settings)
        isDoubtful = false
      }
      open ??= openDatabase(path, settings)
      if (sql === 'rollback' && !open.database.inTransaction) return NOTHING
      return noting(statement(open, sql === 'begin' ? begin : sql), sql.startsWith(VACUUM_STEP), () => {
        isDoubtful = true
      })
    },
    close() {
      if (open !== undefined) closeDatabase(open, isReader)
      open = undefined
    }
  }
}

type Open = { database: Database.Database; statements: Map<string, Statement> }

/** `rows` is set for a statement that reads. */
type Statement = { plain: Database.Statement<unknown[]>; rows: RowReader | undefined }

function openDatabase(path: string, settings: readonly string[]): Open {
  const database = new Database(path)
  try {
    for (const setting of settings) database.pragma(setting)
  } catch (error) {
    database.close()
    throw error
  }
  return { database, statements: new Map() }
}

/** Checkpoints the log and closes the database. If the disk refuses, the next opening does it. */
function closeDatabase({ database, statements }: Open, isReader: boolean): void {
  statements.clear()
  try {
    if (!isReader) database.pragma('wal_checkpoint(truncate)')
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error
  } finally {
    database.close()
  }
}

/** Returns a prepared statement, and evicts the least recently used one. */
function statement({ database, statements }: Open, sql: string): Statement {
  const prepared = statements.get(sql) ?? prepareStatement(database, sql)
  statements.delete(sql)
  statements.set(sql, prepared)
  const [oldest] = statements.keys()
  if (statements.size > STATEMENTS_MAX && oldest !== undefined) statements.delete(oldest)
  return prepared
}

function prepareStatement(database: Database.Database, sql: string): Statement {
  const plain = database.prepare(sql)
  return { plain, rows: rowReader(database, plain, sql) }
}

function noting({ plain, rows }: Statement, isVacuumStep: boolean, onDoubt: () => void): SqliteStatement {
  const guard = <T>(call: () => T): T => {
    try {
      return call()
    } catch (error) {
      if (error instanceof Database.SqliteError && DOUBTFUL.test(error.code)) onDoubt()
      throw error
    }
  }
  return {
    // libsql does not report this statement as a reader, and releases only one page unless all of its rows are read.
    reader: plain.reader || isVacuumStep,
    all: (parameters) => guard(() => (rows === undefined ? plain.all([...parameters]) : rows.all(parameters))),
    run: (parameters) => guard(() => plain.run([...parameters])),
    iterate: (parameters) => (rows === undefined ? plain.iterate([...parameters]) : rows.all(parameters).values())
  }
}

/** After `BUSY`, libsql leaves the statement unfinished, so the connection would see an old state forever. */
const DOUBTFUL = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|BUSY|LOCKED)/

/** The start of the statement that releases free pages. */
export const VACUUM_STEP = 'pragma incremental_vacuum'

const NOTHING: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values()
}

type LibsqlStatement = Database.Statement<unknown[]>

/** Reads rows. */
type RowReader = { all(parameters: readonly unknown[]): unknown[] }

/**
 * Prepares a reading statement that returns a `BrokenText` for text that is not UTF-8. libsql aborts the process when
 * it reads such text, and one flipped bit can produce it in a text or bytes column. Text is therefore read as bytes and
 * decoded here. Returns undefined for a statement that reads nothing, or that cannot be a subquery.
 */
function rowReader(database: Database.Database, statement: LibsqlStatement, sql: string): RowReader | undefined {
  if (!statement.reader || !SELECTS.test(sql)) return undefined
  const names = statement.columns().map(({ name }) => name)
  const reading = database.prepare(asBytes(sql, names.length)).raw()
  return {
    all: (parameters) => reading.all([...parameters]).map((values) => toRow(names, values as unknown[]))
  }
}

/** Matches statements that can be a subquery: those that change nothing. */
const SELECTS = /^\s*(select\b|with\b(?![\s\S]*\b(insert|update|delete)\b))/i

/**
 * Builds a query for the same rows with their texts as bytes. A last column tells which values are texts, one bit each.
 */
function asBytes(sql: string, count: number): string {
  const names = Array.from({ length: count }, (_, at) => `c${at}`)
  const values = names.map((name) => `case typeof(${name}) when 'text' then cast(${name} as blob) else ${name} end`)
  const texts = names.map((name, at) => `((typeof(${name}) = 'text') << ${at})`)
  return `with rows_read(${names.join(', ')}) as (${sql}) select ${values.join(', ')}, ${texts.join(' | ')} from rows_read`
}

function toRow(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const texts = values[names.length] as number
  const row: Record<string, unknown> = {}
  for (const [at, name] of names.entries()) {
    const isText = texts !== 0 && Math.floor(texts / 2 ** at) % 2 === 1
    row[name] = isText ? textFrom(values[at]) : values[at]
  }
  return row
}

/** Decodes a text. libsql returns bytes as an ArrayBuffer or a Buffer. */
function textFrom(value: unknown): string | BrokenText {
  const bytes = value instanceof ArrayBuffer ? Buffer.from(value) : (value as Buffer)
  return isUtf8(bytes) ? bytes.toString('utf8') : new BrokenText(bytes)
}

/** SQLite in a file that only this process uses. A transaction locks the whole file, so row locks are unnecessary. */
export const SQLITE_DIALECT: Dialect = {
  types: { id: 'text', text: 'text', bytes: 'blob', integer: 'integer' },
  rowsPerStatement: 100,
  locksRows: false,
  keepsAnyText: true,
  lock: async () => undefined,
  toFailure: sqliteFailure
}

/** Returns what an error of SQLite means, by the prefix of its code. Other errors are bugs in this program. */
function sqliteFailure(error: unknown): StorageFailure | undefined {
  const named = readCode(error)
  const found = FAILURES.find(([code]) => named?.startsWith(code))
  return found?.[1]
}

/** Returns the code of an error. libsql throws a plain Error if a file cannot be opened. */
function readCode(error: unknown): string | undefined {
  if (error instanceof Database.SqliteError) return error.code
  return error instanceof Error && error.message.startsWith('ConnectionFailed') ? 'SQLITE_CANTOPEN' : undefined
}

const DISK_HINT = 'check the disk of the data folder: memctl doctor'

const DAMAGE_HINT =
  'run memctl server check to find the damage; restore a backup of the data folder if --repair is not enough'

const FAILURES: readonly (readonly [string, StorageFailure])[] = [
  [
    'SQLITE_BUSY',
    failure('another process has locked the database', 'stop the other process that uses the database', 'yes')
  ],
  ['SQLITE_LOCKED', failure('the database is locked', 'stop the other process that uses the database', 'yes')],
  ['SQLITE_FULL', failure('the disk is full', 'free space on the disk of the data folder')],
  ['SQLITE_IOERR', failure('the disk refused to read or write', DISK_HINT)],
  ['SQLITE_CANTOPEN', failure('the database cannot be opened', DISK_HINT)],
  ['SQLITE_READONLY', failure('the database is read-only', 'make the data folder and its files writable')],
  [
    'SQLITE_PERM',
    failure('the database cannot be opened because of its permissions', 'make the data folder and its files writable')
  ],
  ['SQLITE_CORRUPT', { ...failure('the database is damaged', DAMAGE_HINT), isDamage: true }],
  ['SQLITE_NOTADB', failure('the file is not a database', 'restore the data folder from a backup')],
  ['SQLITE_NOMEM', failure('the server ran out of memory', 'give the server more memory')]
]

function failure(reason: string, hint: string, again: StorageFailure['again'] = 'no'): StorageFailure {
  return { reason, hint, again, retryAfter: again === 'yes' ? 1 : 10 }
}
