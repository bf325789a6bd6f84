import type { Transaction } from 'kysely'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { CollectionScope, Dialect, TableMethods } from '../database/dialect.ts'
import { toStored } from '../database/stored-values.ts'
import type { CollectionRow, Tables } from '../database/tables.ts'
import type { CollectionStorage, StoredCollection, StoredEpoch } from '../port/collection-storage.ts'
import { revokeConnections } from './connections-table.ts'

const ONLY_ROW = 1

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
        epochs: null,
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

  async beginEpoch({ db }, epoch) {
    await db
      .insertInto('epoch')
      .values({ id: ONLY_ROW, epoch })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ epoch }))
      .execute()
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
    damaged: row.damaged,
    epochs: parseEpochs(row.epochs)
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
    .select(['seq', 'memories', 'damaged', 'epochs'])
    .select(({ selectFrom }) => selectFrom('epoch').select('epoch').as('epoch'))
    .where('id', '=', collectionId)
    .where('deleted_at', 'is', null)
  return await (dialect.locksRows ? query.forUpdate() : query).executeTakeFirst()
}

/** The counters of the lines in a collection's row. */
export type LinesHead = {
  seq: number
  memories: number
  damaged: number
  epochs: string | null
  /** The epoch of the database; null if no server has started since its tables have one. */
  epoch: string | null
}

/** Maximum number of epochs that a collection keeps. A follower with an older one starts over. */
const EPOCHS_MAX = 100

/** Returns the epochs of a collection to which lines are written: begins one if a server has started since. */
export function continueEpochs({ epochs, epoch, seq }: LinesHead): string | null {
  const known = parseEpochs(epochs)
  if (epoch === null || known.at(-1)?.id === epoch) return epochs
  return toStored([...known, { id: epoch, after: seq }].slice(-EPOCHS_MAX))
}

/** Parses stored epochs. Damaged ones count as none, so that followers start over. */
function parseEpochs(stored: string | null): StoredEpoch[] {
  const parsed: unknown = stored === null ? [] : parseStored(stored)
  return Array.isArray(parsed) ? parsed.filter(isEpoch) : []
}

function parseStored(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isEpoch(value: unknown): value is StoredEpoch {
  const { id, after } = (value ?? {}) as Partial<StoredEpoch>
  return typeof id === 'string' && typeof after === 'number'
}
