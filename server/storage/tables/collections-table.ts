import type { Transaction } from 'kysely'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { CollectionScope, Dialect, TableMethods } from '../database/dialect.ts'
import type { CollectionRow, Tables } from '../database/tables.ts'
import type { CollectionStorage, StoredCollection } from '../port/collection-storage.ts'
import { revokeConnections } from './connections-table.ts'

/** Methods on the table of collections. */
export const collectionsTable: TableMethods<CollectionStorage> = {
  /** Creates a collection. Does nothing if the id already exists. */
  async createCollection({ db }, collection) {
    await db
      .insertInto('collections')
      .values({
        id: collection.id,
        name: collection.name,
        created_at: collection.createdAt,
        expires_at: collection.expiresAt ?? null,
        owner_key_id: collection.ownerKeyId ?? null,
        snapshot_id: collection.snapshotId,
        memories: 0,
        seq: 0,
        damaged: 0,
        deleted_at: null
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  },

  /** Finds a collection that is not deleted. */
  async findCollection({ db }, id) {
    const row = await db
      .selectFrom('collections')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return row === undefined ? undefined : toStoredCollection(row)
  },

  /** Lists the collections in `ids` that exist, or all, oldest first. */
  async listCollections({ db }, ids) {
    if (ids?.length === 0) return []
    const all = db.selectFrom('collections').selectAll().where('deleted_at', 'is', null)
    const query = ids === undefined ? all : all.where('id', 'in', ids)
    const rows = await query.orderBy('created_at').orderBy('id').execute()
    return rows.map(toStoredCollection)
  },

  /**
   * Lists the collections of a key, oldest first. Uses two queries, since one with `or` would scan every collection.
   * The second one uses the index on collections that expire.
   */
  async listCollectionsForKey({ db }, keyId) {
    const granted = db
      .selectFrom('collections')
      .innerJoin('grants', 'grants.collection_id', 'collections.id')
      .selectAll('collections')
      .where('grants.key_id', '=', keyId)
      .where('collections.owner_key_id', 'is', null)
      .where('collections.deleted_at', 'is', null)
    const own = db
      .selectFrom('collections')
      .selectAll()
      .where('expires_at', 'is not', null)
      .where('owner_key_id', '=', keyId)
      .where('deleted_at', 'is', null)
    const rows = await granted.unionAll(own).orderBy('created_at').orderBy('id').execute()
    return rows.map(toStoredCollection)
  },

  /**
   * Deletes a collection with its grants and connections. `purgeCollections` removes its records later. Credentials
   * that only it used are marked for removal.
   */
  deleteCollection({ db, dialect, clock }, id) {
    const nowMs = epochNow(clock)
    return db.transaction().execute(async (transaction) => {
      await dialect.lock(transaction, 'connections')
      await revokeConnections(transaction, id, nowMs)
      const marked = await transaction
        .updateTable('collections')
        .set({ deleted_at: nowMs })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      await transaction.deleteFrom('grants').where('collection_id', '=', id).execute()
      return marked.numUpdatedRows > 0n
    })
  },

  /** Lists the ids of collections that had expired at `now`, the longest expired first. */
  async listExpiredCollections({ db }, now, limit) {
    const rows = await db
      .selectFrom('collections')
      .select('id')
      .where('expires_at', '<=', now)
      .where('deleted_at', 'is', null)
      .orderBy('expires_at')
      .limit(limit)
      .execute()
    return rows.map((row) => row.id)
  }
}

/** Builds the error for a collection that does not exist or was deleted. */
export function missingCollection(id: string): Fault {
  return new Fault('not_found', `collection ${id} does not exist`, {
    hint: 'list the collections: memctl collections list'
  })
}

/** Reports whether a collection exists. If so, it cannot be deleted until the transaction ends. */
export async function holdCollection(
  transaction: Transaction<Tables>,
  id: string,
  { locksRows }: Pick<Dialect, 'locksRows'>
): Promise<boolean> {
  const query = transaction.selectFrom('collections').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  return (await (locksRows ? query.forShare() : query).executeTakeFirst()) !== undefined
}

function toStoredCollection(row: CollectionRow): StoredCollection {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    ownerKeyId: row.owner_key_id ?? undefined,
    snapshotId: row.snapshot_id,
    memories: row.memories,
    seq: row.seq,
    damaged: row.damaged
  }
}

/**
 * Returns the counters of a collection and locks its row until the transaction ends, or returns undefined if it was
 * deleted.
 */
export async function lockLines({
  transaction,
  dialect,
  collectionId
}: CollectionScope): Promise<LinesHead | undefined> {
  const query = transaction
    .selectFrom('collections')
    .select(['seq', 'memories', 'damaged'])
    .where('id', '=', collectionId)
    .where('deleted_at', 'is', null)
  return await (dialect.locksRows ? query.forUpdate() : query).executeTakeFirst()
}

/** The counters of the lines in a collection's row. */
export type LinesHead = { seq: number; memories: number; damaged: number }
