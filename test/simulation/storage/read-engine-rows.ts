import { Buffer } from 'node:buffer'
import { BY_HAND, type Db, type Tables } from '../../../server/storage/database/tables.ts'
import type { ModelTable, ModelTables } from './model-rows.ts'

/** The rows of a table in a form that an engine and the model share: bytes in hex, and JSON parsed. */
export type PlainTables = { readonly [Table in ModelTable]: readonly string[] }

const TABLES: { readonly [Table in ModelTable]: keyof Tables } = {
  collections: 'collections',
  keys: 'keys',
  grants: 'grants',
  records: 'records',
  damagedLines: 'damaged_lines',
  attempts: 'attempts',
  connections: 'connections',
  credentials: 'credentials',
  vault: 'vault',
  store: 'store',
  epoch: 'epoch',
  items: 'items',
  references: 'holdings',
  ledger: 'ledger',
  reads: 'reads',
  runs: 'runs',
  scrub: 'scrub'
}

/** Derived columns, by table. */
const DERIVED: { readonly [Table in ModelTable]?: readonly string[] } = {
  records: ['line_bytes'],
  connections: ['account_key'],
  credentials: ['credential_key'],
  items: ['place_key'],
  vault: ['id'],
  store: ['id'],
  epoch: ['id'],
  scrub: ['id']
}

/** Columns whose name in the model is not their name in camel case. */
const RENAMED: { readonly [Table in ModelTable]?: Readonly<Record<string, string>> } = {
  records: { check_hash: 'check' },
  items: { item_id: 'id' },
  ledger: { entry_key: 'key' }
}

/** Text columns that contain JSON. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  ...['account', 'config', 'last_error', 'progress', 'client_id', 'account_id', 'place', 'version', 'title', 'url'],
  ...['place_names', 'reason', 'detail', 'held_grant', 'value', 'error', 'reasons', 'position', 'epochs']
])

const BOOLEANS: ReadonlySet<string> = new Set(['admin', 'cleanup', 'taken_back'])
const UTF8_COLUMNS: ReadonlySet<string> = new Set(['item_id', 'entry_key'])

/** Reads every row of an engine, in the form of `toPlainTables`. */
export async function readEngineRows(db: Db): Promise<PlainTables> {
  const tables: Partial<Record<ModelTable, readonly string[]>> = {}
  for (const [table, name] of Object.entries(TABLES) as [ModelTable, keyof Tables][]) {
    const rows = await db.selectFrom(name).selectAll().execute()
    tables[table] = rows.map((row) => serialize(toPlainRow(table, row))).toSorted()
  }
  // The cast is safe because every table was read.
  return tables as PlainTables
}

/** Writes every row of a model as one line of text, in order. */
export function toPlainTables(tables: ModelTables): PlainTables {
  const plain = Object.entries(tables).map(([table, rows]) => [table, [...rows.values()].map(serialize).toSorted()])
  return Object.fromEntries(plain) as PlainTables
}

function toPlainRow(table: ModelTable, row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const columns = Object.entries(row).filter(([name]) => !DERIVED[table]?.includes(name))
  const plain = Object.fromEntries(
    columns.map(([name, value]) => [RENAMED[table]?.[name] ?? toCamelCase(name), toPlainValue(name, value)])
  )
  return joinSecrets(table === 'references' && row.connection_id === BY_HAND ? { ...plain, ...NO_ITEM } : plain)
}

/** The values that replace the item if a person owns a memory. */
const NO_ITEM = { connectionId: undefined, itemId: '' }

function toPlainValue(name: string, value: unknown): unknown {
  if (value === null) return undefined
  if (BOOLEANS.has(name)) return value === 1
  const bytes = bytesFrom(value)
  if (bytes !== undefined) return UTF8_COLUMNS.has(name) ? bytes.toString('utf8') : bytes.toString('hex')
  return JSON_COLUMNS.has(name) && typeof value === 'string' ? JSON.parse(value) : value
}

/** Joins the two columns of a secret, one of which is the key that encrypts it. */
function joinSecrets(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const joined: Record<string, unknown> = { ...row }
  for (const name of ['secret', 'verifier', 'held']) {
    const keyId = joined[`${name}Key`]
    delete joined[`${name}Key`]
    if (keyId !== undefined) joined[name] = { keyId, bytes: joined[name] }
  }
  return joined
}

/** Serializes members in order, so that equal rows are equal texts. Undefined values are omitted, and bytes are hex. */
function serialize(row: object): string {
  return JSON.stringify(toOrdered(row))
}

function toOrdered(value: unknown): unknown {
  const bytes = bytesFrom(value)
  if (bytes !== undefined) return bytes.toString('hex')
  if (Array.isArray(value)) return value.map(toOrdered)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, toOrdered(member)]))
}

function bytesFrom(value: unknown): Buffer | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? Buffer.from(value) : undefined
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
