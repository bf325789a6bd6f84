import { KNOWN_COLUMNS, knownItem } from './read-items.ts'
import type { KnownItem, Unseen, UnseenAsked } from './sync-storage.ts'
import type { Db } from './tables.ts'

/** Counts the items that a pass has not seen, and those that have content. */
export async function countUnseenItems(
  db: Db,
  connectionId: string,
  unseen: Unseen
): Promise<{ unseen: number; synced: number }> {
  const counted = await unseenItems(db, connectionId, unseen)
    .select(({ fn }) => fn.countAll<number>().as('items'))
    .executeTakeFirstOrThrow()
  const { synced } = await db
    .selectFrom('items')
    .select(({ fn }) => fn.countAll<number>().as('synced'))
    .where('connection_id', '=', connectionId)
    .where('content_hash', 'is not', null)
    .executeTakeFirstOrThrow()
  return { unseen: Number(counted.items), synced: Number(synced) }
}

/** Selects items that a pass has not seen, in the order of their ids, as `SyncStorage.unseenItems` says. */
export async function selectUnseen(
  db: Db,
  connectionId: string,
  { unseen, notNotedIn, limit }: UnseenAsked
): Promise<KnownItem[]> {
  const rows = await unseenItems(db, connectionId, unseen)
    .where(({ eb, or }) => or([eb('absent_pass', 'is', null), eb('absent_pass', '<', notNotedIn)]))
    .select(KNOWN_COLUMNS)
    .orderBy('item_id')
    .limit(limit)
    .execute()
  return rows.map(knownItem)
}

function unseenItems(db: Db, connectionId: string, unseen: Unseen) {
  let items = db.selectFrom('items').where('connection_id', '=', connectionId)
  if (unseen.before !== undefined) items = items.where('seen_pass', '<', unseen.before)
  return 'missingIn' in unseen ? items.where('missing_pass', '=', unseen.missingIn) : items
}
