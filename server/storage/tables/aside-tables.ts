import { Buffer } from 'node:buffer'
import { sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { CollectionScope, TableMethods } from '../database/dialect.ts'
import { splitIntoParts, textOrUndefined, toBytes, toStored } from '../database/stored-values.ts'
import type { AsideLineRow } from '../database/tables.ts'
import type { AsideEntry, CheckStorage } from '../port/check-storage.ts'
import { RECORD_KINDS } from '../port/record-batch.ts'

/** Methods over what repairs set aside. */
export const asideTables = {
  /** Lists what repairs set aside, as `Storage.asideEntries` says: rows of `records` first, then those of other tables. */
  async asideEntries({ db }, { offset, limit }) {
    const all = db.withoutPlugins()
    const lines = await all
      .selectFrom('aside_lines')
      .selectAll()
      .orderBy('set_aside_at')
      .orderBy('collection_id')
      .orderBy('seq')
      .offset(offset)
      .limit(limit)
      .execute()
    if (lines.length === limit) return lines.map(lineEntry)
    const { count } = await all
      .selectFrom('aside_lines')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const rows = await all
      .selectFrom('aside_rows')
      .selectAll()
      .orderBy('set_aside_at')
      .orderBy('table_name')
      .orderBy('place')
      .offset(Math.max(0, offset - Number(count)))
      .limit(limit - lines.length)
      .execute()
    const others = rows.map(
      (row): AsideEntry => ({
        table: row.table_name,
        collectionId: row.collection_id ?? undefined,
        place: textOrUndefined(row.place) ?? '',
        reason: textOrUndefined(row.reason) ?? '',
        setAsideAt: row.set_aside_at,
        contents: row.contents
      })
    )
    return [...lines.map(lineEntry), ...others]
  }
} satisfies Partial<TableMethods<CheckStorage>>

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
  for (const part of splitIntoParts(seqs, dialect.rowsPerStatement))
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
  for (const part of splitIntoParts(keys, dialect.rowsPerStatement)) {
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
        .where('key', '=', toBytes(key))
        .executeTakeFirst()
      if (present === undefined) dropped.push(toBytes(key))
    }
  }
  return dropped
}

function lineEntry({ reason, set_aside_at, ...row }: AsideLineRow): AsideEntry {
  const { key, check_hash, line, ...plain } = row
  return {
    table: 'records',
    collectionId: row.collection_id ?? undefined,
    place: `sequence number ${row.seq}`,
    reason: textOrUndefined(reason) ?? '',
    setAsideAt: set_aside_at,
    contents: JSON.stringify({
      ...plain,
      key: toJsonBytes(key),
      check_hash: toJsonBytes(check_hash),
      line: toJsonBytes(line)
    })
  }
}

/** In a damaged row anything may stand in a column of bytes. */
function toJsonBytes(value: AsideLineRow['line'] | null): unknown {
  return value instanceof Uint8Array || value instanceof ArrayBuffer
    ? { base64: Buffer.from(toBytes(value)).toString('base64') }
    : value
}
