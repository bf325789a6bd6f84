import type { CleanupStorage } from '../../../server/storage/port/sync-storage.ts'
import { findCollection, findHeld } from './model-lookups.ts'
import { forgetUnreferenced } from './model-pages.ts'
import { writeLines } from './model-records.ts'
import type { ConnectionRow } from './model-rows.ts'
import { compareBytes, compareValues, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

export const modelCleanups: ModelMethods<CleanupStorage> = {
  requestCleanup(transaction, connectionId) {
    const row = transaction.find('connections', connectionId)
    if (row?.revokedAt === undefined || !hasCollection(transaction, row)) return 0
    const left = listOwn(transaction, connectionId).length
    transaction.update('connections', row, left === 0 ? { itemsSynced: 0 } : { cleanup: true })
    return left
  },

  listOpenCleanups(transaction, { now, limit }) {
    return transaction
      .select('connections', (row) => row.cleanup && isFree(row, now) && hasCollection(transaction, row))
      .map(({ id }) => id)
      .toSorted(compareValues)
      .slice(0, limit)
  },

  claimCleanup(transaction, connectionId, { owner, now, until }) {
    const row = transaction.find('connections', connectionId)
    if (row === undefined || !row.cleanup || !hasCollection(transaction, row)) return 'nothing'
    if (!isFree(row, now)) return 'held'
    const fence = row.fence + 1
    transaction.update('connections', row, { leaseOwner: owner, leaseUntil: until, fence })
    return { connectionId, owner, fence, runId: NO_RUN }
  },

  releaseMemories(transaction, hold, { limit, now, until }) {
    const row = findHeld(transaction, hold)
    if (row === undefined || !row.cleanup || !hasCollection(transaction, row)) return { outcome: 'lost', left: 0 }
    const some = listOwn(transaction, row.id)
      .toSorted((one, other) => compareBytes(one.itemId, other.itemId) || compareValues(one.memoryKey, other.memoryKey))
      .slice(0, limit)
    transaction.remove('references', some)
    const forgotten = forgetUnreferenced(transaction, row.collectionId, { references: some, now })
    writeLines(transaction, row.collectionId, forgotten)
    const left = listOwn(transaction, row.id).length
    const isOver = { cleanup: false, itemsSynced: 0, leaseOwner: undefined, leaseUntil: undefined }
    transaction.update('connections', row, left > 0 ? { leaseUntil: until } : isOver)
    return { outcome: 'released', left }
  },

  purgeRevoked(transaction, limit) {
    const [revoked] = transaction.select(
      'connections',
      ({ id, revokedAt }) =>
        revokedAt !== undefined && TABLES.some((table) => listRows(transaction, table, id).length > 0)
    )
    if (revoked === undefined) return false
    for (const table of TABLES) transaction.remove(table, listRows(transaction, table, revoked.id).slice(0, limit))
    return true
  }
}

/** A cleanup is not a run. */
const NO_RUN = '00000000-0000-0000-0000-000000000000'

/** The rows of a revoked connection except its memories, references and runs. */
const TABLES = ['items', 'ledger', 'reads'] as const

function listRows(transaction: ModelTransaction, table: (typeof TABLES)[number], id: string) {
  return transaction.select(table, ({ connectionId }: { connectionId: string }) => connectionId === id)
}

function listOwn(transaction: ModelTransaction, id: string) {
  return transaction.select('references', ({ connectionId }) => connectionId === id)
}

function hasCollection(transaction: ModelTransaction, { collectionId }: ConnectionRow): boolean {
  return findCollection(transaction, collectionId) !== undefined
}

function isFree({ leaseUntil }: ConnectionRow, now: number): boolean {
  return leaseUntil === undefined || leaseUntil <= now
}
