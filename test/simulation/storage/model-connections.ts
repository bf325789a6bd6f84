import type { ConnectionStorage, StoredConnection } from '../../../server/storage/port/connector-storage.ts'
import { takeIfUnused } from './model-credentials.ts'
import { findCollection, isUsed } from './model-lookups.ts'
import type { ConnectionRow } from './model-rows.ts'
import { endOpenRuns } from './model-runs.ts'
import { compareValues, type ModelMethods, type ModelTransaction, toJsonValue } from './model-transaction.ts'

export const modelConnections: ModelMethods<ConnectionStorage> = {
  findConnection: findStoredConnection,

  listConnectionsInCollection(transaction, collectionId) {
    return transaction
      .select('connections', (row) => row.collectionId === collectionId && row.revokedAt === undefined)
      .toSorted((one, other) => compareValues(one.createdAt, other.createdAt) || compareValues(one.id, other.id))
      .map(toStoredConnection)
  },

  updateConnection(transaction, id, { version, config, placeNames, status, now }) {
    const row = transaction.find('connections', id)
    const changed = row !== undefined && row.version === version && row.revokedAt === undefined
    if (changed) {
      transaction.update('connections', row, {
        ...WITHOUT_HOLD,
        ...{ config: toJsonValue(config), placeNames: placeNames ?? row.placeNames, status, nextRunAt: now },
        ...{ version: version + 1, cursorGeneration: row.cursorGeneration + 1, fence: row.fence + 1 }
      })
      endOpenRuns(transaction, id, { outcome: 'stopped', now })
    }
    return { changed, connection: findStoredConnection(transaction, id) }
  },

  noteError(transaction, connectionId, error) {
    const row = transaction.find('connections', connectionId)
    if (row !== undefined && row.revokedAt === undefined) transaction.update('connections', row, { lastError: error })
  },

  revokeConnection(transaction, id, now) {
    const row = transaction.find('connections', id)
    if (row === undefined || findCollection(transaction, row.collectionId) === undefined) return undefined
    if (row.status === 'revoked') return { connection: toStoredConnection(row), credential: undefined }
    const revoked = revoke(transaction, row, now)
    endOpenRuns(transaction, id, { outcome: 'stopped', now })
    const { credentialId } = row
    const credential = credentialId === undefined ? undefined : takeIfUnused(transaction, credentialId)
    return { connection: toStoredConnection(revoked), credential }
  }
}

function findStoredConnection(transaction: ModelTransaction, id: string): StoredConnection | undefined {
  const row = transaction.find('connections', id)
  if (row === undefined || findCollection(transaction, row.collectionId) === undefined) return undefined
  return toStoredConnection(row)
}

/** Converts a row to the type of the port. */
export function toStoredConnection(row: ConnectionRow): StoredConnection {
  const { id, provider, collectionId, account, status, config, placeNames, credentialId, lastError, createdAt } = row
  const { version, cursorGeneration, itemsSynced, lastSyncedAt, nextRunAt } = row
  return {
    ...{ id, provider, collectionId, status, config, placeNames, credentialId, lastError, createdAt },
    ...{ accountId: account.id, accountName: account.name },
    ...{ version, cursorGeneration, itemsSynced, lastSyncedAt, nextRunAt }
  }
}

/**
 * Revokes all connections of a collection that is being deleted. Credentials that no other connection uses wait for
 * their removal.
 */
export function revokeConnections(transaction: ModelTransaction, collectionId: string): void {
  const live = transaction.select(
    'connections',
    (row) => row.collectionId === collectionId && row.revokedAt === undefined
  )
  for (const row of live) revoke(transaction, row, transaction.now)
  for (const { credentialId } of live) {
    const credential = credentialId === undefined ? undefined : transaction.find('credentials', credentialId)
    if (credential === undefined || isUsed(transaction, credential.id)) continue
    transaction.update('credentials', credential, { unusedSince: transaction.now })
  }
}

function revoke(transaction: ModelTransaction, row: ConnectionRow, now: ConnectionRow['createdAt']): ConnectionRow {
  return transaction.update('connections', row, {
    ...WITHOUT_HOLD,
    ...{ status: 'revoked', revokedAt: now, credentialId: undefined, requestedAt: undefined, nextRunAt: undefined },
    ...{ version: row.version + 1, fence: row.fence + 1 }
  })
}

/** The columns that a change resets, so that an earlier holder loses the connection. */
const WITHOUT_HOLD = { leaseOwner: undefined, leaseUntil: undefined, progress: undefined, failures: 0 } as const
