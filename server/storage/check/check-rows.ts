import { Buffer } from 'node:buffer'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Database } from '../database/dialect.ts'
import { BrokenText, decodeId, toStored } from '../database/stored-values.ts'
import type { ColumnRule, Cure, TableRule } from '../database/table-rules.ts'
import type { Db, Tables } from '../database/tables.ts'
import type { CheckFinding, CheckMode } from '../port/check-storage.ts'
import { readBytes, readItemAgain, syncFromStart } from './check-lines.ts'

type RowsAsked = { after: readonly KeyValue[]; mode: CheckMode; now: EpochMs }

/** `after` is the key of the last row. It is undefined after the last row of the table. */
type CheckedRows = { rows: number; findings: CheckFinding[]; after: KeyValue[] | undefined }

/** Verifies the next rows of a table, in key order. A repair sets aside each row that it changes or removes. */
export async function checkRows({ db, dialect }: Database, rule: TableRule, asked: RowsAsked): Promise<CheckedRows> {
  const rows = await nextRows({ db, dialect }, rule, asked.after)
  const wrong = rows
    .map((row) => ({ row, problems: findProblems(rule, row) }))
    .filter(({ problems }) => problems.length)
  const after = rows.length < rule.rowsMax ? undefined : keyOfRow(rule, rows.at(-1))
  const all = { rows: rows.length, after }
  if (asked.mode !== 'repair' || wrong.length === 0)
    return { ...all, findings: wrong.flatMap(({ row, problems }) => toFindings(rule, row, problems)) }
  const findings = await db.transaction().execute(async (transaction) => {
    if (LINKING.has(rule.table)) await dialect.lock(transaction, 'connections')
    const repaired: CheckFinding[] = []
    for (const { row } of wrong) repaired.push(...(await repairRow({ transaction, dialect }, rule, { row, ...asked })))
    return repaired
  })
  return { ...all, findings }
}

/** Tables whose rows link connections to credentials. */
const LINKING: ReadonlySet<string> = new Set(['connections', 'credentials'])

type Problem = { says: string; cure: Cure }

function findProblems({ key, columns, relations }: TableRule, row: Row): Problem[] {
  const broken = Object.entries(row).flatMap(([name, value]) =>
    value instanceof BrokenText
      ? [{ says: `\`${name}\` is not valid UTF-8`, cure: cureOfText({ key, columns }, name, value) }]
      : []
  )
  const ofColumns = Object.entries(columns).flatMap(([name, rule]) => {
    const says = row[name] instanceof BrokenText ? undefined : wrongValue(rule, row[name])
    return says === undefined ? [] : [{ says: `\`${name}\` ${says}`, cure: rule.cure }]
  })
  return [...broken, ...ofColumns, ...relations.filter((_, at) => Number(row[flagName(at)]) === 1)]
}

/** Chooses the cure for text that is not UTF-8. The readable part is kept, so that reading it cannot crash a server. */
function cureOfText({ key, columns }: Pick<TableRule, 'key' | 'columns'>, name: string, { text }: BrokenText): Cure {
  if (key.includes(name)) return { kind: 'remove' }
  const rule = columns[name]
  const isSound = rule === undefined || wrongValue(rule, text) === undefined
  if (!isSound && rule.cure !== 'none') return rule.cure
  return { kind: 'change', column: name, to: sql`${text}` }
}

function wrongValue({ holds, isNullable }: ColumnRule, value: unknown): string | undefined {
  if (value === null) return isNullable ? undefined : 'is missing'
  if (holds === 'whole') return Number.isSafeInteger(value) ? undefined : 'is not a whole number'
  if (typeof value !== 'string') return 'is not a text'
  if (holds === 'text') return isJson(value) ? undefined : 'is not JSON'
  return holds.includes(value) ? undefined : `is not one of ${holds.join(', ')}`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function toFindings(rule: TableRule, row: Row, problems: readonly Problem[]): CheckFinding[] {
  return problems.map((problem) => toRowFinding(rule, row, { ...problem, outcome: 'found' }))
}

function toRowFinding(
  rule: TableRule,
  row: Row,
  { says, cure, outcome }: Problem & Pick<CheckFinding, 'outcome'>
): CheckFinding {
  const { table } = rule
  const collectionId = table === 'collections' ? row.id : row.collection_id
  return {
    table,
    collectionId: typeof collectionId === 'string' ? collectionId : undefined,
    place: describePlace(rule, row),
    problem: says,
    outcome,
    ...(outcome === 'found' && cure === 'none' && { hint: HINTS[table] ?? 'restore the database from a backup' })
  }
}

/** Hints for rows that a repair cannot reconstruct. */
const HINTS: Readonly<Record<string, string>> = {
  connections: 'disconnect it and connect the account again',
  credentials: 'disconnect its connections and connect the account again'
}

function describePlace({ key }: TableRule, row: Row): string {
  return key.map((name) => (name === 'item_id' ? itemName(row[name]) : keyText(row[name]))).join(' ')
}

function keyText(value: unknown): string {
  if (value instanceof BrokenText) return value.text
  return readBytes(value)?.toString('hex') ?? String(value)
}

function itemName(value: unknown): string {
  const bytes = readBytes(value)
  return bytes === undefined ? String(value) : JSON.stringify(decodeId(bytes))
}

type Scope = { transaction: Transaction<Tables> } & Pick<Database, 'dialect'>

/** Checks the row again under a lock, since another server may have changed it. */
async function repairRow(
  { transaction, dialect }: Scope,
  rule: TableRule,
  { row: seen, now }: { row: Row; now: EpochMs }
): Promise<CheckFinding[]> {
  const lock = dialect.locksRows ? sql`for update` : sql``
  const [row] = await selectRows({ db: transaction, dialect }, rule, sql`where ${isRow(rule, seen)} ${lock}`)
  if (row === undefined) return []
  const problems = findProblems(rule, row)
  const cured = problems.filter(({ cure }) => cure !== 'none')
  if (cured.length > 0) {
    await keepAside(transaction, rule, { row, reason: problems.map(({ says }) => says).join('; '), now })
    await cureRow(transaction, rule, { row, cures: cured.map(({ cure }) => cure), now })
  }
  const isGone = cured.some(({ cure }) => cure !== 'none' && cure.kind === 'remove')
  return problems.map((problem) => {
    const outcome = isGone ? 'set_aside' : problem.cure === 'none' ? 'found' : 'corrected'
    return toRowFinding(rule, row, { ...problem, outcome })
  })
}

type Curing = { row: Row; cures: readonly Cure[]; now: EpochMs }

async function cureRow(db: Db, rule: TableRule, { row, cures, now }: Curing): Promise<void> {
  const real = cures.filter((cure) => cure !== 'none')
  if (real.some(({ kind }) => kind === 'remove'))
    await sql`delete from ${sql.table(rule.table)} where ${isRow(rule, row)}`.execute(db)
  else
    for (const cure of real)
      if (cure.kind === 'change')
        await sql`update ${sql.table(rule.table)} set ${sql.ref(cure.column)} = ${cure.to}
          where ${isRow(rule, row)}`.execute(db)
  const connectionId = String(rule.table === 'connections' ? row.id : row.connection_id)
  const itemId = readBytes(row.item_id)
  if (real.some(({ again }) => again === 'connection')) await syncFromStart(db, connectionId, now)
  if (itemId !== undefined && real.some(({ again }) => again === 'item'))
    await readItemAgain(db, { connectionId, itemId }, now)
}

async function keepAside(
  db: Db,
  rule: TableRule,
  { row, reason, now }: { row: Row; reason: string; now: EpochMs }
): Promise<void> {
  const names = Object.keys(row).filter((name) => !WRONG_FLAG.test(name))
  const contents = Object.fromEntries(names.map((name) => [name, jsonValue(row[name])]))
  await db
    .insertInto('aside_rows')
    .values({
      table_name: rule.table,
      collection_id: await findCollectionId(db, rule, row),
      place: toStored(describePlace(rule, row)),
      contents: toStored(contents),
      reason: toStored(reason),
      set_aside_at: now
    })
    .execute()
}

/** Finds the collection of a row. When the collection is deleted, what was set aside is deleted with it. */
async function findCollectionId(db: Db, { table }: TableRule, row: Row): Promise<string | null> {
  const own = table === 'collections' ? row.id : row.collection_id
  if (typeof own === 'string') return own
  if (typeof row.connection_id !== 'string') return null
  const connection = await db
    .selectFrom('connections')
    .select('collection_id')
    .where('id', '=', row.connection_id)
    .executeTakeFirst()
  return connection?.collection_id ?? null
}

/** A row as it is in its table, with columns of any type and a flag for each relation that is violated. */
type Row = Readonly<Record<string, unknown>>

/** A key value in a form that JSON can hold. Bytes are base64, and so is text that is not UTF-8. */
export type KeyValue = string | number | { base64: string; isText?: true }

type RowsSource = Pick<Database, 'db' | 'dialect'>

/** Uses one statement, so that the rows and the rows they refer to are read at the same moment. */
async function nextRows(database: RowsSource, rule: TableRule, after: readonly KeyValue[]): Promise<Row[]> {
  const key = sql.join(rule.key.map((name) => sql.ref(`${rule.table}.${name}`)))
  const where = after.length === 0 ? sql`` : sql`where (${key}) > (${sql.join(after.map(keyParameter))})`
  return await selectRows(database, rule, sql`${where} order by ${key} limit ${sql.lit(rule.rowsMax)}`)
}

/** Selects rows. `rest` is the remaining part of the statement. */
async function selectRows(
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

/** libsql aborts the process when it reads text that is not UTF-8. Text is therefore read as bytes and decoded here. */
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
    const bytes = row[textFlag(name)] === 1 ? readBytes(row[name]) : undefined
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

const WRONG_FLAG = /^wrong_\d+$/

/** Returns the name of the column that flags a violation of the nth relation of a rule. */
function flagName(at: number): string {
  return `wrong_${at}`
}

function keyParameter(value: KeyValue): RawBuilder<unknown> {
  if (typeof value !== 'object') return sql`${value}`
  const bytes = Buffer.from(value.base64, 'base64')
  return value.isText ? sql`cast(${bytes} as text)` : sql`${bytes}`
}

/** Returns the key of a row. The next rows are requested by it. */
function keyOfRow({ key }: TableRule, row: Row | undefined): KeyValue[] | undefined {
  if (row === undefined) return undefined
  return key.map((name) => toKeyValue(row[name]))
}

function toKeyValue(value: unknown): KeyValue {
  if (value instanceof BrokenText) return { base64: value.bytes.toString('base64'), isText: true }
  const bytes = readBytes(value)
  if (bytes !== undefined) return { base64: bytes.toString('base64') }
  return typeof value === 'number' ? value : String(value)
}

/** Builds the condition that a row has the same key as this one. */
function isRow({ table, key }: TableRule, row: Row): RawBuilder<unknown> {
  const same = key.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${keyParameter(toKeyValue(row[name]))}`)
  return sql.join(same, sql` and `)
}

/** Converts a value to one that JSON can hold. */
function jsonValue(value: unknown): unknown {
  if (value instanceof BrokenText) return { base64: value.bytes.toString('base64') }
  const bytes = readBytes(value)
  if (bytes !== undefined) return { base64: bytes.toString('base64') }
  return typeof value === 'bigint' ? String(value) : value
}
