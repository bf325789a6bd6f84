import { sql } from 'kysely'
import type { EpochMs } from '../../src/contract/milliseconds.ts'
import type { Database } from './dialect.ts'
import { partsOf } from './parts-of.ts'
import { copyOf, idBytes, idOf, oneOf, textOrUndefined } from './stored-values.ts'
import { ITEM_STATUSES, type ItemsPage, type KnownItem, type StoredItem } from './sync-storage.ts'
import type { ItemRow } from './sync-tables.ts'
import type { Db } from './tables.ts'

/** Those of `ids` that a connection has, in parts that fit into a statement. */
export async function selectKnown(
  { db, dialect }: Database,
  connectionId: string,
  ids: readonly string[]
): Promise<KnownItem[]> {
  const known: KnownItem[] = []
  for (const part of partsOf(ids.map(idBytes), dialect.rowsPerStatement)) {
    const rows = await knownOf(db, connectionId).where('item_id', 'in', part).execute()
    known.push(...rows.map(knownItem))
  }
  return known
}

/** Failed ones whose time to be tried again has come, those that wait the longest first. */
export async function selectDueItems(
  db: Db,
  connectionId: string,
  { now, limit }: { now: EpochMs; limit: number }
): Promise<KnownItem[]> {
  const rows = await knownOf(db, connectionId)
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .orderBy('item_id')
    .limit(limit)
    .execute()
  return rows.map(knownItem)
}

/** When the next failed one is to be tried again. */
export async function selectNextTry(db: Db, connectionId: string): Promise<EpochMs | undefined> {
  const row = await db
    .selectFrom('items')
    .select('next_try_at')
    .where('connection_id', '=', connectionId)
    .where('next_try_at', 'is not', null)
    .orderBy('next_try_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_try_at ?? undefined
}

/** A page in the order of the bytes of their ids. */
export async function selectItems(db: Db, connectionId: string, page: ItemsPage): Promise<StoredItem[]> {
  const { status, after } = page
  const rows = await itemsOf(db, connectionId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'synced'))
    .$if(after !== undefined, (query) => query.where('items.item_id', '>', idBytes(after ?? '')))
    .orderBy('items.item_id')
    .limit(page.limit)
    .execute()
  return rows.map(storedItem)
}

/** One of a connection. */
export async function selectItem(db: Db, connectionId: string, itemId: string): Promise<StoredItem | undefined> {
  const row = await itemsOf(db, connectionId).where('items.item_id', '=', idBytes(itemId)).executeTakeFirst()
  return row === undefined ? undefined : storedItem(row)
}

/** What of a row `knownItem` needs. */
export const KNOWN_COLUMNS = [
  'item_id',
  'place',
  'version',
  'status',
  'content_hash',
  'tries',
  'next_try_at',
  'absent_since'
] as const satisfies readonly (keyof ItemRow)[]

function knownOf(db: Db, connectionId: string) {
  return db.selectFrom('items').select(KNOWN_COLUMNS).where('connection_id', '=', connectionId)
}

function itemsOf(db: Db, connectionId: string) {
  return db
    .selectFrom('items')
    .select(KNOWN_COLUMNS)
    .select(['title', 'url', 'reason', 'changed_at'])
    .select(MEMORIES.as('memories'))
    .where('connection_id', '=', connectionId)
}

const MEMORIES = sql<number>`(
  select count(*) from holdings
  where holdings.connection_id = items.connection_id and holdings.item_id = items.item_id
)`

type KnownRow = Pick<ItemRow, (typeof KNOWN_COLUMNS)[number]>

/** A row as the port has it. */
export function knownItem(row: KnownRow): KnownItem {
  return {
    id: idOf(row.item_id),
    place: textOrUndefined(row.place),
    version: textOrUndefined(row.version),
    status: oneOf(ITEM_STATUSES, row.status, 'the status of an item'),
    contentHash: row.content_hash === null ? undefined : copyOf(row.content_hash),
    tries: row.tries,
    nextTryAt: row.next_try_at ?? undefined,
    absentSince: row.absent_since ?? undefined
  }
}

function storedItem(
  row: KnownRow & Pick<ItemRow, 'title' | 'url' | 'reason' | 'changed_at'> & { memories: number }
): StoredItem {
  return {
    ...knownItem(row),
    title: textOrUndefined(row.title),
    url: textOrUndefined(row.url),
    reason: textOrUndefined(row.reason),
    memories: row.memories,
    changedAt: row.changed_at
  }
}
