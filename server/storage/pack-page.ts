import { CHECK_BYTES, KEY_BYTES, type RecordPage } from './record-batch.ts'
import { bytesOf, type RecordRow } from './tables.ts'

/** What a page has of a row. */
export type PageRow = Omit<RecordRow, 'collection_id' | 'line_bytes' | 'taken_back'>

/** Rows as the plain arrays in which lines travel, each with memory of its own. */
export function packPage(rows: readonly PageRow[]): RecordPage {
  const count = rows.length
  const lines = rows.map((row) => bytesOf(row.line))
  const page: RecordPage = {
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
    const line = lines[at] ?? new Uint8Array(0)
    page.seqs[at] = row.seq
    page.kinds[at] = row.kind
    page.keys.set(bytesOf(row.key), at * KEY_BYTES)
    page.times[at] = row.time
    page.extractors[at] = row.extractor
    page.checks.set(bytesOf(row.check_hash), at * CHECK_BYTES)
    page.lines.set(line, end)
    end += line.byteLength
    page.ends[at] = end
  }
  return page
}
