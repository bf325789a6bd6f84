import type {
  CollectionStorage,
  NewCollection,
  StoredCollection
} from '../../../server/storage/port/collection-storage.ts'
import { revokeConnections } from './model-connections.ts'
import { findCollection } from './model-lookups.ts'
import { type CollectionRow, ONLY_ROW } from './model-rows.ts'
import { compareValues, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

export const modelCollections: ModelMethods<CollectionStorage> = {
  createCollection: putCollection,

  findCollection(transaction, id) {
    const row = findCollection(transaction, id)
    return row && toStoredCollection(row)
  },

  listCollections(transaction, ids) {
    return listCollections(transaction, ({ id }) => ids === undefined || ids.includes(id))
  },

  listCollectionsForKey(transaction, keyId) {
    const granted = new Set(
      transaction.select('grants', (grant) => grant.keyId === keyId).map((grant) => grant.collectionId)
    )
    return listCollections(transaction, ({ id, ownerKeyId, expiresAt }) =>
      ownerKeyId === undefined ? granted.has(id) : ownerKeyId === keyId && expiresAt !== undefined
    )
  },

  beginEpoch(transaction, epoch) {
    const row = transaction.find('epoch', ONLY_ROW)
    if (row === undefined) transaction.insert('epoch', { epoch })
    else transaction.update('epoch', row, { epoch })
  },

  deleteCollection(transaction, id) {
    revokeConnections(transaction, id)
    transaction.remove(
      'grants',
      transaction.select('grants', ({ collectionId }) => collectionId === id)
    )
    const row = findCollection(transaction, id)
    if (row === undefined) return false
    transaction.update('collections', row, { deletedAt: transaction.now })
    return true
  },

  listExpiredCollections(transaction, now, limit) {
    return transaction
      .select('collections', ({ expiresAt, deletedAt }) => deletedAt === undefined && (expiresAt ?? now + 1) <= now)
      .toSorted((one, other) => compareValues(one.expiresAt ?? 0, other.expiresAt ?? 0))
      .slice(0, limit)
      .map(({ id }) => id)
  }
}

/** Creates a collection, unless its id exists or existed. */
export function putCollection(transaction: ModelTransaction, collection: NewCollection): void {
  if (transaction.find('collections', collection.id) !== undefined) return
  const { id, name, createdAt, expiresAt, ownerKeyId, snapshotId } = collection
  const fields = { id, name, createdAt, expiresAt, ownerKeyId, snapshotId }
  transaction.insert('collections', {
    ...fields,
    memories: 0,
    seq: 0,
    damaged: 0,
    epochs: undefined,
    deletedAt: undefined
  })
}

function listCollections(transaction: ModelTransaction, isWanted: (row: CollectionRow) => boolean): StoredCollection[] {
  return transaction
    .select('collections', (row) => row.deletedAt === undefined && isWanted(row))
    .toSorted((one, other) => compareValues(one.createdAt, other.createdAt) || compareValues(one.id, other.id))
    .map(toStoredCollection)
}

function toStoredCollection({ deletedAt, epochs = [], ...stored }: CollectionRow): StoredCollection {
  return { ...stored, epochs }
}

/** Returns whether a deleted collection has rows left. */
export function hasDeleted(transaction: ModelTransaction): boolean {
  return transaction.select('collections', ({ deletedAt }) => deletedAt !== undefined).length > 0
}

/** The maximum number of rows that one step of a purge removes. */
const PURGED_AT_ONCE = 500

/** Removes some rows of the collection that was deleted first, and its own row with the last of them. */
export function purgeSome(transaction: ModelTransaction): void {
  const [deleted] = transaction
    .select('collections', ({ deletedAt }) => deletedAt !== undefined)
    .toSorted((one, other) => compareValues(one.deletedAt ?? 0, other.deletedAt ?? 0))
  if (deleted === undefined) return
  const ofCollection = ({ collectionId }: { collectionId: string }): boolean => collectionId === deleted.id
  const connections = transaction.select('connections', ofCollection)
  const ids = new Set(connections.map(({ id }) => id))
  const ofConnection = ({ connectionId }: { connectionId: string }): boolean => ids.has(connectionId)
  const steps = [
    ...(['records', 'references'] as const).map((table) => [table, ofCollection] as const),
    ...(['items', 'ledger', 'reads', 'runs'] as const).map((table) => [table, ofConnection] as const)
  ]
  for (const [table, isOwn] of steps) {
    // The rows of each of these tables have the column that `isOwn` reads.
    const some = transaction.select(table, isOwn as (row: object) => boolean).slice(0, PURGED_AT_ONCE)
    transaction.remove(table, some)
    if (some.length > 0) return
  }
  transaction.remove('damagedLines', transaction.select('damagedLines', ofCollection))
  transaction.remove('connections', connections)
  transaction.remove('collections', [deleted])
}
