import { Buffer } from 'node:buffer'
import { type EpochMs, epochNow } from '../../../src/contract/epoch-ms.ts'
import type { Clock } from '../../../src/ports.ts'
import { assertColumns } from './model-columns.ts'
import { type ModelRows, type ModelTable, type ModelTables, ROW_KEYS, UNIQUE_KEYS } from './model-rows.ts'

/**
 * One transaction over the tables, which runs from its first to its last statement without another one in between. It
 * reads its own writes; other transactions see them after the commit.
 */
export type ModelTransaction = {
  /** The tables as this transaction changes them. */
  readonly tables: ModelTables
  /** The time of the server. */
  readonly now: EpochMs
  find<Table extends ModelTable>(table: Table, key: string): ModelRows[Table] | undefined
  /** Returns the rows for which `isWanted` is true, in the order of insertion. */
  select<Table extends ModelTable>(
    table: Table,
    isWanted?: (row: ModelRows[Table]) => boolean
  ): readonly ModelRows[Table][]
  /** Inserts a row. Throws if a row has this key already, or if a column cannot hold its value. */
  insert<Table extends ModelTable>(table: Table, row: ModelRows[Table]): void
  /** Inserts a row, or replaces the one with its key. */
  put<Table extends ModelTable>(table: Table, row: ModelRows[Table]): void
  /** Changes columns of a row, even if other columns were changed since it was read. Returns the current row. */
  update<Table extends ModelTable>(
    table: Table,
    row: ModelRows[Table],
    changes: Partial<ModelRows[Table]>
  ): ModelRows[Table]
  remove<Table extends ModelTable>(table: Table, rows: readonly ModelRows[Table][]): void
}

/** Methods of a part of the port, each of which is one transaction. */
export type ModelMethods<Part> = {
  [Name in keyof Part]: Part[Name] extends (...given: infer Given) => Promise<infer Result>
    ? (transaction: ModelTransaction, ...given: Given) => Result
    : never
}

/** Begins a transaction. A table is copied at its first write; the given tables never change. */
export function beginTransaction(before: ModelTables, clock: Clock): ModelTransaction {
  const tables: { -readonly [Table in ModelTable]: ModelTables[Table] } = { ...before }
  const copied = new Map<ModelTable, Map<string, unknown>>()

  /** Returns a table that may be written. */
  const open = <Table extends ModelTable>(table: Table): Map<string, ModelRows[Table]> => {
    const known = copied.get(table) as Map<string, ModelRows[Table]> | undefined
    if (known !== undefined) return known
    const copy = new Map<string, ModelRows[Table]>(tables[table])
    copied.set(table, copy)
    Object.assign(tables, { [table]: copy })
    return copy
  }
  const keyOf = <Table extends ModelTable>(table: Table, row: ModelRows[Table]): string => ROW_KEYS[table](row)
  const read = <Table extends ModelTable>(table: Table): ReadonlyMap<string, ModelRows[Table]> => tables[table]

  const assertFits = <Table extends ModelTable>(table: Table, row: ModelRows[Table]): void => {
    assertColumns(table, row)
    const uniqueKey = UNIQUE_KEYS[table]
    const wanted = uniqueKey?.(row)
    if (uniqueKey === undefined || wanted === undefined) return
    for (const [key, other] of read(table))
      if (key !== keyOf(table, row) && uniqueKey(other) === wanted)
        throw new Error(`duplicate value in ${table}: ${wanted}`)
  }

  return {
    tables,
    now: epochNow(clock),
    find: (table, key) => read(table).get(key),
    select: (table, isWanted) => {
      const rows = [...read(table).values()]
      return isWanted === undefined ? rows : rows.filter(isWanted)
    },
    insert(table, row) {
      const key = keyOf(table, row)
      if (read(table).has(key)) throw new Error(`duplicate key in ${table}: ${key}`)
      assertFits(table, row)
      open(table).set(key, row)
    },
    put(table, row) {
      assertFits(table, row)
      open(table).set(keyOf(table, row), row)
    },
    update(table, row, changes) {
      const key = keyOf(table, row)
      const before = read(table).get(key)
      if (before === undefined) throw new Error(`an update finds no row of ${table}: ${key}`)
      const next = { ...before, ...changes }
      if (key !== keyOf(table, next)) throw new Error(`an update changes the key of ${table}: ${key}`)
      assertFits(table, next)
      open(table).set(key, next)
      return next
    },
    remove(table, rows) {
      if (rows.length === 0) return
      const written = open(table)
      for (const row of rows) written.delete(keyOf(table, row))
    }
  }
}

/** Compares texts by the bytes of their UTF-8, as the engines order ids. */
export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

/** Compares two values of one column, as the engines order numbers and UUIDs. */
export function compareValues<Value extends number | string>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Checks whether two columns of bytes are equal. */
export function isSameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return Buffer.compare(one, other) === 0
}

/** Returns a value as a JSON column returns it. */
export function toJsonValue<Value>(value: Value): Value {
  // Members that are undefined are lost in JSON, but the types of the port do not distinguish them from absent ones.
  return JSON.parse(JSON.stringify(value)) as Value
}
