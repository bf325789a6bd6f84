import { sql, type Transaction } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Database } from '../database/dialect.ts'
import { BrokenText, decodeId, toStored } from '../database/stored-values.ts'
import type { ColumnRule, Cure, TableRule } from '../database/table-rules.ts'
import type { Db, Tables } from '../database/tables.ts'
import type { CheckFinding, CheckMode } from '../port/check-storage.ts'
import { readItemAgain, syncFromStart } from './read-again.ts'
import {
  bytesFrom,
  flagName,
  isRow,
  jsonValue,
  type KeyValue,
  keyOfRow,
  nextRows,
  type Row,
  selectRows,
  WRONG_FLAG
} from './read-rows.ts'

export type RowsAsked = { after: readonly KeyValue[]; mode: CheckMode; now: EpochMs }

/** `after`: the key of the last row; undefined behind the last one. */
export type CheckedRows = { rows: number; findings: CheckFinding[]; after: KeyValue[] | undefined }

/** Verifies the next rows of a table, in the order of their keys. A repair sets aside what it changes or removes. */
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

/** Tables whose rows say which connection uses which credential. */
const LINKING: ReadonlySet<string> = new Set(['connections', 'credentials'])

type Problem = { says: string; cure: Cure }

function findProblems({ key, columns, relations }: TableRule, row: Row): Problem[] {
  const broken = Object.entries(row).flatMap(([name, value]) =>
    value instanceof BrokenText
      ? [{ says: `\`${name}\` is no UTF-8`, cure: cureOfText({ key, columns }, name, value) }]
      : []
  )
  const ofColumns = Object.entries(columns).flatMap(([name, rule]) => {
    const says = row[name] instanceof BrokenText ? undefined : wrongValue(rule, row[name])
    return says === undefined ? [] : [{ says: `\`${name}\` ${says}`, cure: rule.cure }]
  })
  return [...broken, ...ofColumns, ...relations.filter((_, at) => Number(row[flagName(at)]) === 1)]
}

/** What can be read of a text stays, so that reading it ends no server. */
function cureOfText({ key, columns }: Pick<TableRule, 'key' | 'columns'>, name: string, { text }: BrokenText): Cure {
  if (key.includes(name)) return { kind: 'remove' }
  const rule = columns[name]
  const isSound = rule === undefined || wrongValue(rule, text) === undefined
  if (!isSound && rule.cure !== 'none') return rule.cure
  return { kind: 'change', column: name, to: sql`${text}` }
}

function wrongValue({ holds, isNullable }: ColumnRule, value: unknown): string | undefined {
  if (value === null) return isNullable ? undefined : 'is missing'
  if (holds === 'whole') return Number.isSafeInteger(value) ? undefined : 'is no whole number'
  if (typeof value !== 'string') return 'is no text'
  if (holds === 'text') return isJson(value) ? undefined : 'is no JSON'
  return holds.includes(value) ? undefined : `is none of ${holds.join(', ')}`
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

/** What helps where a repair cannot know what stood there. */
const HINTS: Readonly<Record<string, string>> = {
  connections: 'disconnect it and connect the account again',
  credentials: 'disconnect its connections and connect the account again'
}

function describePlace({ key }: TableRule, row: Row): string {
  return key.map((name) => (name === 'item_id' ? itemName(row[name]) : keyText(row[name]))).join(' ')
}

function keyText(value: unknown): string {
  if (value instanceof BrokenText) return value.text
  return bytesFrom(value)?.toString('hex') ?? String(value)
}

function itemName(value: unknown): string {
  const bytes = bytesFrom(value)
  return bytes === undefined ? String(value) : JSON.stringify(decodeId(bytes))
}

type Scope = { transaction: Transaction<Tables> } & Pick<Database, 'dialect'>

/** Looks once more, with the row locked: until then another server may have changed it. */
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
  const itemId = bytesFrom(row.item_id)
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

/** With it, what was set aside is deleted. */
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
