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

/** Connections of one server, unless it is told otherwise. */
const CONNECTIONS = 10

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database`. Never shown. */
  url: string
  clock: Clock
  /** At most. All servers together must stay below the `max_connections` of PostgreSQL. */
  connections?: number | undefined
  /** Only a store that is there is opened; no tables are made. */
  mustExist?: boolean | undefined
  /** Nothing is changed: neither the tables, nor what deleted collections left. */
  isReader?: boolean | undefined
}

/**
 * The storage in a PostgreSQL database, its tables made where there are none. Any number of servers may have it open.
 *
 * @throws Fault `unavailable` where PostgreSQL cannot be reached, `conflict` where a newer program has changed the tables,
 * `not_found` where there are none and `mustExist`.
 */
export async function openPostgresStorage(options: PostgresOptions): Promise<Storage> {
  const { url, clock, connections = CONNECTIONS, isReader = false } = options
  await withTables(options)
  return kyselyStorage({ db: connect({ url, connections }), dialect: POSTGRES_DIALECT, clock, isReader })
}

/** By a connection of its own, which may wait as long as another server works on the tables. */
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

/** Names host and database only. */
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
