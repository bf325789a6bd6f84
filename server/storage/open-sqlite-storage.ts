import { Kysely, SqliteDialect } from 'kysely'
import { epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Files } from '../../src/ports.ts'
import { assertUpToDate, migrate, noStoreFault } from './database/migrations.ts'
import { soundValues } from './database/table-rules.ts'
import type { Tables } from './database/tables.ts'

import { SQLITE_DIALECT, sqliteConnection } from './engines/sqlite-connection.ts'
import { CONVERTED_BYTES_MAX, convertFile, sqlitePages } from './engines/sqlite-pages.ts'
import { kyselyStorage } from './kysely-storage.ts'
import type { Storage } from './port/storage.ts'

/** Nobody but who runs the server reads it. What SQLite puts beside it gets the same mode. */
const FILE_MODE = 0o600

/** How often the opening waits 50 ms for another process that holds the database. */
const TRIES_MAX = 200
const TRY_WAIT_MS = 50

export type SqliteOptions = {
  path: string
  files: Files
  clock: Clock
  /** Only a store that is there is opened; none is made. */
  mustExist?: boolean | undefined
  /** Nothing is written to it: another process may have it open. */
  isReader?: boolean | undefined
  /** Free bytes of the disk that a path lies on. */
  freeBytes?(path: string): number | undefined
}

/**
 * The storage in one file, made where there is none, in a folder that exists. Works in the thread that calls it: a commit
 * stops it until the disk has it.
 *
 * @throws Fault `system_refused` where the file cannot be opened, is no database or has lost what its log belongs to, `conflict`
 * where a newer program made it, `not_found` where nothing is stored there and `mustExist`.
 */
export async function openSqliteStorage(options: SqliteOptions): Promise<Storage> {
  const { path, files, clock, mustExist, isReader = false } = options
  const freeBytes = () => options.freeBytes?.(path)
  if (isEmptyDatabase(files, path)) {
    assertNoLog(files, path)
    if (mustExist === true || isReader) throw noStoreFault(`${path} is missing or empty`)
  }
  if (!isReader) createPrivately(path, files)
  const db = await openDatabase(options)
  if (!isReader) await convertAtStart(db, freeBytes())
  const file = { pages: sqlitePages({ db, path, freeBytes }), shrinks: true }
  return kyselyStorage({ db, dialect: SQLITE_DIALECT, clock, file, isReader })
}

/** Where the disk refuses, the next start tries again: all is as it was. */
async function convertAtStart(db: Kysely<Tables>, freeBytes: number | undefined): Promise<void> {
  try {
    await convertFile(db, { freeBytes, bytesMax: CONVERTED_BYTES_MAX })
  } catch (error) {
    if (SQLITE_DIALECT.toFailure(error) === undefined) throw error
  }
}

/** Whether nothing was ever stored in a database file: it is missing, or empty. */
export function isEmptyDatabase(files: Files, path: string): boolean {
  try {
    return (files.find(path)?.size ?? 0) === 0
  } catch (error) {
    throw openingFault(path, error)
  }
}

/** SQLite removes the log of an empty database; no database that was ever stored to is empty. */
function assertNoLog(files: Files, path: string): void {
  const log = `${path}-wal`
  if (isEmptyDatabase(files, log)) return
  throw new Fault('system_refused', `${path} is missing or empty, and ${log} holds transactions of it`, {
    hint: `put back ${path} beside its log, or move ${log} to another folder if you no longer need it`
  })
}

async function openDatabase({ path, clock, mustExist, isReader = false }: SqliteOptions): Promise<Kysely<Tables>> {
  for (let tries = 1; ; tries++) {
    const db = new Kysely<Tables>({
      dialect: new SqliteDialect({ database: async () => sqliteConnection(path, { isReader }) }),
      plugins: [soundValues]
    })
    try {
      if (isReader) await assertUpToDate(db)
      else await migrate(db, { dialect: SQLITE_DIALECT, nowMs: epochNow(clock), mustExist })
      return db
    } catch (error) {
      await db.destroy()
      const failure = SQLITE_DIALECT.toFailure(error)
      if (failure?.again !== 'yes' || tries === TRIES_MAX) throw openingFault(path, error)
    }
    await clock.wait(TRY_WAIT_MS)
  }
}

function createPrivately(path: string, files: Files): void {
  try {
    if (files.find(path) === undefined) files.close(files.open(path, 'create', FILE_MODE))
  } catch (error) {
    if (files.find(path) === undefined) throw openingFault(path, error)
  }
}

/** A Fault and a bug stay what they are. */
function openingFault(path: string, error: unknown): unknown {
  if (error instanceof Fault) return error
  const failure = SQLITE_DIALECT.toFailure(error)
  if (failure === undefined && !isRefusal(error)) return error
  const reason = failure?.reason ?? (error instanceof Error ? error.message : 'it cannot be opened')
  return new Fault('system_refused', `cannot open the storage ${path}: ${reason}`, {
    hint: failure?.hint ?? 'give a data folder that exists and can be written: --data-dir',
    cause: error
  })
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
