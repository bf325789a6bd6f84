import { countHoldings } from './cleanups.ts'
import type { Database } from './dialect.ts'
import { type Holding, takeBack, uniqueKeys } from './holdings-table.ts'
import { lockHold } from './lock-hold.ts'
import type { Hold, Released, SyncStorage } from './sync-storage.ts'
import { bytesOf, type Db } from './tables.ts'
import { lockLines, writeLines } from './write-lines.ts'

/** Lets go of memories of a revoked connection, as `SyncStorage.releaseMemories` says. */
export function releaseSome(
  { db, dialect }: Database,
  hold: Hold,
  { limit, now, until }: Parameters<SyncStorage['releaseMemories']>[1]
): Promise<Released> {
  return db.transaction().execute(async (transaction) => {
    const held = await lockHold(transaction, dialect, hold)
    if (held === undefined || held.cleanup === 0) return LOST
    const scope = { transaction, dialect, collectionId: held.collectionId }
    const head = await lockLines(scope)
    if (head === undefined) return LOST
    const some = await someHoldings(transaction, hold.connectionId, limit)
    await removeUpTo(transaction, some.at(-1))
    const { lines, memories } = await takeBack(scope, uniqueKeys(some), now)
    await writeLines(scope, head, { removes: [], damaged: [], lines, memoriesMore: -memories, now })
    const left = await countHoldings(transaction, hold.connectionId)
    await transaction
      .updateTable('connections')
      .set(left > 0 ? { lease_until: until } : { cleanup: 0, items_synced: 0, lease_owner: null, lease_until: null })
      .where('id', '=', hold.connectionId)
      .execute()
    return { outcome: 'released', left }
  })
}

const LOST: Released = { outcome: 'lost', left: 0 }

async function someHoldings(db: Db, connectionId: string, limit: number): Promise<Holding[]> {
  const rows = await db
    .selectFrom('holdings')
    .select(['memory_key', 'item_id'])
    .where('connection_id', '=', connectionId)
    .orderBy('item_id')
    .orderBy('memory_key')
    .limit(limit)
    .execute()
  return rows.map(({ memory_key, item_id }) => ({
    memoryKey: bytesOf(memory_key),
    connectionId,
    itemId: bytesOf(item_id)
  }))
}

/** Those of the connection up to this one, in the order of `someHoldings`. */
async function removeUpTo(db: Db, last: Holding | undefined): Promise<void> {
  if (last === undefined) return
  const { connectionId, itemId, memoryKey } = last
  await db
    .deleteFrom('holdings')
    .where('connection_id', '=', connectionId)
    .where('item_id', '<=', itemId)
    .where(({ eb, or }) => or([eb('item_id', '<', itemId), eb('memory_key', '<=', memoryKey)]))
    .execute()
}
