import { CHECK_BYTES, DAMAGED_KIND, KEY_BYTES, type RecordPage } from './record-batch.ts'
import type { RecordRow } from './tables.ts'

/** What a page has of a row. */
export type PageRow = Omit<RecordRow, 'collection_id' | 'line_bytes' | 'taken_back'>

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
