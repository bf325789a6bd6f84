import { insertAttempt, markEnded, markUsed, putHeld, selectAttempt } from './attempts-table.ts'
import { completeUsed } from './complete-attempt.ts'
import { changeConnection, putError, revokeOne, selectConnection, selectConnectionsOf } from './connections-table.ts'
import type { ConnectorStorage } from './connector-storage.ts'
import { selectCredential, selectCredentialOf, takeUnused } from './credentials-table.ts'
import type { Database } from './dialect.ts'
import { takeOld } from './old-attempts.ts'
import { endLease, putRefreshed, takeLease } from './refresh-leases.ts'
import { changeCurrentKey, putStoreId, resealOne, selectStaleSecrets, selectVaultKeys } from './vault-table.ts'

/** The part of the storage that connectors use, over tables that are up to date. */
export function connectorMethods(database: Database): ConnectorStorage {
  const { db } = database
  return {
    createAttempt: (attempt) => insertAttempt(database, attempt),
    attempt: (id) => selectAttempt(db, id),
    useAttempt: (id, now) => markUsed(db, id, now),
    endAttempt: (id, end) => markEnded(db, id, end),
    holdGrant: (id, held) => putHeld(database, id, held),
    completeAttempt: (id, made) => completeUsed(database, id, made),
    takeOldAttempts: (times) => takeOld(database, times),
    connection: (id) => selectConnection(db, id),
    connectionsOf: (collectionId) => selectConnectionsOf(db, collectionId),
    updateConnection: (id, change) => changeConnection(db, id, change),
    noteError: (connectionId, error) => putError(db, connectionId, error),
    revokeConnection: (id, now) => revokeOne(database, id, now),
    takeUnusedCredentials: (limit) => takeUnused(database, limit),
    credential: (id) => selectCredential(db, id),
    credentialOf: (account) => selectCredentialOf(db, account),
    leaseRefresh: (id, lease) => takeLease(db, id, lease),
    saveRefreshed: (id, saved) => putRefreshed(database, id, saved),
    endRefresh: (id, ended) => endLease(database, id, ended),
    storeId: (proposed) => putStoreId(db, proposed),
    vaultKeys: () => selectVaultKeys(db),
    changeVaultKey: (before, next) => changeCurrentKey(db, before, next),
    staleSecrets: (limit) => selectStaleSecrets(db, limit),
    resealSecret: (stale, next) => resealOne(database, stale, next)
  }
}
