import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'

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
export class ConnectionLost extends Error {
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
