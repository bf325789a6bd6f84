import { missingCollection } from './collections-table.ts'
import { joinBytes } from './join-batches.ts'
import { packPage } from './pack-page.ts'
import { ID_BYTES, RECORD_KINDS, type RecordPage } from './record-batch.ts'
import type { PageRange } from './storage.ts'
import { bytesOf, type Db } from './tables.ts'

/** Lines of one page at most, however short they are. */
const PAGE_LINES_MAX = 8192

/** Known ids that are read at once, so that others get their turn in between. */
const IDS_AT_ONCE = 20_000

export type PageInput = { collectionId: string; range: PageRange }

/**
 * A page of lines, as `Storage.page` says: how far it goes is measured first, so that no more is read than fits. Lines that
 * were just measured may be gone when they are read; where all are, it measures again, so that only the end is empty.
 *
 * @throws Fault `not_found` where the collection is gone: its lines are then being removed one after another.
 */
export async function readPage(db: Db, { collectionId, range }: PageInput): Promise<RecordPage> {
  for (;;) {
    const upTo = await lastThatFits(db, { collectionId, range })
    const rows =
      upTo === undefined
        ? []
        : await db
            .selectFrom('records')
            .select(['seq', 'kind', 'key', 'time', 'extractor', 'check_hash', 'line'])
            .where('collection_id', '=', collectionId)
            .where('seq', '>', range.after)
            .where('seq', '<=', upTo)
            .orderBy('seq')
            .execute()
    if (upTo !== undefined && rows.length === 0) continue
    await refuseGone(db, collectionId)
    return packPage(rows)
  }
}

/** The known ids, 16 bytes each, ascending; `pause` is called between parts of a long list. */
export async function readKnownIds(db: Db, collectionId: string, pause: () => Promise<void>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let after: Uint8Array = new Uint8Array(0)
  for (;;) {
    const rows = await db
      .selectFrom('records')
      .select('key')
      .where('collection_id', '=', collectionId)
      .where('key', '>', after)
      .where('kind', '!=', RECORD_KINDS.unknown)
      .orderBy('key')
      .limit(IDS_AT_ONCE)
      .execute()
    const keys = rows.map((row) => bytesOf(row.key))
    parts.push(joinedIds(keys))
    const last = keys.at(-1)
    if (last === undefined || keys.length < IDS_AT_ONCE) break
    after = last
    await pause()
  }
  await refuseGone(db, collectionId)
  return joinBytes(parts)
}

/** Undefined where the range has no line. The first line fits, whatever it measures. */
async function lastThatFits(db: Db, { collectionId, range }: PageInput): Promise<number | undefined> {
  const rows = await db
    .selectFrom('records')
    .select(['seq', 'line_bytes'])
    .where('collection_id', '=', collectionId)
    .where('seq', '>', range.after)
    .where('seq', '<=', range.upTo)
    .orderBy('seq')
    .limit(PAGE_LINES_MAX)
    .execute()
  let bytes = 0
  let last = rows[0]?.seq
  for (const row of rows) {
    bytes += row.line_bytes
    if (bytes > range.maxBytes) break
    last = row.seq
  }
  return last
}

async function refuseGone(db: Db, collectionId: string): Promise<void> {
  const row = await db
    .selectFrom('collections')
    .select('id')
    .where('id', '=', collectionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw missingCollection(collectionId)
}

function joinedIds(keys: readonly Uint8Array[]): Uint8Array {
  const ids = new Uint8Array(keys.length * ID_BYTES)
  for (const [at, key] of keys.entries()) ids.set(key.subarray(0, ID_BYTES), at * ID_BYTES)
  return ids
}
