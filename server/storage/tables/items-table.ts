import { sql } from 'kysely'
import type { ConnectionScope, TableMethods } from '../database/dialect.ts'
import {
  copyColumn,
  decodeId,
  encodeId,
  hashTexts,
  splitIntoParts,
  textOrUndefined,
  toOption
} from '../database/stored-values.ts'
import type { Db, ItemRow } from '../database/tables.ts'
import {
  ITEM_STATUSES,
  type ItemStorage,
  type KnownItem,
  type PageChange,
  type StoredItem,
  type Unseen
} from '../port/sync-storage.ts'

/** Methods on the table of items. */
export const itemsTable: TableMethods<ItemStorage> = {
  /** Finds the known items among `ids`, in parts that fit into a statement. */
  async findKnownItems({ db, dialect }, connectionId, ids) {
    const known: KnownItem[] = []
    for (const part of splitIntoParts(ids.map(encodeId), dialect.rowsPerStatement)) {
      const rows = await selectKnownItems(db, connectionId).where('item_id', 'in', part).execute()
      known.push(...rows.map(toKnownItem))
    }
    return known
  },

  /** Lists failed items whose retry is due, the longest overdue first. */
  async listDueItems({ db }, connectionId, { now, limit }) {
    const rows = await selectKnownItems(db, connectionId)
      .where('next_try_at', '<=', now)
      .orderBy('next_try_at')
      .orderBy('item_id')
      .limit(limit)
      .execute()
    return rows.map(toKnownItem)
  },

  /** Returns when the next failed item is due for a retry. */
  async findNextTry({ db }, connectionId) {
    const row = await db
      .selectFrom('items')
      .select('next_try_at')
      .where('connection_id', '=', connectionId)
      .where('next_try_at', 'is not', null)
      .orderBy('next_try_at')
      .limit(1)
      .executeTakeFirst()
    return row?.next_try_at ?? undefined
  },

  /** Counts the items that a pass has not seen, and those that have content. */
  async countUnseen({ db }, connectionId, unseen) {
    const counted = await selectUnseenItems(db, connectionId, unseen)
      .select(({ fn }) => fn.countAll<number>().as('items'))
      .executeTakeFirstOrThrow()
    const { synced } = await db
      .selectFrom('items')
      .select(({ fn }) => fn.countAll<number>().as('synced'))
      .where('connection_id', '=', connectionId)
      .where('content_hash', 'is not', null)
      .executeTakeFirstOrThrow()
    return { unseen: Number(counted.items), synced: Number(synced) }
  },

  /** Selects items that a pass has not seen, in id order, as documented at `Storage.listUnseenItems`. */
  async listUnseenItems({ db }, connectionId, { unseen, notNotedIn, limit }) {
    const rows = await selectUnseenItems(db, connectionId, unseen)
      .where(({ eb, or }) => or([eb('absent_pass', 'is', null), eb('absent_pass', '<', notNotedIn)]))
      .select(KNOWN_COLUMNS)
      .orderBy('item_id')
      .limit(limit)
      .execute()
    return rows.map(toKnownItem)
  },

  /** Lists a page of items, ordered by the bytes of their ids. */
  async listItems({ db }, connectionId, page) {
    const { status, after } = page
    const rows = await selectStoredItems(db, connectionId)
      .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'synced'))
      .$if(after !== undefined, (query) => query.where('items.item_id', '>', encodeId(after ?? '')))
      .orderBy('items.item_id')
      .limit(page.limit)
      .execute()
    return rows.map(toStoredItem)
  },

  /** Finds an item of a connection. */
  async findItem({ db }, connectionId, itemId) {
    const row = await selectStoredItems(db, connectionId)
      .where('items.item_id', '=', encodeId(itemId))
      .executeTakeFirst()
    return row === undefined ? undefined : toStoredItem(row)
  },

  /**
   * Makes a failed item due, even one that was set aside, and requests a sync of its connection, because a current run
   * may already be past the item. Locks the connection's row first, as every change of its items does.
   */
  retryItem({ db, dialect }, connectionId, { itemId, now }) {
    const item_id = encodeId(itemId)
    return db.transaction().execute(async (transaction) => {
      const connection = transaction.selectFrom('connections').select('id').where('id', '=', connectionId)
      await (dialect.locksRows ? connection.forUpdate() : connection).execute()
      const item = await transaction
        .selectFrom('items')
        .select('status')
        .where('connection_id', '=', connectionId)
        .where('item_id', '=', item_id)
        .executeTakeFirst()
      if (item === undefined) return 'unknown'
      if (item.status !== 'failed') return 'not_failed'
      await transaction
        .updateTable('items')
        .set({ tries: 0, next_try_at: now })
        .where('connection_id', '=', connectionId)
        .where('item_id', '=', item_id)
        .execute()
      await transaction
        .deleteFrom('reads')
        .where('connection_id', '=', connectionId)
        .where('item_id', '=', item_id)
        .execute()
      await transaction
        .updateTable('connections')
        .set({ next_run_at: now, requested_at: now })
        .where('id', '=', connectionId)
        .where('status', '=', 'active')
        .execute()
      return 'due'
    })
  }
}

/** The columns that `toKnownItem` needs. */
const KNOWN_COLUMNS = [
  'item_id',
  'place',
  'version',
  'status',
  'content_hash',
  'tries',
  'next_try_at',
  'absent_since'
] as const satisfies readonly (keyof ItemRow)[]

function selectKnownItems(db: Db, connectionId: string) {
  return db.selectFrom('items').select(KNOWN_COLUMNS).where('connection_id', '=', connectionId)
}

function selectStoredItems(db: Db, connectionId: string) {
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

/** Converts a row to the port's type. */
function toKnownItem(row: KnownRow): KnownItem {
  return {
    id: decodeId(row.item_id),
    place: textOrUndefined(row.place),
    version: textOrUndefined(row.version),
    status: toOption(ITEM_STATUSES, row.status, 'the status of an item'),
    contentHash: row.content_hash === null ? undefined : copyColumn(row.content_hash),
    tries: row.tries,
    nextTryAt: row.next_try_at ?? undefined,
    absentSince: row.absent_since ?? undefined
  }
}

function toStoredItem(
  row: KnownRow & Pick<ItemRow, 'title' | 'url' | 'reason' | 'changed_at'> & { memories: number }
): StoredItem {
  return {
    ...toKnownItem(row),
    title: textOrUndefined(row.title),
    url: textOrUndefined(row.url),
    reason: textOrUndefined(row.reason),
    memories: row.memories,
    changedAt: row.changed_at
  }
}

function selectUnseenItems(db: Db, connectionId: string, unseen: Unseen) {
  let items = db.selectFrom('items').where('connection_id', '=', connectionId)
  if (unseen.before !== undefined) items = items.where('seen_pass', '<', unseen.before)
  return 'missingIn' in unseen ? items.where('missing_pass', '=', unseen.missingIn) : items
}

/** Returns the known items that a page changes, by id. */
export async function selectPageItems(scope: ConnectionScope, page: PageChange): Promise<Map<string, ItemRow>> {
  const ids = new Set([...page.items.map(({ id }) => id), ...page.gone])
  const found = new Map<string, ItemRow>()
  const all = scope.transaction.selectFrom('items').selectAll().where('connection_id', '=', scope.connectionId)
  for (const part of splitIntoParts([...ids].map(encodeId), scope.dialect.rowsPerStatement))
    for (const row of await all.where('item_id', 'in', part).execute()) found.set(decodeId(row.item_id), row)
  for (const part of splitIntoParts(
    page.emptied.map((place) => hashTexts(place)),
    scope.dialect.rowsPerStatement
  ))
    for (const row of await all.where('place_key', 'in', part).execute()) found.set(decodeId(row.item_id), row)
  return found
}

/** Notes the items of the covered ranges as missing. Items that the page names are noted as seen afterwards. */
export async function noteMissing(
  { transaction, connectionId }: ConnectionScope,
  { covered, pass }: Pick<PageChange, 'covered' | 'pass'>
): Promise<void> {
  for (const { from, to } of covered)
    await transaction
      .updateTable('items')
      .set({ missing_pass: pass })
      .where('connection_id', '=', connectionId)
      .where('item_id', '>=', encodeId(from))
      .where('item_id', '<=', encodeId(to))
      .execute()
}

/** Deletes items. Their references are not checked. */
export async function removeItems(scope: ConnectionScope, ids: readonly Uint8Array[]): Promise<void> {
  for (const part of splitIntoParts(ids, scope.dialect.rowsPerStatement))
    await scope.transaction
      .deleteFrom('items')
      .where('connection_id', '=', scope.connectionId)
      .where('item_id', 'in', part)
      .execute()
}

/** Writes items in their current state. */
export async function putItems({ transaction, dialect }: ConnectionScope, rows: readonly ItemRow[]): Promise<void> {
  for (const part of splitIntoParts(rows, dialect.rowsPerStatement))
    await transaction
      .insertInto('items')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'item_id']).doUpdateSet(({ ref }) => ({
          place_key: ref('excluded.place_key'),
          place: ref('excluded.place'),
          version: ref('excluded.version'),
          title: ref('excluded.title'),
          url: ref('excluded.url'),
          status: ref('excluded.status'),
          content_hash: ref('excluded.content_hash'),
          reason: ref('excluded.reason'),
          tries: ref('excluded.tries'),
          next_try_at: ref('excluded.next_try_at'),
          seen_pass: ref('excluded.seen_pass'),
          missing_pass: ref('excluded.missing_pass'),
          absent_since: ref('excluded.absent_since'),
          absent_pass: ref('excluded.absent_pass'),
          changed_at: ref('excluded.changed_at')
        }))
      )
      .execute()
}

/** Notes items as seen in a pass. */
export async function noteSeen(scope: ConnectionScope, ids: readonly Uint8Array[], pass: number): Promise<void> {
  for (const part of splitIntoParts(ids, scope.dialect.rowsPerStatement))
    await updateSeen(scope, pass).where('item_id', 'in', part).execute()
}

/** Notes the items of some places as seen in the pass of a page. */
export async function noteSeenIn(scope: ConnectionScope, { seenIn = [], pass }: PageChange): Promise<void> {
  const keys = seenIn.map((place) => hashTexts(place))
  for (const part of splitIntoParts(keys, scope.dialect.rowsPerStatement))
    await updateSeen(scope, pass).where('place_key', 'in', part).execute()
}

function updateSeen({ transaction, connectionId }: ConnectionScope, pass: number) {
  return transaction
    .updateTable('items')
    .set(({ eb }) => ({
      seen_pass: eb.case().when('seen_pass', '<', pass).then(pass).else(eb.ref('seen_pass')).end(),
      missing_pass: null,
      absent_since: null,
      absent_pass: null
    }))
    .where('connection_id', '=', connectionId)
}
