import { serializeForget } from '../../../src/snapshot/record/identity.ts'
import { parseLine } from '../../../src/snapshot/record/parse-line.ts'
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

/** Builds the lines that forget memories, given by their whole ids, at a time in the form of a snapshot. */
export function makeForgetBatch(targets: readonly string[], at: string): RecordBatch {
  return makeRecordBatch(
    targets.map((target) => {
      const line = Buffer.from(serializeForget(target, at))
      const parsed = parseLine(line, 0, line.length)
      if (typeof parsed === 'string') throw new Error(`the line that forgets ${target} ${parsed}`)
      const { extractor, check } = parsed
      return { kind: 'forget', key: target.slice(ID_PREFIX.length), atMs: Date.parse(at), extractor, check, line }
    })
  )
}

const ID_PREFIX = 'mem_'

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
