import type { ItemStorage, KnownItem, StoredItem, Unseen } from '../../../server/storage/port/sync-storage.ts'
import { type ItemRow, joinKey } from './model-rows.ts'
import { compareBytes, compareValues, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

export const modelItems: ModelMethods<ItemStorage> = {
  findKnownItems(transaction, connectionId, ids) {
    return [...new Set(ids)].flatMap((id) => {
      const row = transaction.find('items', joinKey(connectionId, id))
      return row === undefined ? [] : toKnownItem(row)
    })
  },

  listDueItems(transaction, connectionId, { now, limit }) {
    return transaction
      .select('items', (row) => row.connectionId === connectionId && (row.nextTryAt ?? now + 1) <= now)
      .toSorted(
        (one, other) => compareValues(one.nextTryAt ?? 0, other.nextTryAt ?? 0) || compareBytes(one.id, other.id)
      )
      .slice(0, limit)
      .map(toKnownItem)
  },

  findNextTry(transaction, connectionId) {
    const rows = transaction.select('items', (row) => row.connectionId === connectionId)
    return rows.flatMap(({ nextTryAt }) => nextTryAt ?? []).toSorted(compareValues)[0]
  },

  countUnseen(transaction, connectionId, unseen) {
    const all = transaction.select('items', (row) => row.connectionId === connectionId)
    return {
      unseen: all.filter((row) => isUnseen(row, unseen)).length,
      synced: all.filter(({ contentHash }) => contentHash !== undefined).length
    }
  },

  listUnseenItems(transaction, connectionId, { unseen, notNotedIn, limit }) {
    return listItems(transaction, connectionId)
      .filter((row) => isUnseen(row, unseen) && (row.absentPass === undefined || row.absentPass < notNotedIn))
      .slice(0, limit)
      .map(toKnownItem)
  },

  listItems(transaction, connectionId, { status, after, limit }) {
    return listItems(transaction, connectionId)
      .filter((row) => status === undefined || row.status === status)
      .filter(({ id }) => after === undefined || compareBytes(id, after) > 0)
      .slice(0, limit)
      .map((row) => toStoredItem(transaction, row))
  },

  findItem(transaction, connectionId, itemId) {
    const row = findItem(transaction, connectionId, itemId)
    return row && toStoredItem(transaction, row)
  },

  retryItem(transaction, connectionId, { itemId, now }) {
    const row = findItem(transaction, connectionId, itemId)
    if (row === undefined) return 'unknown'
    if (row.status !== 'failed') return 'not_failed'
    transaction.update('items', row, { tries: 0, nextTryAt: now })
    const read = transaction.find('reads', joinKey(connectionId, row.id))
    if (read !== undefined) transaction.remove('reads', [read])
    const connection = transaction.find('connections', connectionId)
    if (connection?.status === 'active')
      transaction.update('connections', connection, { nextRunAt: now, requestedAt: now })
    return 'due'
  }
}

/** Finds an item. The requested id may be any text; as UTF-8 it is well formed. */
function findItem(transaction: ModelTransaction, connectionId: string, itemId: string): ItemRow | undefined {
  return transaction.find('items', joinKey(connectionId, itemId.toWellFormed()))
}

function listItems(transaction: ModelTransaction, connectionId: string): ItemRow[] {
  return transaction
    .select('items', (row) => row.connectionId === connectionId)
    .toSorted((one, other) => compareBytes(one.id, other.id))
}

function isUnseen({ seenPass, missingPass }: ItemRow, unseen: Unseen): boolean {
  if ('missingIn' in unseen && missingPass !== unseen.missingIn) return false
  return unseen.before === undefined || seenPass < unseen.before
}

function toKnownItem(row: ItemRow): KnownItem {
  const { id, place, version, status, contentHash, tries, nextTryAt, absentSince } = row
  return { id, place, version, status, contentHash, tries, nextTryAt, absentSince }
}

function toStoredItem(transaction: ModelTransaction, row: ItemRow): StoredItem {
  const { title, url, reason, changedAt } = row
  const memories = transaction.select(
    'references',
    ({ connectionId, itemId }) => itemId === row.id && connectionId === row.connectionId
  ).length
  return { ...toKnownItem(row), title, url, reason, memories, changedAt }
}
