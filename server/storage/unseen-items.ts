import type { Database } from './dialect.ts'
import { joinBatches } from './join-batches.ts'
import { lockHold } from './lock-hold.ts'
import { removeItems } from './page-items.ts'
import { KNOWN_COLUMNS, knownItem } from './read-items.ts'
import { countIntoRun } from './run-counters.ts'
import type { Dropped, Hold, KnownItem, SyncStorage, Unseen } from './sync-storage.ts'
import type { ItemRow } from './sync-tables.ts'
import { bytesOf, type Db } from './tables.ts'
import { type ItemsScope, writeMemories } from './write-memories.ts'

/** How many items a pass has not seen, and how many there are that have content. */
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

/** Items that a pass has not seen, in the order of their ids. */
export async function selectUnseen(
  db: Db,
  connectionId: string,
  { unseen, limit }: { unseen: Unseen; limit: number }
): Promise<KnownItem[]> {
  const rows = await unseenItems(db, connectionId, unseen)
    .select(KNOWN_COLUMNS)
    .orderBy('item_id')
    .limit(limit)
    .execute()
  return rows.map(knownItem)
}

/** Takes out items that a pass has not seen, as `SyncStorage.dropUnseen` says. */
export function dropUnseenItems(
  { db, dialect }: Database,
  hold: Hold,
  drop: Parameters<SyncStorage['dropUnseen']>[1]
): Promise<Dropped> {
  return db.transaction().execute(async (transaction) => {
    const held = await lockHold(transaction, dialect, hold)
    if (held === undefined) return LOST
    const scope = { transaction, dialect, connectionId: hold.connectionId, collectionId: held.collectionId }
    const rows = await unseenItems(transaction, hold.connectionId, drop.unseen)
      .select(['item_id', 'content_hash'])
      .orderBy('item_id')
      .limit(drop.limit)
      .execute()
    if ((await dropItems(scope, rows, drop.now)) === 'lost') return LOST
    const deleted = rows.length
    await countIntoRun(transaction, { runId: hold.runId, reasons: held.reasons }, { ...NOTHING, deleted })
    const itemsSynced = held.itemsSynced - withContent(rows).length
    await transaction
      .updateTable('connections')
      .set({ lease_until: drop.until, items_synced: itemsSynced })
      .where('id', '=', hold.connectionId)
      .execute()
    return { outcome: 'dropped', deleted, more: deleted === drop.limit }
  })
}

const LOST: Dropped = { outcome: 'lost', deleted: 0, more: false }

const NOTHING = { seen: 0, created: 0, updated: 0, unchanged: 0, failed: 0, skipped: 0, reasons: {} }

type Row = Pick<ItemRow, 'item_id' | 'content_hash'>

async function dropItems(scope: ItemsScope, rows: readonly Row[], now: number): Promise<'dropped' | 'lost'> {
  const emptied = withContent(rows)
  const written = await writeMemories(scope, { batch: joinBatches([]), filled: [], emptied, now })
  if (written !== 'written') return 'lost'
  await removeItems(scope, idsOf(rows))
  return 'dropped'
}

function withContent(rows: readonly Row[]): Uint8Array[] {
  return idsOf(rows.filter(({ content_hash }) => content_hash !== null))
}

function idsOf(rows: readonly Row[]): Uint8Array[] {
  return rows.map(({ item_id }) => bytesOf(item_id))
}

function unseenItems(db: Db, connectionId: string, unseen: Unseen) {
  let items = db.selectFrom('items').where('connection_id', '=', connectionId)
  if (unseen.before !== undefined) items = items.where('seen_pass', '<', unseen.before)
  return 'missingIn' in unseen ? items.where('missing_pass', '=', unseen.missingIn) : items
}
