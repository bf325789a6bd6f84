import type { Transaction } from 'kysely'
import type { EpochMs } from '../../src/contract/milliseconds.ts'
import { copyAside } from './aside-lines.ts'
import { dropNotes } from './damaged-lines.ts'
import type { Dialect } from './dialect.ts'
import { partsOf } from './parts-of.ts'
import { keyAt } from './plan-append.ts'
import { CHECK_BYTES, type RecordBatch } from './record-batch.ts'
import type { RecordRow, Tables } from './tables.ts'

/** A transaction, and the collection that it is about. */
export type CollectionScope = { transaction: Transaction<Tables>; dialect: Dialect; collectionId: string }

/** What a collection's row knows of its lines. */
export type LinesHead = { seq: number; memories: number; damaged: number }

/** A line on its way into a collection. */
export type NewLine = {
  kind: number
  key: Uint8Array
  time: number
  extractor: number
  check: Uint8Array
  line: Uint8Array
  /** As in `RecordRow`. */
  takenBack: 0 | 1
}

/** `removes`: sequence numbers; `damaged`: those of them whose bytes are set aside. */
export type LinesChange = {
  removes: readonly number[]
  damaged: readonly number[]
  lines: readonly NewLine[]
  memoriesMore: number
  now: EpochMs
}

/** What a collection has, its row locked until the transaction ends; undefined where it is gone. */
export async function lockLines({
  transaction,
  dialect,
  collectionId
}: CollectionScope): Promise<LinesHead | undefined> {
  const query = transaction
    .selectFrom('collections')
    .select(['seq', 'memories', 'damaged'])
    .where('id', '=', collectionId)
    .where('deleted_at', 'is', null)
  return await (dialect.locksRows ? query.forUpdate() : query).executeTakeFirst()
}

/** Takes lines out and puts others in, with the next sequence numbers. Gives the highest one. */
export async function writeLines(scope: CollectionScope, head: LinesHead, change: LinesChange): Promise<number> {
  const { removes, damaged, lines, memoriesMore, now } = change
  if (removes.length === 0 && lines.length === 0) return head.seq
  if (damaged.length > 0) await copyAside(scope, damaged, { reason: 'a sound line took its place', now })
  await removeLines(scope, removes)
  if (head.damaged > 0) await dropNotes(scope, removes)
  await insertLines(scope, lines, head.seq)
  const seq = head.seq + lines.length
  await scope.transaction
    .updateTable('collections')
    .set({ seq, memories: head.memories + memoriesMore })
    .where('id', '=', scope.collectionId)
    .execute()
  return seq
}

/** A line of a batch. */
export function newLineAt(batch: RecordBatch, row: number): NewLine {
  return {
    kind: batch.kinds[row] ?? 0,
    key: keyAt(batch, row),
    time: batch.times[row] ?? -1,
    extractor: batch.extractors[row] ?? 0,
    check: batch.checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES),
    line: batch.lines.subarray(row === 0 ? 0 : batch.ends[row - 1], batch.ends[row]),
    takenBack: 0
  }
}

/** Takes lines out by their sequence numbers. */
async function removeLines(scope: CollectionScope, seqs: readonly number[]): Promise<void> {
  const { transaction, dialect, collectionId } = scope
  for (const part of partsOf(seqs, dialect.rowsPerStatement))
    await transaction.deleteFrom('records').where('collection_id', '=', collectionId).where('seq', 'in', part).execute()
}

async function insertLines(scope: CollectionScope, lines: readonly NewLine[], seq: number): Promise<void> {
  const { transaction, dialect, collectionId } = scope
  const rows = lines.map((line, at) => recordRow(line, collectionId, seq + at + 1))
  for (const part of partsOf(rows, dialect.rowsPerStatement))
    await transaction.insertInto('records').values(part).execute()
}

function recordRow(line: NewLine, collectionId: string, seq: number): RecordRow {
  return {
    collection_id: collectionId,
    seq,
    kind: line.kind,
    key: line.key,
    time: line.time,
    extractor: line.extractor,
    check_hash: line.check,
    line_bytes: line.line.byteLength,
    line: line.line,
    taken_back: line.takenBack
  }
}
