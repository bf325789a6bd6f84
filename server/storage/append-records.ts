import type { Transaction } from 'kysely'
import { missingCollection } from './collections-table.ts'
import type { Dialect } from './dialect.ts'
import { type AppendPlan, keyAt, planAppend, type StoredLine } from './plan-append.ts'
import { CHECK_BYTES, type RecordBatch } from './record-batch.ts'
import type { Appended } from './storage.ts'
import { bytesOf, type Db, type RecordRow, type Tables } from './tables.ts'

export type AppendInput = { dialect: Dialect; collectionId: string; batch: RecordBatch }

/**
 * Puts lines into a collection in one transaction, as `Storage.append` says. The lock of the collection's row makes
 * appends to it come one after another, so that sequence numbers are seen in their order.
 */
export function appendRecords(db: Db, input: AppendInput): Promise<Appended> {
  return db.transaction().execute((transaction) => append(transaction, input))
}

async function append(transaction: Transaction<Tables>, input: AppendInput): Promise<Appended> {
  const { seq, memories } = await lockCollection(transaction, input)
  const plan = planAppend(input.batch, await presentLines(transaction, input))
  if (plan.inserts.length === 0) return { outcomes: plan.outcomes, seq }

  await removeLines(transaction, input, plan.removes)
  await insertLines(transaction, input, { plan, seq })
  const newest = seq + plan.inserts.length
  await transaction
    .updateTable('collections')
    .set({ seq: newest, memories: memories + plan.memoriesMore })
    .where('id', '=', input.collectionId)
    .execute()
  return { outcomes: plan.outcomes, seq: newest }
}

async function lockCollection(transaction: Transaction<Tables>, { dialect, collectionId }: AppendInput) {
  const query = transaction
    .selectFrom('collections')
    .select(['seq', 'memories'])
    .where('id', '=', collectionId)
    .where('deleted_at', 'is', null)
  const row = await (dialect.locksRows ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined) throw missingCollection(collectionId)
  return row
}

/** Lines of the collection that have an id of the batch. */
async function presentLines(transaction: Transaction<Tables>, input: AppendInput): Promise<StoredLine[]> {
  const { batch, collectionId, dialect } = input
  const keys = Array.from({ length: batch.count }, (_, row) => keyAt(batch, row))
  const lines: StoredLine[] = []
  for (const part of partsOf(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('records')
      .select(['seq', 'kind', 'key', 'time', 'extractor', 'check_hash'])
      .where('collection_id', '=', collectionId)
      .where('key', 'in', part)
      .execute()
    for (const row of rows) lines.push({ ...row, key: bytesOf(row.key), check: bytesOf(row.check_hash) })
  }
  return lines
}

async function removeLines(transaction: Transaction<Tables>, input: AppendInput, seqs: number[]): Promise<void> {
  for (const part of partsOf(seqs, input.dialect.rowsPerStatement))
    await transaction
      .deleteFrom('records')
      .where('collection_id', '=', input.collectionId)
      .where('seq', 'in', part)
      .execute()
}

type Numbered = { plan: AppendPlan; seq: number }

async function insertLines(transaction: Transaction<Tables>, input: AppendInput, { plan, seq }: Numbered) {
  const rows = plan.inserts.map((row, at) => recordRow(input, row, seq + at + 1))
  for (const part of partsOf(rows, input.dialect.rowsPerStatement))
    await transaction.insertInto('records').values(part).execute()
}

function recordRow({ batch, collectionId }: AppendInput, row: number, seq: number): RecordRow {
  const line = batch.lines.subarray(row === 0 ? 0 : batch.ends[row - 1], batch.ends[row])
  return {
    collection_id: collectionId,
    seq,
    kind: batch.kinds[row] ?? 0,
    key: keyAt(batch, row),
    time: batch.times[row] ?? -1,
    extractor: batch.extractors[row] ?? 0,
    check_hash: batch.checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES),
    line_bytes: line.byteLength,
    line,
    taken_back: 0
  }
}

function* partsOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
