import { sql } from 'kysely'
import type { EpochMs } from '../../src/contract/milliseconds.ts'
import { partsOf } from './parts-of.ts'
import { RECORD_KINDS } from './record-batch.ts'
import { toStored } from './stored-values.ts'
import { bytesOf } from './tables.ts'
import type { CollectionScope } from './write-lines.ts'

/** Columns of a line that `aside_lines` has as `records` has them. */
const COLUMNS = [
  'collection_id',
  'seq',
  'kind',
  'key',
  'time',
  'extractor',
  'check_hash',
  'line',
  'line_bytes',
  'taken_back'
] as const

/** Copies damaged lines of `records` to where their bytes are kept. The caller takes them out. */
export async function copyAside(
  { transaction, dialect, collectionId }: CollectionScope,
  seqs: readonly number[],
  { reason, now }: { reason: string; now: EpochMs }
): Promise<void> {
  for (const part of partsOf(seqs, dialect.rowsPerStatement))
    await transaction
      .insertInto('aside_lines')
      .columns([...COLUMNS, 'reason', 'set_aside_at'])
      .expression((query) =>
        query
          .selectFrom('records')
          .select([...COLUMNS])
          .select([
            sql<string>`cast(${toStored(reason)} as text)`.as('reason'),
            sql<number>`cast(${now} as bigint)`.as('set_aside_at')
          ])
          .where('collection_id', '=', collectionId)
          .where('seq', 'in', part)
      )
      .execute()
}

/** Deletes what was set aside of memories that are forgotten. Returns the keys of those that have no line in the collection. */
export async function dropAside(
  { transaction, dialect, collectionId }: CollectionScope,
  keys: readonly Uint8Array[]
): Promise<Uint8Array[]> {
  const dropped: Uint8Array[] = []
  for (const part of partsOf(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .deleteFrom('aside_lines')
      .where('collection_id', '=', collectionId)
      .where('key', 'in', part)
      .where('kind', '=', RECORD_KINDS.memory)
      .returning('key')
      .execute()
    for (const { key } of rows) {
      const present = await transaction
        .selectFrom('records')
        .select('seq')
        .where('collection_id', '=', collectionId)
        .where('key', '=', bytesOf(key))
        .executeTakeFirst()
      if (present === undefined) dropped.push(bytesOf(key))
    }
  }
  return dropped
}
