import { Buffer } from 'node:buffer'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/dialect.ts'
import { BrokenText } from '../database/stored-values.ts'
import type { TableRule } from '../database/table-rules.ts'

/** A row as it stands in its table, whatever its columns hold, with a flag for each relation that does not hold. */
export type Row = Readonly<Record<string, unknown>>

/** A value of a key that JSON can hold: bytes are base64, and those of a text that is no UTF-8 too. */
export type KeyValue = string | number | { base64: string; isText?: true }

type RowsSource = Pick<Database, 'db' | 'dialect'>

/** One statement: what a row refers to is looked up at the same moment. */
export async function nextRows(database: RowsSource, rule: TableRule, after: readonly KeyValue[]): Promise<Row[]> {
  const key = sql.join(rule.key.map((name) => sql.ref(`${rule.table}.${name}`)))
  const where = after.length === 0 ? sql`` : sql`where (${key}) > (${sql.join(after.map(keyParameter))})`
  return await selectRows(database, rule, sql`${where} order by ${key} limit ${sql.lit(rule.rowsMax)}`)
}

/** The rows that `rest` says, as a clause of the statement. */
export async function selectRows(
  { db, dialect }: RowsSource,
  { table, relations }: TableRule,
  rest: RawBuilder<unknown>
): Promise<Row[]> {
  const all = db.withoutPlugins()
  const flags = relations.map(({ wrong }, at) => sql`case when ${wrong} then 1 else 0 end as ${sql.ref(flagName(at))}`)
  if (!dialect.keepsAnyText) {
    const columns = sql.join([sql`${sql.table(table)}.*`, ...flags])
    return (await sql<Row>`select ${columns} from ${sql.table(table)} ${rest}`.execute(all)).rows
  }
  const { rows: named } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(all)
  const names = named.map(({ name }) => name)
  const columns = sql.join([...names.flatMap((name) => safeColumn(table, name)), ...flags])
  const { rows } = await sql<Row>`select ${columns} from ${sql.table(table)} ${rest}`.execute(all)
  return rows.map((row) => decodeRow(row, names))
}

/** libsql ends the process where it reads a text that is no UTF-8. So texts are read as bytes, and decoded here. */
function safeColumn(table: string, name: string): RawBuilder<unknown>[] {
  const column = sql.ref(`${table}.${name}`)
  return [
    sql`case typeof(${column}) when 'text' then cast(${column} as blob) else ${column} end as ${sql.ref(name)}`,
    sql`case typeof(${column}) when 'text' then 1 else 0 end as ${sql.ref(textFlag(name))}`
  ]
}

function textFlag(name: string): string {
  return `text_${name}`
}

function decodeRow(row: Row, names: readonly string[]): Row {
  const values = names.map((name) => {
    const bytes = row[textFlag(name)] === 1 ? bytesFrom(row[name]) : undefined
    return [name, bytes === undefined ? row[name] : decodeText(bytes)]
  })
  const flags = Object.entries(row).filter(([name]) => WRONG_FLAG.test(name))
  return Object.fromEntries([...values, ...flags])
}

function decodeText(bytes: Buffer): string | BrokenText {
  try {
    return DECODER.decode(bytes)
  } catch {
    return new BrokenText(bytes)
  }
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const WRONG_FLAG = /^wrong_\d+$/

/** The name of the column that says whether the nth relation of a rule does not hold. */
export function flagName(at: number): string {
  return `wrong_${at}`
}

function keyParameter(value: KeyValue): RawBuilder<unknown> {
  if (typeof value !== 'object') return sql`${value}`
  const bytes = Buffer.from(value.base64, 'base64')
  return value.isText ? sql`cast(${bytes} as text)` : sql`${bytes}`
}

/** The key of a row, by which the rows after it are asked for. */
export function keyOfRow({ key }: TableRule, row: Row | undefined): KeyValue[] | undefined {
  if (row === undefined) return undefined
  return key.map((name) => toKeyValue(row[name]))
}

function toKeyValue(value: unknown): KeyValue {
  if (value instanceof BrokenText) return { base64: value.bytes.toString('base64'), isText: true }
  const bytes = bytesFrom(value)
  if (bytes !== undefined) return { base64: bytes.toString('base64') }
  return typeof value === 'number' ? value : String(value)
}

/** The bytes of a column of bytes; undefined for anything else. */
export function bytesFrom(value: unknown): Buffer | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? Buffer.from(value) : undefined
}

/** The condition that a row has the key of this one. */
export function isRow({ table, key }: TableRule, row: Row): RawBuilder<unknown> {
  const same = key.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${keyParameter(toKeyValue(row[name]))}`)
  return sql.join(same, sql` and `)
}

/** A value as JSON can hold it. */
export function jsonValue(value: unknown): unknown {
  if (value instanceof BrokenText) return { base64: value.bytes.toString('base64') }
  const bytes = bytesFrom(value)
  if (bytes !== undefined) return { base64: bytes.toString('base64') }
  return typeof value === 'bigint' ? String(value) : value
}
