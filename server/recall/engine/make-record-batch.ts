import { CHECK_BYTES, KEY_BYTES, RECORD_KINDS, type RecordBatch } from '../../storage/port/record-batch.ts'

/** A line for a batch. `key` and `check` are hex; the line is canonical and has no LF. */
export type BatchRow = {
  kind: keyof typeof RECORD_KINDS
  /** Without prefix: the id of a memory, the target of a forget line, or the check of any other line. */
  key: string
  atMs: number
  extractor: number
  check: string
  line: Uint8Array
}

/** Packs lines into plain arrays with their own memory. */
export function makeRecordBatch(rows: readonly BatchRow[]): RecordBatch {
  const count = rows.length
  const batch: RecordBatch = {
    count,
    kinds: new Uint8Array(count),
    keys: new Uint8Array(count * KEY_BYTES),
    times: new Float64Array(count),
    extractors: new Float64Array(count),
    checks: new Uint8Array(count * CHECK_BYTES),
    ends: new Uint32Array(count),
    lines: new Uint8Array(rows.reduce((sum, { line }) => sum + line.length, 0))
  }
  let end = 0
  for (const [row, { kind, key, atMs, extractor, check, line }] of rows.entries()) {
    batch.kinds[row] = RECORD_KINDS[kind]
    batch.keys.set(Buffer.from(key, 'hex'), row * KEY_BYTES)
    batch.times[row] = atMs
    batch.extractors[row] = extractor
    batch.checks.set(Buffer.from(check, 'hex'), row * CHECK_BYTES)
    batch.lines.set(line, end)
    end += line.length
    batch.ends[row] = end
  }
  return batch
}

/**
 * Returns the buffers of a batch that can be transferred instead of copied. Buffers shared with others are excluded.
 */
export function listBuffers(batch: RecordBatch): ArrayBuffer[] {
  const buffers = Object.values(batch).flatMap((column) => (typeof column === 'number' ? [] : ownBuffer(column)))
  return [...new Set(buffers)]
}

/** Returns the buffer of an array that is its only user. */
export function ownBuffer(array: Uint8Array | Float64Array | Uint32Array): ArrayBuffer[] {
  const { buffer, byteLength } = array
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}
