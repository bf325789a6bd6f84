import { CHECK_BYTES, KEY_BYTES, RECORD_KINDS, type RecordBatch } from '../../storage/port/record-batch.ts'

/** A line that goes into a batch. `key` and `check` are hex, the line is canonical and without LF. */
export type BatchRow = {
  kind: keyof typeof RECORD_KINDS
  /** Of a memory its id, of a forget line its target, without the prefix; of another line its check. */
  key: string
  atMs: number
  extractor: number
  check: string
  line: Uint8Array
}

/** Lines as plain arrays, with memory of their own. */
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

/** The memory of a batch's arrays, to be moved instead of copied. Of arrays that share memory with others, nothing. */
export function listBuffers(batch: RecordBatch): ArrayBuffer[] {
  const buffers = Object.values(batch).flatMap((column) => (typeof column === 'number' ? [] : ownBuffer(column)))
  return [...new Set(buffers)]
}

/** The memory of an array that has it to itself. */
export function ownBuffer(array: Uint8Array | Float64Array | Uint32Array): ArrayBuffer[] {
  const { buffer, byteLength } = array
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}
