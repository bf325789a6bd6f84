import type { Judged } from '../../src/snapshot/record/record-shape.ts'
import { packPage } from './pack-page.ts'
import { partsOf } from './parts-of.ts'
import type { StoredLine } from './plan-append.ts'
import { CHECK_BYTES, KEY_BYTES, type RecordBatch } from './record-batch.ts'
import { bufferOf, columnsOf, verifyRow } from './verify-lines.ts'
import type { CollectionScope } from './write-lines.ts'

/** Returns the lines of a collection that have one of these keys. Each is verified: a damaged line gives way to a sound one. */
export async function presentLines(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<StoredLine[]> {
  const { transaction, dialect, collectionId } = scope
  const lines: StoredLine[] = []
  for (const part of partsOf(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('records')
      .select(['seq', 'kind', 'key', 'time', 'extractor', 'check_hash', 'line', 'taken_back'])
      .where('collection_id', '=', collectionId)
      .where('key', 'in', part)
      .execute()
    const page = packPage(rows)
    const bytes = bufferOf(page.lines)
    for (const [at, { seq, taken_back }] of rows.entries())
      lines.push({ ...storedLine(page, at, verifyRow(page, bytes, at)), seq, isTakenBack: taken_back === 1 })
  }
  return lines
}

/** Of a damaged line only its columns are known, and each of them may be wrong. */
function storedLine(page: RecordBatch, row: number, verdict: Judged | string): Omit<StoredLine, 'seq' | 'isTakenBack'> {
  if (typeof verdict !== 'string') return { ...columnsOf(verdict), isDamaged: false }
  return {
    kind: page.kinds[row] ?? 0,
    key: page.keys.slice(row * KEY_BYTES, (row + 1) * KEY_BYTES),
    time: page.times[row] ?? -1,
    extractor: page.extractors[row] ?? 0,
    check: page.checks.slice(row * CHECK_BYTES, (row + 1) * CHECK_BYTES),
    isDamaged: true
  }
}
