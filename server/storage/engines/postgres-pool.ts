import { type PostgresPool, type PostgresPoolClient, type PostgresQueryResult, sql } from 'kysely'
import pg from 'pg'
import type { Dialect, LockName, StorageFailure } from '../database/dialect.ts'

/**
 * Timeouts in milliseconds. PostgreSQL enforces all but `connect` and `answer`; after `answer` the client stops
 * waiting.
 */
const TIMEOUTS_MS = { connect: 10_000, statement: 30_000, lock: 10_000, idleInTransaction: 60_000, answer: 45_000 }

/** Milliseconds after which an unused connection is closed. */
const IDLE_MS = 60_000

export type PoolOptions = {
  /** `postgres://…`. Parameters in its query (TLS, application_name, timeouts) override the defaults below. */
  url: string
  /** Maximum number of connections. */
  connections: number
  /** Disables the timeouts, for migrations. */
  isPatient?: boolean
}

/** PostgreSQL could not be reached, or the connection was lost. */
class ConnectionLost extends Error {
  readonly again: 'yes' | 'unsure' | 'no'

  constructor(message: string, again: 'yes' | 'unsure' | 'no', cause: unknown) {
    super(message, { cause })
    this.name = 'ConnectionLost'
    this.again = again
  }
}

/**
 * Opens a pool of connections for kysely. A connection that was lost, or that may still be busy with an abandoned
 * query, is not reused. The next call opens a new one, so that a restarted PostgreSQL is used again.
 */
export function postgresPool(options: PoolOptions): PostgresPool {
  const pool = new pg.Pool(poolConfig(options))
  // Without these handlers, a connection that breaks while idle would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    async connect() {
      try {
        return guardClient(await pool.connect())
      } catch (error) {
        throw connectError(error)
      }
    },
    end: () => pool.end()
  }
}

function poolConfig({ url, connections, isPatient = false }: PoolOptions): pg.PoolConfig {
  const given = isPatient
    ? {}
    : {
        statement_timeout: TIMEOUTS_MS.statement,
        lock_timeout: TIMEOUTS_MS.lock,
        idle_in_transaction_session_timeout: TIMEOUTS_MS.idleInTransaction,
        query_timeout: TIMEOUTS_MS.answer
      }
  return {
    connectionString: url,
    max: connections,
    application_name: 'memctl',
    connectionTimeoutMillis: TIMEOUTS_MS.connect,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    types: { getTypeParser: chooseParser },
    ...given
  }
}

const INT8 = 20

/**
 * Parses bigint columns as numbers, since all of ours are safe integers. pg returns them as text by default, and
 * changing that default would affect other users of pg in the process.
 */
const chooseParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')

function guardClient(client: pg.PoolClient): PostgresPoolClient {
  let isSpent = false

  async function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // The end of a broken connection has rolled back its transaction.
    if (isSpent && sql === 'rollback') return { command: 'SELECT', rowCount: 0, rows: [] }
    try {
      // kysely knows the type of the rows from its query.
      return (await client.query(sql, [...parameters])) as unknown as PostgresQueryResult<R>
    } catch (error) {
      const lost = queryError(error, sql)
      isSpent ||= lost !== error || isAtEnd(error)
      throw lost
    }
  }

  return {
    // The other overload is for cursors, which are not used.
    query: query as PostgresPoolClient['query'],
    release: () => client.release(isSpent)
  }
}

/**
 * Reports whether an error makes the connection unusable: it is being closed, or it leads to a server that refuses
 * writes.
 */
function isAtEnd(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(57P|25P0|25006|08)/.test(error.code ?? '')
}

function queryError(error: unknown, sql: string): unknown {
  if (error instanceof pg.DatabaseError) {
    if (sql === 'commit' && isAtEnd(error)) return new ConnectionLost('the connection was lost', 'unsure', error)
    return error
  }
  if (!isPlainError(error)) return error
  return new ConnectionLost('the connection was lost', sql === 'commit' ? 'unsure' : 'yes', error)
}

/** Wraps a failed connection attempt. A refusal that came quickly is retried; a slow one is not. */
function connectError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || !isPlainError(error)) return error
  const isQuick = /ECONN(REFUSED|RESET)|EPIPE|terminated unexpectedly/.test(`${readCode(error)} ${error.message}`)
  return new ConnectionLost('PostgreSQL cannot be reached', isQuick ? 'yes' : 'no', error)
}

/** Reports whether pg or the system threw the error. A bug throws another type, such as a TypeError. */
function isPlainError(error: unknown): error is Error {
  return error instanceof AggregateError || (error instanceof Error && error.name === 'Error')
}

function readCode(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

/** PostgreSQL, which any number of servers can use at once. */
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

/** Advisory lock numbers that other programs in the same database are unlikely to use. */
const LOCKS: Readonly<Record<LockName, number>> = {
  migrations: 7_305_801_901,
  keys: 7_305_801_902,
  connections: 7_305_801_903
}

/** Returns what an error of PostgreSQL or of the connection means. Any other SQLSTATE is a bug in this program. */
function postgresFailure(error: unknown): StorageFailure | undefined {
  if (error instanceof ConnectionLost) return { ...LOST, reason: error.message, again: error.again }
  if (!(error instanceof pg.DatabaseError)) return undefined
  const found = FAILURES.find(([code]) => error.code?.startsWith(code))
  return found?.[1]
}

const LOST = {
  hint: 'check that PostgreSQL is running and reachable from this machine',
  retryAfter: 2
}

const WAIT_HINT = 'try again later; if this continues, check the load of PostgreSQL'
const DAMAGE_HINT = 'check the log of PostgreSQL, and restore the database from a backup'
const RIGHTS_HINT = 'check the user and the password in --database-url, and the permissions of the user'

/** Failures by the first characters of the SQLSTATE, longer prefixes first. */
const FAILURES: readonly (readonly [string, StorageFailure])[] = [
  ['40', failure('transactions conflicted', WAIT_HINT, 'yes')],
  ['55P03', failure('a lock was not available in time', WAIT_HINT)],
  ['57014', failure('the statement took too long', WAIT_HINT)],
  ['57P', failure('PostgreSQL is stopping or starting', LOST.hint, 'yes')],
  ['25P0', failure('the transaction waited too long', WAIT_HINT, 'yes')],
  ['25006', failure('PostgreSQL is read-only', 'set --database-url to the address of the primary')],
  ['08', failure('the connection was lost', LOST.hint, 'yes')],
  ['53100', failure('the disk of PostgreSQL is full', 'free space on the disk of PostgreSQL')],
  [
    '53300',
    failure(
      'PostgreSQL has no free connection',
      'raise its max_connections, or lower MEMCTL_DATABASE_CONNECTIONS of the servers',
      'yes'
    )
  ],
  ['53', failure('PostgreSQL ran out of memory or another limit', 'check the log of PostgreSQL')],
  ['58', failure('the operating system refused an operation of PostgreSQL', 'check the log of PostgreSQL')],
  // The sum of a stored number and one can exceed the range only if the row is damaged.
  ['22003', { ...failure('a stored number is too large to be increased', DAMAGE_HINT), isDamage: true }],
  ['XX001', { ...failure('a table of PostgreSQL is damaged', DAMAGE_HINT), isDamage: true }],
  ['XX002', { ...failure('an index of PostgreSQL is damaged', 'run in PostgreSQL: REINDEX SCHEMA'), isDamage: true }],
  ['XX', failure('PostgreSQL reports an internal error', 'check the log of PostgreSQL')],
  ['28', failure('PostgreSQL rejects the user or the password', RIGHTS_HINT)],
  ['3D000', failure('the database does not exist in PostgreSQL', 'create it, or set --database-url to another one')],
  ['42501', failure('the user does not have this permission in PostgreSQL', RIGHTS_HINT)]
]

function failure(reason: string, hint: string, again: StorageFailure['again'] = 'no'): StorageFailure {
  return { reason, hint, again, retryAfter: again === 'yes' ? 1 : 5 }
}
