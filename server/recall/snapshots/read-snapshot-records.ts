import { CHUNK_BYTES_MAX } from '../../../src/snapshot/file/limits.ts'
import type { Source } from '../../../src/snapshot/file/source.ts'
import { serializeRecord } from '../../../src/snapshot/record/compute-check.ts'
import { ROW_KINDS } from '../../../src/snapshot/table/record-columns.ts'
import type { RecordTable } from '../../../src/snapshot/table/record-table.ts'
import { createRowReader } from '../../../src/snapshot/table/row-reader.ts'
import { msOfTimeKey, type RecordBatch } from '../../storage/port/record-batch.ts'

import type { SnapshotBytes } from '../engine/engine.ts'
import type { ReadRecords } from '../engine/engine-calls.ts'
import { type BatchRow, makeRecordBatch } from '../engine/make-record-batch.ts'
import { readSent } from './read-sent.ts'

/** Lines stored in one batch. */
const BATCH_LINES_MAX = 1000

/**
 * Returns the lines of a snapshot in canonical form and order, in batches for the storage. All lines are verified
 * before.
 */
export function readSnapshotRecords(snapshot: SnapshotBytes): ReadRecords {
  const { table, source } = readSent(snapshot)
  const lineOf = createCanonicalLines(table, source)
  const batches: RecordBatch[] = []
  let rows: BatchRow[] = []
  let bytes = 0
  const flush = (): void => {
    if (rows.length > 0) batches.push(makeRecordBatch(rows))
    rows = []
    bytes = 0
  }
  for (const row of table.listKept()) {
    const line = lineOf(row)
    if (rows.length === BATCH_LINES_MAX || bytes + line.length > CHUNK_BYTES_MAX) flush()
    rows.push(batchRow(table, row, line))
    bytes += line.length
  }
  flush()
  return { records: table.rows, batches }
}

function batchRow(table: RecordTable, row: number, line: Uint8Array): BatchRow {
  const { columns } = table.part
  const check = table.check(row)
  return {
    kind: ROW_KINDS[columns.kind[row] as number] ?? 'unknown',
    key: table.row(row).id?.toString('hex') ?? check,
    atMs: msOfTimeKey(columns.at[row] as number),
    extractor: columns.extractor[row] as number,
    check,
    line
  }
}

/**
 * Creates a function that returns the canonical line of a row, without LF. A line that is already canonical is copied.
 */
function createCanonicalLines(table: RecordTable, source: Source): (row: number) => Uint8Array {
  const { columns } = table.part
  const reader = createRowReader(source)
  return (row) => {
    const place = { offset: columns.offset[row] as number, length: columns.length[row] as number }
    if (columns.canonical[row] !== 1) return new TextEncoder().encode(serializeRecord(reader.record(place)))
    const line = new Uint8Array(place.length)
    source.read(line, place.offset)
    return line
  }
}
