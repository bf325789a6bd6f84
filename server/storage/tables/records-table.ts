import { Buffer } from 'node:buffer'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ParsedLine } from '../../../src/snapshot/record/check-record-shape.ts'
import { CHECK_SUFFIX_BYTES, readCheck, serializeRecord } from '../../../src/snapshot/record/compute-check.ts'
import { computeForgetId } from '../../../src/snapshot/record/identity.ts'
import type { CollectionScope } from '../database/dialect.ts'
import { splitIntoParts } from '../database/stored-values.ts'
import type { RecordRow } from '../database/tables.ts'
import {
  CHECK_BYTES,
  DAMAGED_KIND,
  ID_BYTES,
  KEY_BYTES,
  keyAt,
  RECORD_KINDS,
  type RecordBatch,
  type RecordPage
} from '../port/record-batch.ts'
import { copyAside } from './aside-tables.ts'
import type { LinesHead } from './collections-table.ts'
import { dropNotes } from './damaged-lines-table.ts'
import { toBuffer, toColumns, verifyRow } from './verify-row.ts'

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
type LinesChange = {
  removes: readonly number[]
  damaged: readonly number[]
  lines: readonly NewLine[]
  memoriesMore: number
  now: EpochMs
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
  for (const part of splitIntoParts(seqs, dialect.rowsPerStatement))
    await transaction.deleteFrom('records').where('collection_id', '=', collectionId).where('seq', 'in', part).execute()
}

async function insertLines(scope: CollectionScope, lines: readonly NewLine[], seq: number): Promise<void> {
  const { transaction, dialect, collectionId } = scope
  const rows = lines.map((line, at) => recordRow(line, collectionId, seq + at + 1))
  for (const part of splitIntoParts(rows, dialect.rowsPerStatement))
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

/** Returns the lines of a collection that have one of these keys. Each is verified: a damaged line gives way to a sound one. */
export async function selectLines(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<StoredLine[]> {
  const { transaction, dialect, collectionId } = scope
  const lines: StoredLine[] = []
  for (const part of splitIntoParts(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('records')
      .select(['seq', 'kind', 'key', 'time', 'extractor', 'check_hash', 'line', 'taken_back'])
      .where('collection_id', '=', collectionId)
      .where('key', 'in', part)
      .execute()
    const page = packPage(rows)
    const bytes = toBuffer(page.lines)
    for (const [at, { seq, taken_back }] of rows.entries())
      lines.push({ ...toStoredLine(page, at, verifyRow(page, bytes, at)), seq, isTakenBack: taken_back === 1 })
  }
  return lines
}

/** Of a damaged line only its columns are known, and each of them may be wrong. */
function toStoredLine(
  page: RecordBatch,
  row: number,
  verdict: ParsedLine | string
): Omit<StoredLine, 'seq' | 'isTakenBack'> {
  if (typeof verdict !== 'string') return { ...toColumns(verdict), isDamaged: false }
  return {
    kind: page.kinds[row] ?? 0,
    key: page.keys.slice(row * KEY_BYTES, (row + 1) * KEY_BYTES),
    time: page.times[row] ?? -1,
    extractor: page.extractors[row] ?? 0,
    check: page.checks.slice(row * CHECK_BYTES, (row + 1) * CHECK_BYTES),
    isDamaged: true
  }
}

/** Why a memory is forgotten that was in an account, and is no more. */
const REASON = 'deleted at the source'

/** The line that takes back the memory of this key, as a source does. */
export function forgetLine(key: Uint8Array, now: number): NewLine {
  const id = Buffer.from(key.buffer, key.byteOffset, ID_BYTES).toString('hex')
  const target = `mem_${id}`
  const at = new Date(now).toISOString()
  const line = Buffer.from(serializeRecord({ type: 'forget', id: computeForgetId(target), at, target, reason: REASON }))
  return {
    kind: RECORD_KINDS.forget,
    key,
    time: now,
    extractor: 0,
    check: Buffer.from(readCheck(line, line.byteLength - CHECK_SUFFIX_BYTES), 'hex'),
    line,
    takenBack: 1
  }
}

/** What a page has of a row. */
type PageRow = Omit<RecordRow, 'collection_id' | 'line_bytes' | 'taken_back'>

/**
 * Rows as the plain arrays in which lines travel, each with memory of its own. A damaged row may have values of any type:
 * what does not fit becomes a value that no sound row has, so that verifying the page finds it.
 */
export function packPage(rows: readonly PageRow[]): Omit<RecordPage, 'damaged'> {
  const count = rows.length
  const lines = rows.map((row) => bytesOrNone(row.line))
  const page = {
    count,
    seqs: new Float64Array(count),
    kinds: new Uint8Array(count),
    keys: new Uint8Array(count * KEY_BYTES),
    times: new Float64Array(count),
    extractors: new Float64Array(count),
    checks: new Uint8Array(count * CHECK_BYTES),
    ends: new Uint32Array(count),
    lines: new Uint8Array(lines.reduce((sum, line) => sum + line.byteLength, 0))
  }
  let end = 0
  for (const [at, row] of rows.entries()) {
    const line = lines[at] ?? NO_BYTES
    const [key, check] = [bytesOrNone(row.key), bytesOrNone(row.check_hash)]
    const fits = key.byteLength === KEY_BYTES && check.byteLength === CHECK_BYTES
    page.seqs[at] = numberOrNone(row.seq)
    page.kinds[at] = fits && KNOWN_KINDS.has(row.kind) ? row.kind : DAMAGED_KIND
    page.keys.set(key.subarray(0, KEY_BYTES), at * KEY_BYTES)
    page.times[at] = numberOrNone(row.time)
    page.extractors[at] = numberOrNone(row.extractor)
    page.checks.set(check.subarray(0, CHECK_BYTES), at * CHECK_BYTES)
    page.lines.set(line, end)
    end += line.byteLength
    page.ends[at] = end
  }
  return page
}

const NO_BYTES = new Uint8Array(0)
const KNOWN_KINDS: ReadonlySet<unknown> = new Set([0, 1, 2])

function bytesOrNone(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  return value instanceof ArrayBuffer ? new Uint8Array(value) : NO_BYTES
}

function numberOrNone(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN
}

/** A line that is there already, by what decides whether another one takes its place. */
export type StoredLine = {
  seq: number
  kind: number
  key: Uint8Array
  time: number
  extractor: number
  check: Uint8Array
  /** Of a forget line: a source took the memory back. */
  isTakenBack: boolean
  /** It is not what was written: only its columns are known. */
  isDamaged: boolean
}
