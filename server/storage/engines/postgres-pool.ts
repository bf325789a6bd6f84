import { type PostgresPool, type PostgresPoolClient, type PostgresQueryResult, sql } from 'kysely'
import pg from 'pg'
import type { Dialect, LockName, StorageFailure } from '../database/dialect.ts'

/** Milliseconds. What PostgreSQL is to give up by itself, and after which nobody waits for it any longer. */
const TIMEOUTS_MS = { connect: 10_000, statement: 30_000, lock: 10_000, idleInTransaction: 60_000, answer: 45_000 }

/** A connection that nobody uses is closed after it. */
const IDLE_MS = 60_000

export type PoolOptions = {
  /** `postgres://…`. What its query says (TLS, application_name, timeouts) goes before what is said here. */
  url: string
  /** Connections at most. */
  connections: number
  /** For what may take as long as it takes. */
  isPatient?: boolean
}

/** PostgreSQL was not to be reached, or no longer. */
class ConnectionLost extends Error {
  readonly again: 'yes' | 'unsure' | 'no'

  constructor(message: string, again: 'yes' | 'unsure' | 'no', cause: unknown) {
    super(message, { cause })
    this.name = 'ConnectionLost'
    this.again = again
  }
}

/**
 * A pool of connections as kysely takes it. One that was lost, or that may still be at work for somebody who has given up,
 * does not come back; the next call gets a new one, so that a PostgreSQL that comes back is used again.
 */
export function postgresPool(options: PoolOptions): PostgresPool {
  const pool = new pg.Pool(poolConfig(options))
  // Without these, a connection that breaks while nobody asks it anything would end the process.
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

/** Numbers of ours are exact as such. pg would give them as text, and changing that for all would be everybody’s. */
const chooseParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')

function guardClient(client: pg.PoolClient): PostgresPoolClient {
  let isSpent = false

  async function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // Whatever was begun on a spent connection is rolled back by its end.
    if (isSpent && sql === 'rollback') return { command: 'SELECT', rowCount: 0, rows: [] }
    try {
      // kysely knows by what it asked which rows come back.
      return (await client.query(sql, [...parameters])) as unknown as PostgresQueryResult<R>
    } catch (error) {
      const lost = queryError(error, sql)
      isSpent ||= lost !== error || isAtEnd(error)
      throw lost
    }
  }

  return {
    // The other form is for cursors, which are not used.
    query: query as PostgresPoolClient['query'],
    release: () => client.release(isSpent)
  }
}

/** Answers after which the connection is of no use: it is being closed, or leads to a server that takes no writes. */
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

/** Refused at once is tried again; what took long already is not. */
function connectError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || !isPlainError(error)) return error
  const isQuick = /ECONN(REFUSED|RESET)|EPIPE|terminated unexpectedly/.test(`${readCode(error)} ${error.message}`)
  return new ConnectionLost('PostgreSQL cannot be reached', isQuick ? 'yes' : 'no', error)
}

/** What pg and the system throw; a bug throws an error of another kind, such as a TypeError. */
function isPlainError(error: unknown): error is Error {
  return error instanceof AggregateError || (error instanceof Error && error.name === 'Error')
}

function readCode(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

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
