import { sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Database } from '../database/dialect.ts'
import { bytesOf, type Db } from '../database/tables.ts'
import type { Released } from '../port/cleanup-storage.ts'
import type { Hold } from '../port/queue-storage.ts'
import type { SyncStorage } from '../port/storage.ts'
import { lockLines } from './collections-table.ts'
import { lockHold } from './connections-table.ts'
import { writeLines } from './records-table.ts'
import { countHoldings, type Holding, takeBack, uniqueKeys } from './references-table.ts'

/** Notes that the memories of a revoked connection are to go. Gives how many holdings it has: 0 where nothing is to be done. */
export async function putCleanup(db: Db, connectionId: string): Promise<number> {
  const left = await countHoldings(db, connectionId)
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set(left === 0 ? { items_synced: 0 } : { cleanup: 1 })
    .where('id', '=', connectionId)
    .where('revoked_at', 'is not', null)
    .where(collectionIsThere)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? left : 0
}

/** Ids of connections whose memories are to go and that nobody is cleaning up. */
export async function selectCleanups(db: Db, { now, limit }: { now: EpochMs; limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('cleanup', '=', sql.lit(1))
    .where(isFree(now))
    .where(collectionIsThere)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes the right to clean up, as `SyncStorage.claimCleanup` says. */
export async function takeCleanup(
  db: Db,
  connectionId: string,
  { owner, now, until }: Parameters<SyncStorage['claimCleanup']>[1]
): Promise<Hold | 'held' | 'nothing'> {
  const wanted = db
    .updateTable('connections')
    .set((row) => ({ lease_owner: owner, lease_until: until, fence: row('fence', '+', 1) }))
    .where('id', '=', connectionId)
    .where('cleanup', '=', sql.lit(1))
    .where(collectionIsThere)
  const taken = await wanted.where(isFree(now)).returning('fence').executeTakeFirst()
  if (taken !== undefined) return { connectionId, owner, fence: taken.fence, runId: NO_RUN }
  const open = await db
    .selectFrom('connections')
    .select('id')
    .where('id', '=', connectionId)
    .where('cleanup', '=', sql.lit(1))
    .where(collectionIsThere)
    .executeTakeFirst()
  return open === undefined ? 'nothing' : 'held'
}

/** A cleanup is no run. */
const NO_RUN = '00000000-0000-0000-0000-000000000000'

function isFree(now: EpochMs) {
  return sql<boolean>`(lease_until is null or lease_until <= ${now})`
}

/** Memories of a deleted collection go with it. */
const collectionIsThere = sql<boolean>`exists (
  select 1 from collections where collections.id = connections.collection_id and collections.deleted_at is null
)`

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
