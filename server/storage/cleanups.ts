import { sql } from 'kysely'
import type { EpochMs } from '../../src/contract/milliseconds.ts'
import type { Hold, SyncStorage } from './sync-storage.ts'
import type { Db } from './tables.ts'

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

/** How many holdings a connection has. */
export async function countHoldings(db: Db, connectionId: string): Promise<number> {
  const { holdings } = await db
    .selectFrom('holdings')
    .select(({ fn }) => fn.countAll<number>().as('holdings'))
    .where('connection_id', '=', connectionId)
    .executeTakeFirstOrThrow()
  return Number(holdings)
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
