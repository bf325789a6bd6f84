import type { ColumnDataType, Transaction } from 'kysely'
import type { Clock } from '../../../src/ports.ts'
import type { CheckAsked, CheckFinding } from '../port/check-storage.ts'
import type { Db, Tables } from './tables.ts'

/** A database, and what its engine does in its own way. */
export type Database = { db: Db; dialect: Dialect; clock: Clock }

/** Methods of a part of the port, each of which works on the database that it is given. */
export type TableMethods<Part> = {
  [Name in keyof Part]: Part[Name] extends (...given: infer Given) => infer Result
    ? (database: Database, ...given: Given) => Result
    : never
}

/** What differs between the two engines, as data where it can be. */
export type Dialect = {
  /** Types of columns. */
  types: { id: ColumnDataType; text: ColumnDataType; bytes: ColumnDataType; integer: ColumnDataType }
  /** Rows of one statement, so that its parameters stay within the engine's limit. */
  rowsPerStatement: number
  /** A row that is read is locked by `for update`. Not where a transaction has the whole database to itself. */
  locksRows: boolean
  /** Columns may hold a value of any type, and texts that are no UTF-8. */
  keepsAnyText: boolean
  /** Waits until no other transaction holds the lock of this name, and holds it until this one ends. */
  lock(transaction: Transaction<Tables>, name: LockName): Promise<void>
  /** What an error of the driver means; undefined where it is none, but a bug. */
  toFailure(error: unknown): StorageFailure | undefined
}

/** What is done by one at a time over all servers: changing the tables, the keys, or which connection uses which credential. */
export type LockName = 'migrations' | 'keys' | 'connections'

export type StorageFailure = {
  /** What the storage refused, as the end of a sentence: `the disk is full`. */
  reason: string
  hint: string
  /**
   * Whether the same again at once may go well: `yes`, nothing was changed; `unsure`, the connection was lost while a
   * change was committed, so it may be done; `no`.
   */
  again: 'yes' | 'unsure' | 'no'
  /** The database itself is damaged. */
  isDamage?: true
  /** Seconds after which asking again makes sense. */
  retryAfter: number
}

/** A transaction, and the collection that it is about. */
export type CollectionScope = { transaction: Transaction<Tables>; dialect: Dialect; collectionId: string }

/** A transaction, and the connection that it is about. */
export type ConnectionScope = { transaction: Transaction<Tables>; dialect: Dialect; connectionId: string }

/** The pages of a database that is a file. */
export type DatabasePages = {
  /** Verifies every page and index; a repair rebuilds the indexes. */
  check(mode: CheckAsked['mode']): Promise<CheckFinding[]>
}
