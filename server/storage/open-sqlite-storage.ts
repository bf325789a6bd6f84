import { Kysely, SqliteDialect } from 'kysely'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Files } from '../../src/ports.ts'
import { kyselyStorage } from './kysely-storage.ts'
import { migrate } from './migrate.ts'
import { sqliteConnection } from './sqlite-connection.ts'
import { SQLITE_DIALECT } from './sqlite-dialect.ts'
import type { Storage } from './storage.ts'
import type { Tables } from './tables.ts'

/** Nobody but who runs the server reads it. What SQLite puts beside it gets the same mode. */
const FILE_MODE = 0o600

/** How often the opening waits 50 ms for another process that holds the database. */
const TRIES_MAX = 200
const TRY_WAIT_MS = 50

export type SqliteOptions = { path: string; files: Files; clock: Clock }

/**
 * The storage in one file, made where there is none, in a folder that exists. Works in the thread that calls it: a commit
 * stops it until the disk has it.
 *
 * @throws Fault `system_refused` where the file cannot be opened or is no database, `conflict` where a newer program made it.
 */
export async function openSqliteStorage({ path, files, clock }: SqliteOptions): Promise<Storage> {
  createPrivately(path, files)
  const db = await opened(path, clock)
  return kyselyStorage({ db, dialect: SQLITE_DIALECT, clock })
}

async function opened(path: string, clock: Clock): Promise<Kysely<Tables>> {
  for (let tries = 1; ; tries++) {
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: async () => sqliteConnection(path) }) })
    try {
      await migrate(db, { dialect: SQLITE_DIALECT, nowMs: clock.now() })
      return db
    } catch (error) {
      await db.destroy()
      const failure = SQLITE_DIALECT.failureOf(error)
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
  const failure = SQLITE_DIALECT.failureOf(error)
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
