import { sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { TableMethods } from '../database/dialect.ts'
import { toBytes } from '../database/stored-values.ts'
import type { Db } from '../database/tables.ts'
import type { CleanupStorage, Released } from '../port/cleanup-storage.ts'
import { lockLines } from './collections-table.ts'
import { lockHold } from './connections-table.ts'
import { removeSomeRows } from './purge-collections.ts'
import { writeLines } from './records-table.ts'
import { countReferences, forgetUnreferenced, type Reference, uniqueKeys } from './references-table.ts'

/** Methods that take out what revoked connections leave behind. */
export const connectionCleanups: TableMethods<CleanupStorage> = {
  /** Notes that the memories of a revoked connection are to go. Gives how many references it has: 0 where nothing is to be done. */
  async askCleanup({ db }, connectionId) {
    const left = await countReferences(db, connectionId)
    const { numUpdatedRows } = await db
      .updateTable('connections')
      .set(left === 0 ? { items_synced: 0 } : { cleanup: 1 })
      .where('id', '=', connectionId)
      .where('revoked_at', 'is not', null)
      .where(collectionIsThere)
      .executeTakeFirst()
    return numUpdatedRows > 0n ? left : 0
  },

  /** Ids of connections whose memories are to go and that nobody is cleaning up. */
  async openCleanups({ db }, { now, limit }) {
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
  },

  /** Takes the right to clean up, as `Storage.claimCleanup` says. */
  async claimCleanup({ db }, connectionId, { owner, now, until }) {
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
  },

  /** Lets go of memories of a revoked connection, as `Storage.releaseMemories` says. */
  releaseMemories({ db, dialect }, hold, { limit, now, until }) {
    return db.transaction().execute(async (transaction) => {
      const held = await lockHold(transaction, dialect, hold)
      if (held === undefined || held.cleanup === 0) return LOST
      const scope = { transaction, dialect, collectionId: held.collectionId }
      const head = await lockLines(scope)
      if (head === undefined) return LOST
      const some = await selectSomeReferences(transaction, hold.connectionId, limit)
      await removeUpTo(transaction, some.at(-1))
      const { lines, memories } = await forgetUnreferenced(scope, uniqueKeys(some), now)
      await writeLines(scope, head, { removes: [], damaged: [], lines, memoriesMore: -memories, now })
      const left = await countReferences(transaction, hold.connectionId)
      await transaction
        .updateTable('connections')
        .set(left > 0 ? { lease_until: until } : { cleanup: 0, items_synced: 0, lease_owner: null, lease_until: null })
        .where('id', '=', hold.connectionId)
        .execute()
      return { outcome: 'released', left }
    })
  },

  /**
   * Takes out items, ledger entries and notes of reads of a revoked connection, `limit` of each at most. False where none has any. Memories,
   * references and runs stay.
   */
  async purgeRevoked({ db }, limit) {
    const connectionId = await findRevokedWithRows(db)
    if (connectionId === undefined) return false
    for (const table of ['items', 'ledger', 'reads'] as const)
      await removeSomeRows(db, table, { ownerId: connectionId, limit })
    return true
  }
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

const LOST: Released = { outcome: 'lost', left: 0 }

async function selectSomeReferences(db: Db, connectionId: string, limit: number): Promise<Reference[]> {
  const rows = await db
    .selectFrom('holdings')
    .select(['memory_key', 'item_id'])
    .where('connection_id', '=', connectionId)
    .orderBy('item_id')
    .orderBy('memory_key')
    .limit(limit)
    .execute()
  return rows.map(({ memory_key, item_id }) => ({
    memoryKey: toBytes(memory_key),
    connectionId,
    itemId: toBytes(item_id)
  }))
}

/** Those of the connection up to this one, in the order of `selectSomeReferences`. */
async function removeUpTo(db: Db, last: Reference | undefined): Promise<void> {
  if (last === undefined) return
  const { connectionId, itemId, memoryKey } = last
  await db
    .deleteFrom('holdings')
    .where('connection_id', '=', connectionId)
    .where('item_id', '<=', itemId)
    .where(({ eb, or }) => or([eb('item_id', '<', itemId), eb('memory_key', '<=', memoryKey)]))
    .execute()
}

async function findRevokedWithRows(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('revoked_at', 'is not', null)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('items').select('item_id').whereRef('items.connection_id', '=', 'connections.id')),
        exists(selectFrom('reads').select('item_id').whereRef('reads.connection_id', '=', 'connections.id')),
        exists(selectFrom('ledger').select('entry_key').whereRef('ledger.connection_id', '=', 'connections.id'))
      ])
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
