import { Buffer } from 'node:buffer'
import { sql, type Transaction } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { parseLine } from '../../../src/snapshot/record/parse-line.ts'
import type { CollectionScope, Database } from '../database/dialect.ts'
import { toBytes, toStored } from '../database/stored-values.ts'
import type { Bytes, Db, RecordRow, Tables } from '../database/tables.ts'
import type { CheckFinding, CheckMode } from '../port/check-storage.ts'
import { type DamagedLine, ID_BYTES, KEY_BYTES, RECORD_KINDS, toColumns } from '../port/record-batch.ts'
import { lockLines } from '../tables/collections-table.ts'
import { endOpenRuns } from '../tables/connections-table.ts'
import { copyAside, countNotes, dropNotes, replaceNotes } from '../tables/damage-tables.ts'
import { recordPages } from '../tables/record-pages.ts'
import { forgetLine, type NewLine, writeLines } from '../tables/records-table.ts'

type LinesAsked = { collectionId: string; after: number; mode: CheckMode; maxBytes: number; now: EpochMs }

/** `after` is where the next page begins. It is undefined after the last line. */
type CheckedLines = { lines: number; findings: CheckFinding[]; after: number | undefined }

/** Verifies a page of a collection's lines. A repair rewrites the damaged ones or sets them aside. */
export async function checkLines(database: Database, asked: LinesAsked): Promise<CheckedLines> {
  const { collectionId, after, maxBytes } = asked
  try {
    const range = { after, upTo: Number.MAX_SAFE_INTEGER, maxBytes }
    const page = await recordPages.verifyLines(database, collectionId, range)
    const findings = await settle(database, asked, page)
    return { lines: page.lines, findings, after: page.isEnd ? undefined : page.upTo }
  } catch (error) {
    // The rows and the indexes disagree, so no later page can be read in order.
    if (!(error instanceof Fault) || error.code !== 'damaged_storage') throw error
    const finding = { table: 'records', collectionId, place: `after sequence number ${after}` }
    return { lines: 0, findings: [{ ...finding, problem: error.message, outcome: 'found' }], after: undefined }
  }
}

type Page = { upTo: number; damaged: readonly DamagedLine[] }

async function settle(database: Database, asked: LinesAsked, page: Page): Promise<CheckFinding[]> {
  const { collectionId, after, mode, now } = asked
  const { damaged, upTo } = page
  const found = damaged.map((line) => toLineFinding(line, collectionId, 'found'))
  if (mode === 'note' && (damaged.length > 0 || (await hasNotes(database.db, collectionId))))
    await replaceNotes(database, { collectionId, found: { after, upTo, damaged }, now })
  if (mode !== 'repair' || damaged.length === 0) return found
  return await repairLines(database, asked, page)
}

async function hasNotes(db: Db, collectionId: string): Promise<boolean> {
  const note = await db
    .selectFrom('damaged_lines')
    .select('seq')
    .where('collection_id', '=', collectionId)
    .limit(1)
    .executeTakeFirst()
  return note !== undefined
}

function toLineFinding(
  { seq, id, reason }: DamagedLine,
  collectionId: string,
  outcome: CheckFinding['outcome']
): CheckFinding {
  const place = id === '' ? `sequence number ${seq}` : `${id}, sequence number ${seq}`
  return { table: 'records', collectionId, place, problem: reason, outcome }
}

/** A line as it is in the table, with columns of any type. */
type RawLine = { [Column in keyof RecordRow]: unknown } & { seq: number }

function repairLines(
  database: Database,
  { collectionId, after, maxBytes, now }: LinesAsked,
  { upTo }: Page
): Promise<CheckFinding[]> {
  const { db, dialect } = database
  return db.transaction().execute(async (transaction) => {
    const scope = { transaction, dialect, collectionId }
    const owners = await lockOwners(scope, { after, upTo })
    const head = await lockLines(scope)
    if (head === undefined) return []
    // Verify again: another server may have changed the lines before the lock was acquired.
    const { damaged } = await recordPages.verifyLines({ ...database, db: transaction }, collectionId, {
      after,
      upTo,
      maxBytes
    })
    const findings: CheckFinding[] = []
    for (const line of damaged) {
      const row = await rawLine(transaction, collectionId, line.seq)
      if (row === undefined) continue
      const columns = await columnsFromLine(transaction, row)
      if (columns === undefined) await setAside(scope, row, { reason: line.reason, now })
      else await putColumns(transaction, row, columns)
      findings.push(toLineFinding(line, collectionId, columns === undefined ? 'set_aside' : 'corrected'))
    }
    await dropNotes(
      scope,
      damaged.map(({ seq }) => seq)
    )
    await correctCounters(scope)
    await readAgain(scope, owners, now)
    return findings
  })
}

async function rawLine(db: Db, collectionId: string, seq: number): Promise<RawLine | undefined> {
  const row = await db
    .withoutPlugins()
    .selectFrom('records')
    .selectAll()
    .where('collection_id', '=', collectionId)
    .where('seq', '=', seq)
    .executeTakeFirst()
  return row as RawLine | undefined
}

type Columns = Pick<RecordRow, 'kind' | 'key' | 'time' | 'extractor' | 'check_hash' | 'line_bytes' | 'taken_back'>

/**
 * Derives the columns from a line whose own check is valid. Returns undefined if the line is damaged, or if its key
 * belongs to another line.
 */
async function columnsFromLine(db: Db, row: RawLine): Promise<Columns | undefined> {
  const bytes = readBytes(row.line)
  const judged = bytes === undefined ? 'no bytes' : parseLine(bytes, 0, bytes.byteLength)
  if (bytes === undefined || typeof judged === 'string' || judged.kind === 'header' || !judged.view.canonical)
    return undefined
  const { check, ...columns } = toColumns(judged)
  const other = await db
    .selectFrom('records')
    .select('seq')
    .where('collection_id', '=', String(row.collection_id))
    .where('key', '=', columns.key)
    .where('kind', '=', columns.kind)
    .where('seq', '!=', row.seq)
    .executeTakeFirst()
  if (other !== undefined) return undefined
  const isTakenBack = columns.kind === RECORD_KINDS.forget && row.taken_back === 1
  return { ...columns, check_hash: check, line_bytes: bytes.byteLength, taken_back: isTakenBack ? 1 : 0 }
}

/** Returns a view of the bytes that an engine returned for a column, or undefined if the value has another type. */
export function readBytes(value: unknown): Buffer | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? Buffer.from(value) : undefined
}

async function putColumns(db: Db, row: RawLine, columns: Columns): Promise<void> {
  await db
    .updateTable('records')
    .set(columns)
    .where('collection_id', '=', String(row.collection_id))
    .where('seq', '=', row.seq)
    .execute()
}

/**
 * Copies the bytes aside and removes the line. A forget line is rebuilt from its key, so that its memory stays
 * forgotten.
 */
async function setAside(scope: CollectionScope, row: RawLine, why: { reason: string; now: EpochMs }): Promise<void> {
  await copyAside(scope, [row.seq], why)
  const head = await lockLines(scope)
  if (head === undefined) return
  const lines = row.kind === RECORD_KINDS.forget ? forgetLinesFor(row, why.now) : []
  await writeLines(scope, head, { removes: [row.seq], damaged: [], lines, memoriesMore: 0, now: why.now })
}

function forgetLinesFor({ key, taken_back }: RawLine, now: EpochMs): NewLine[] {
  const bytes = readBytes(key)
  const isKey = bytes?.byteLength === KEY_BYTES && bytes.subarray(ID_BYTES).every((byte) => byte === 0)
  if (bytes === undefined || !isKey) return []
  return [{ ...forgetLine(bytes, now), takenBack: taken_back === 1 ? 1 : 0 }]
}

/** Compares the counters of a collection with the rows that they count. A repair corrects them. */
export async function checkCounters(
  { db, dialect }: Database,
  { collectionId, mode }: Pick<LinesAsked, 'collectionId' | 'mode'>
): Promise<CheckFinding[]> {
  const wrong = wrongCounters(collectionId, await selectCounters(db, collectionId))
  if (mode !== 'repair' || wrong.length === 0) return wrong
  return await db.transaction().execute(async (transaction) => {
    const scope = { transaction, dialect, collectionId }
    if (dialect.locksRows) await lockLines(scope)
    const found = wrongCounters(collectionId, await selectCounters(transaction, collectionId))
    await correctCounters(scope)
    return found.map((finding) => ({ ...finding, outcome: 'corrected' }))
  })
}

/** `lines`, `last`, `notes` and `strayNotes` are counted from the rows; the others come from the collection's row. */
type Counters = {
  memories: unknown
  seq: unknown
  damaged: unknown
  lines: number
  last: number
  notes: number
  stray_notes: number
}

/** Uses one statement, so that all numbers describe the same moment. */
async function selectCounters(db: Db, collectionId: string): Promise<Counters | undefined> {
  const own = sql`collection_id = collections.id`
  const { rows } = await sql<Counters>`
    select memories, seq, damaged,
      (select count(*) from records where ${own} and kind = ${sql.lit(RECORD_KINDS.memory)}) as lines,
      (select coalesce(max(seq), 0) from records where ${own}) as last,
      (select count(*) from damaged_lines where ${own}) as notes,
      (select count(*) from damaged_lines as note where note.collection_id = collections.id and not exists (
        select 1 from records where records.collection_id = note.collection_id and records.seq = note.seq
      )) as stray_notes
    from collections where id = ${collectionId} and deleted_at is null`.execute(db.withoutPlugins())
  return rows[0]
}

function wrongCounters(collectionId: string, counters: Counters | undefined): CheckFinding[] {
  if (counters === undefined) return []
  const { memories, seq, damaged, lines, last, notes, stray_notes } = counters
  const finding = { table: 'collections', collectionId, place: collectionId, outcome: 'found' as const }
  const problems = [
    memories === lines ? [] : [`counts ${describeNumber(memories)} memories but has ${lines}`],
    Number.isSafeInteger(seq) && Number(seq) >= last
      ? []
      : [`has a sequence counter of ${describeNumber(seq)} but a line with number ${last}`],
    damaged === notes && stray_notes === 0
      ? []
      : [`counts ${describeNumber(damaged)} damaged lines but has notes of ${notes - stray_notes}`]
  ].flat()
  return problems.map((problem) => ({ ...finding, problem }))
}

function describeNumber(value: unknown): string {
  return typeof value === 'number' ? String(value) : 'a value that is not a number'
}

/** Corrects the counters. The caller holds the lock on the collection's row. */
async function correctCounters({ transaction, collectionId }: Pick<CollectionScope, 'transaction' | 'collectionId'>) {
  await sql`delete from damaged_lines where collection_id = ${collectionId} and not exists (
    select 1 from records where records.collection_id = damaged_lines.collection_id and records.seq = damaged_lines.seq
  )`.execute(transaction)
  await countNotes(transaction, collectionId)
  const counters = await selectCounters(transaction, collectionId)
  if (counters === undefined) return
  const { seq, last, lines } = counters
  const isSound = Number.isSafeInteger(seq) && Number(seq) >= last
  await putCounters(transaction, collectionId, { memories: lines, seq: isSound ? Number(seq) : last })
}

async function putCounters(
  transaction: Transaction<Tables>,
  collectionId: string,
  counters: { memories: number; seq: number }
): Promise<void> {
  await transaction.updateTable('collections').set(counters).where('id', '=', collectionId).execute()
}

/** The reason stored with an item that will be read again, as text written by `toStored`. */
const REASON = toStored('its memories were damaged in the database, so it is read again')

/** An item of a connection that is not revoked. */
type Owner = { connectionId: string; itemId: Uint8Array }

type OwnerRow = { connection_id: string; item_id: Bytes; memory_key: Bytes }

type OwnedMemory = Owner & { memoryKey: Uint8Array }

/**
 * Finds the items that own memories with sequence numbers above `after` and up to `upTo`, and locks their connections.
 * Everywhere, the row of a collection is locked after the rows of its connections.
 */
async function lockOwners(
  { transaction, dialect, collectionId }: CollectionScope,
  { after, upTo }: { after: number; upTo: number }
): Promise<OwnedMemory[]> {
  const { rows } = await sql<OwnerRow>`
    select holdings.connection_id, holdings.item_id, holdings.memory_key
    from records
    join holdings on holdings.collection_id = records.collection_id and holdings.memory_key = records.key
    join connections on connections.id = holdings.connection_id and connections.revoked_at is null
    where records.collection_id = ${collectionId} and records.seq > ${after} and records.seq <= ${upTo}`.execute(
    transaction
  )
  const ids = [...new Set(rows.map(({ connection_id }) => connection_id))].sort()
  if (dialect.locksRows && ids.length > 0)
    await transaction.selectFrom('connections').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
  return rows.map((row) => ({
    connectionId: row.connection_id,
    itemId: toBytes(row.item_id),
    memoryKey: toBytes(row.memory_key)
  }))
}

/** Schedules a new read of each item that has lost the line of a memory. */
async function readAgain(
  { transaction, collectionId }: CollectionScope,
  owned: readonly OwnedMemory[],
  now: EpochMs
): Promise<void> {
  for (const { connectionId, itemId, memoryKey } of owned) {
    const line = await transaction
      .selectFrom('records')
      .select('seq')
      .where('collection_id', '=', collectionId)
      .where('key', '=', memoryKey)
      .executeTakeFirst()
    if (line === undefined) await readItemAgain(transaction, { connectionId, itemId }, now)
  }
}

/** Makes the next sync read the item again, whatever its version. */
export async function readItemAgain(db: Db, { connectionId, itemId }: Owner, now: EpochMs): Promise<void> {
  await db
    .updateTable('items')
    .set({ status: 'failed', reason: REASON, tries: 0, next_try_at: now })
    .where('connection_id', '=', connectionId)
    .where('item_id', '=', itemId)
    .execute()
  await db
    .updateTable('connections')
    .set({ next_run_at: now })
    .where('id', '=', connectionId)
    .where('status', '=', 'active')
    .execute()
}

/** Makes the next sync of the connection list everything. Fences off a run in progress. */
export async function syncFromStart(db: Db, connectionId: string, now: EpochMs): Promise<void> {
  await db
    .updateTable('connections')
    .set(({ eb }) => ({
      progress: null,
      lease_owner: null,
      lease_until: null,
      fence: eb('fence', '+', 1),
      next_run_at: now
    }))
    .where('id', '=', connectionId)
    .where('status', '=', 'active')
    .execute()
  await endOpenRuns(db, [connectionId], { outcome: 'stopped', now })
}
