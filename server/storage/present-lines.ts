import { partsOf } from './parts-of.ts'
import type { StoredLine } from './plan-append.ts'
import { bytesOf } from './tables.ts'
import type { CollectionScope } from './write-lines.ts'

/** Lines of a collection that have one of these keys. */
export async function presentLines(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<StoredLine[]> {
  const { transaction, dialect, collectionId } = scope
  const lines: StoredLine[] = []
  for (const part of partsOf(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('records')
      .select(['seq', 'kind', 'key', 'time', 'extractor', 'check_hash', 'taken_back'])
      .where('collection_id', '=', collectionId)
      .where('key', 'in', part)
      .execute()
    for (const { taken_back, ...row } of rows)
      lines.push({ ...row, key: bytesOf(row.key), check: bytesOf(row.check_hash), isTakenBack: taken_back === 1 })
  }
  return lines
}
