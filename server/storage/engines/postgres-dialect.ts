import { sql } from 'kysely'
import pg from 'pg'
import type { Dialect, LockName, StorageFailure } from '../database/dialect.ts'
import { ConnectionLost } from './postgres-pool.ts'

/** PostgreSQL, in which any number of servers work at once. */
export const POSTGRES_DIALECT: Dialect = {
  types: { id: 'uuid', text: 'text', bytes: 'bytea', integer: 'bigint' },
  rowsPerStatement: 1000,
  locksRows: true,
  keepsAnyText: false,
  async lock(transaction, name) {
    await sql`select pg_advisory_xact_lock(${LOCKS[name]}::bigint)`.execute(transaction)
  },
  toFailure: postgresFailure
}

/** Numbers that nothing else in the same database is likely to lock by. */
const LOCKS: Readonly<Record<LockName, number>> = {
  migrations: 7_305_801_901,
  keys: 7_305_801_902,
  connections: 7_305_801_903
}

/** What an error of PostgreSQL or of the way to it means. One with another SQLSTATE is a bug of ours. */
function postgresFailure(error: unknown): StorageFailure | undefined {
  if (error instanceof ConnectionLost) return { ...LOST, reason: error.message, again: error.again }
  if (!(error instanceof pg.DatabaseError)) return undefined
  const found = FAILURES.find(([code]) => error.code?.startsWith(code))
  return found?.[1]
}

const LOST = {
  hint: 'look whether PostgreSQL runs and can be reached from here',
  retryAfter: 2
}

const WAIT_HINT = 'ask again later; where this goes on, look at the load of PostgreSQL'
const DAMAGE_HINT = 'look at the log of PostgreSQL, and restore the database from a backup'
const RIGHTS_HINT = 'look at the user and the password of --database-url, and at what they may do'

/** By the first letters of the SQLSTATE, the longer ones first. */
const FAILURES: readonly (readonly [string, StorageFailure])[] = [
  ['40', failure('transactions got in each other’s way', WAIT_HINT, 'yes')],
  ['55P03', failure('a lock was not to be had in time', WAIT_HINT)],
  ['57014', failure('it took too long', WAIT_HINT)],
  ['57P', failure('PostgreSQL is stopping or starting', LOST.hint, 'yes')],
  ['25P0', failure('the transaction waited too long', WAIT_HINT, 'yes')],
  ['25006', failure('PostgreSQL can only be read here', 'give the address of the primary: --database-url')],
  ['08', failure('the connection was lost', LOST.hint, 'yes')],
  ['53100', failure('the disk of PostgreSQL is full', 'free some space on the disk of PostgreSQL')],
  ['53300', failure('PostgreSQL has no connection left', 'raise its max_connections or give fewer servers', 'yes')],
  ['53', failure('PostgreSQL ran out of memory or another limit', 'look at the log of PostgreSQL')],
  ['58', failure('PostgreSQL was refused by its system', 'look at the log of PostgreSQL')],
  ['XX001', { ...failure('a table of PostgreSQL is damaged', DAMAGE_HINT), isDamage: true }],
  ['XX002', { ...failure('an index of PostgreSQL is damaged', 'run in PostgreSQL: REINDEX SCHEMA'), isDamage: true }],
  ['XX', failure('PostgreSQL reports an internal error', 'look at the log of PostgreSQL')],
  ['28', failure('PostgreSQL refuses the user or the password', RIGHTS_HINT)],
  ['3D000', failure('PostgreSQL has no such database', 'make it, or name another one: --database-url')],
  ['42501', failure('the user may not do this in PostgreSQL', RIGHTS_HINT)]
]

function failure(reason: string, hint: string, again: StorageFailure['again'] = 'no'): StorageFailure {
  return { reason, hint, again, retryAfter: again === 'yes' ? 1 : 5 }
}
