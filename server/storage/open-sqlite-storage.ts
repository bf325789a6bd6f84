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

/** Only the user that runs the server may read the file. SQLite creates its side files with the same mode. */
const FILE_MODE = 0o600

/** How often opening waits 50 ms for another process that has locked the database. */
const TRIES_MAX = 200
const TRY_WAIT_MS = 50

export type SqliteOptions = {
  path: string
  files: Files
  clock: Clock
  /** Only an existing store is opened. None is created. */
  mustExist?: boolean | undefined
  /** Nothing is written: another process may have the file open. */
  isReader?: boolean | undefined
  /** Returns the free bytes of the disk that holds a path. */
  freeBytes?(path: string): number | undefined
}

/**
 * Opens the storage in one file, which is created if it does not exist, in an existing folder. Runs in the calling
 * thread: a commit blocks it until the data is on the disk.
 *
 * @throws Fault `system_refused` if the file cannot be opened, is not a database, or is missing beside its log;
 * `conflict` if a newer program created it; `not_found` if it is empty and `mustExist` is set.
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

/** Converts the file. If the disk refuses, the file is unchanged and the next start tries again. */
async function convertAtStart(db: Kysely<Tables>, freeBytes: number | undefined): Promise<void> {
  try {
    await convertFile(db, { freeBytes, bytesMax: CONVERTED_BYTES_MAX })
  } catch (error) {
    if (SQLITE_DIALECT.toFailure(error) === undefined) throw error
  }
}

/** Reports whether nothing was ever stored in a database file: it is missing or empty. */
export function isEmptyDatabase(files: Files, path: string): boolean {
  try {
    return (files.find(path)?.size ?? 0) === 0
  } catch (error) {
    throw openingFault(path, error)
  }
}

/**
 * Refuses a log beside an empty database. SQLite removes the log of an empty database, so a remaining log means that
 * the database was lost.
 */
function assertNoLog(files: Files, path: string): void {
  const log = `${path}-wal`
  if (isEmptyDatabase(files, log)) return
  throw new Fault('system_refused', `${path} is missing or empty, but ${log} contains transactions of it`, {
    hint: `restore ${path} beside its log, or move ${log} away if you no longer need it`
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

/** Builds the error for a file that cannot be opened. A Fault and a bug are returned unchanged. */
function openingFault(path: string, error: unknown): unknown {
  if (error instanceof Fault) return error
  const failure = SQLITE_DIALECT.toFailure(error)
  if (failure === undefined && !isRefusal(error)) return error
  const reason = failure?.reason ?? (error instanceof Error ? error.message : 'it cannot be opened')
  return new Fault('system_refused', `cannot open the storage ${path}: ${reason}`, {
    hint: failure?.hint ?? 'set --data-dir to an existing, writable folder',
    cause: error
  })
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
