import { Buffer } from 'node:buffer'
import type { AsideEntry } from '../check-storage.ts'
import { textOrUndefined } from '../stored-values.ts'
import { type AsideLineRow, bytesOf, type Db } from '../tables.ts'

/** Lists what repairs set aside, as `CheckStorage.asideEntries` says: rows of `records` first, then those of other tables. */
export async function selectAside(db: Db, { offset, limit }: { offset: number; limit: number }): Promise<AsideEntry[]> {
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

function lineEntry({ reason, set_aside_at, ...row }: AsideLineRow): AsideEntry {
  const { key, check_hash, line, ...plain } = row
  return {
    table: 'records',
    collectionId: row.collection_id ?? undefined,
    place: `sequence number ${row.seq}`,
    reason: textOrUndefined(reason) ?? '',
    setAsideAt: set_aside_at,
    contents: JSON.stringify({ ...plain, key: encoded(key), check_hash: encoded(check_hash), line: encoded(line) })
  }
}

/** In a damaged row anything may stand in a column of bytes. */
function encoded(value: AsideLineRow['line'] | null): unknown {
  return value instanceof Uint8Array || value instanceof ArrayBuffer
    ? { base64: Buffer.from(bytesOf(value)).toString('base64') }
    : value
}
