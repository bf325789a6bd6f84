import { Buffer, isUtf8 } from 'node:buffer'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import Database from 'libsql'
import type { Dialect, StorageFailure } from '../database/dialect.ts'
import { BrokenText } from '../database/stored-values.ts'

/** Statements kept prepared. Those of many rows come in few lengths. */
const STATEMENTS_MAX = 64

/** What is set on each new connection. */
const SETTINGS = [
  // Of a new file, before anything else: its free pages can be given back. Of another one it counts from the next VACUUM on.
  'auto_vacuum = incremental',
  'journal_mode = wal',
  // A commit is on the disk when it returns.
  'synchronous = full',
  'foreign_keys = on',
  // Milliseconds. Longer waits are made outside, where they stop nobody.
  'busy_timeout = 10',
  // What was forgotten or deleted is overwritten, not just let go.
  'secure_delete = on',
  // Pages of 4 KiB after which the log is written back; bytes that it keeps on the disk afterwards.
  'wal_autocheckpoint = 1000',
  'journal_size_limit = 67108864',
  // KiB.
  'cache_size = -8192'
]

/** Of one that only reads, beside the process that has the database. */
const READER_SETTINGS = ['query_only = on', 'busy_timeout = 5000', 'cache_size = -8192']

/**
 * The connection that kysely works with: statements stay prepared, a transaction takes the write lock at its start (it
 * could not get it later without failing), and a rollback of what SQLite has rolled back by itself is none. After
 * the disk refused or another process had the lock, the next call outside a transaction works on a new connection: what the
 * old one believes to be on the disk may not be there. A reader takes no lock that a writer waits for.
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

/** `rows`: of one that reads. */
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

/** All that is in the log goes into the file. Where the disk refuses that, the next opening does it. */
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

/** The one used longest ago makes room. */
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
    // libsql calls it no reader, and without reading all of its rows it gives back a single page.
    reader: plain.reader || isVacuumStep,
    all: (parameters) => guard(() => (rows === undefined ? plain.all([...parameters]) : rows.all(parameters))),
    run: (parameters) => guard(() => plain.run([...parameters])),
    iterate: (parameters) => (rows === undefined ? plain.iterate([...parameters]) : rows.all(parameters).values())
  }
}

/** After `BUSY` libsql leaves the statement where it stopped: the connection would look at an old state for good. */
const DOUBTFUL = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|BUSY|LOCKED)/

/** How the statement begins that gives free pages back. */
export const VACUUM_STEP = 'pragma incremental_vacuum'

const NOTHING: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values()
}

type LibsqlStatement = Database.Statement<unknown[]>

/** What reads rows. */
type RowReader = { all(parameters: readonly unknown[]): unknown[] }

/**
 * Prepares a statement that reads, so that a text that is no UTF-8 is a `BrokenText`: libsql ends the process where it reads one, and
 * one flipped bit makes one of a text or of a column of bytes. So texts are read as bytes, and decoded here. Undefined for a statement
 * that reads nothing, or cannot be part of another one.
 */
function rowReader(database: Database.Database, statement: LibsqlStatement, sql: string): RowReader | undefined {
  if (!statement.reader || !SELECTS.test(sql)) return undefined
  const names = statement.columns().map(({ name }) => name)
  const reading = database.prepare(asBytes(sql, names.length)).raw()
  return {
    all: (parameters) => reading.all([...parameters]).map((values) => toRow(names, values as unknown[]))
  }
}

/** One that changes something cannot be part of another one. */
const SELECTS = /^\s*(select\b|with\b(?![\s\S]*\b(insert|update|delete)\b))/i

/** The same rows with their texts as bytes, and in a last column which of the values are texts, a bit each. */
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

/** libsql gives bytes as an ArrayBuffer or a Buffer. */
function textFrom(value: unknown): string | BrokenText {
  const bytes = value instanceof ArrayBuffer ? Buffer.from(value) : (value as Buffer)
  return isUtf8(bytes) ? bytes.toString('utf8') : new BrokenText(bytes)
}

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
