import type { ColumnDataType, Transaction } from 'kysely'
import type { Clock } from '../../../src/ports.ts'
import type { CheckAsked, CheckFinding } from '../port/check-storage.ts'
import type { Db, Tables } from './tables.ts'

/** A database and the specifics of its engine. */
export type Database = { db: Db; dialect: Dialect; clock: Clock }

/** Methods of a part of the port, each taking the database as its first argument. */
export type TableMethods<Part> = {
  [Name in keyof Part]: Part[Name] extends (...given: infer Given) => infer Result
    ? (database: Database, ...given: Given) => Result
    : never
}

/** The differences between the two engines, as data where possible. */
export type Dialect = {
  /** Column types. */
  types: { id: ColumnDataType; text: ColumnDataType; bytes: ColumnDataType; integer: ColumnDataType }
  /** Rows per statement, so that its parameters stay within the engine's limit. */
  rowsPerStatement: number
  /** Rows that are read are locked by `for update`. Not needed if a transaction locks the whole database. */
  locksRows: boolean
  /** Columns can hold a value of any type, and text that is not UTF-8. */
  keepsAnyText: boolean
  /** Waits until no other transaction holds the lock of this name, and holds it until this transaction ends. */
  lock(transaction: Transaction<Tables>, name: LockName): Promise<void>
  /** Returns what an error of the driver means, or undefined if the error is a bug. */
  toFailure(error: unknown): StorageFailure | undefined
}

/**
 * Tasks that only one server may run at a time: migrating tables, changing keys, and changing which connection uses
 * which credential.
 */
export type LockName = 'migrations' | 'keys' | 'connections'

export type StorageFailure = {
  /** The reason for the refusal, as the end of a sentence: `the disk is full`. */
  reason: string
  hint: string
  /**
   * Whether an immediate retry may succeed. `yes`: nothing was changed. `unsure`: the connection was lost during a
   * commit, so the change may have been made. `no`: a retry would fail too.
   */
  again: 'yes' | 'unsure' | 'no'
  /** The database itself is damaged. */
  isDamage?: true
  /** Seconds after which a retry makes sense. */
  retryAfter: number
}

/** A transaction and the collection that it works on. */
export type CollectionScope = { transaction: Transaction<Tables>; dialect: Dialect; collectionId: string }

/** A transaction and the connection that it works on. */
export type ConnectionScope = { transaction: Transaction<Tables>; dialect: Dialect; connectionId: string }

/** The pages of a database that is a file. */
export type DatabasePages = {
  /** Verifies every page and index; a repair rebuilds the indexes. */
  check(mode: CheckAsked['mode']): Promise<CheckFinding[]>
}
