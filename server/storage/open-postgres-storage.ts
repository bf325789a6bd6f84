import { Kysely, PostgresDialect } from 'kysely'
import { epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'
import { assertUpToDate, migrate } from './database/migrations.ts'
import { soundValues } from './database/table-rules.ts'
import type { Tables } from './database/tables.ts'
import { POSTGRES_DIALECT, type PoolOptions, postgresPool } from './engines/postgres-pool.ts'
import { kyselyStorage } from './kysely-storage.ts'
import type { Storage } from './port/storage.ts'

/** Default number of connections of one server. */
const CONNECTIONS = 10

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database`. Never printed. */
  url: string
  clock: Clock
  /** Maximum. All servers together must stay below the `max_connections` of PostgreSQL. */
  connections?: number | undefined
  /** Only an existing store is opened. No tables are created. */
  mustExist?: boolean | undefined
  /** Nothing is changed: tables are not migrated, and records of deleted collections are not removed. */
  isReader?: boolean | undefined
}

/**
 * Opens the storage in a PostgreSQL database, and creates its tables if there are none. Any number of servers may have
 * it open.
 *
 * @throws Fault `unavailable` if PostgreSQL cannot be reached; `conflict` if a newer program has changed the tables;
 * `not_found` if there are no tables and `mustExist` is set.
 */
export async function openPostgresStorage(options: PostgresOptions): Promise<Storage> {
  const { url, clock, connections = CONNECTIONS, isReader = false } = options
  await withTables(options)
  return kyselyStorage({ db: connect({ url, connections }), dialect: POSTGRES_DIALECT, clock, isReader })
}

/** Migrates over a separate connection, which may wait as long as another server migrates the tables. */
async function withTables({ url, clock, mustExist, isReader }: PostgresOptions): Promise<void> {
  const db = connect({ url, connections: 1, isPatient: true })
  try {
    if (isReader === true) await assertUpToDate(db)
    else await migrate(db, { dialect: POSTGRES_DIALECT, nowMs: epochNow(clock), mustExist })
  } catch (error) {
    throw openingFault(url, error)
  } finally {
    await db.destroy()
  }
}

function connect(options: PoolOptions): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: async () => postgresPool(options) }),
    plugins: [soundValues]
  })
}

/** Builds the error for a storage that cannot be opened. It names only host and database. */
function openingFault(url: string, error: unknown): unknown {
  const failure = POSTGRES_DIALECT.toFailure(error)
  if (failure === undefined) return error
  const { host, pathname } = new URL(url)
  return new Fault('unavailable', `cannot open the storage at ${host}${pathname}: ${failure.reason}`, {
    hint: failure.hint,
    retryAfter: failure.retryAfter,
    cause: error
  })
}
