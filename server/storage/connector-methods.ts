import type { Database } from './database/dialect.ts'
import type { ConnectorStorage } from './port/storage.ts'
import {
  completeUsed,
  insertAttempt,
  markEnded,
  markUsed,
  putHeld,
  selectAttempt,
  takeOld
} from './tables/attempts-table.ts'
import {
  changeConnection,
  putError,
  revokeOne,
  selectConnection,
  selectConnectionsOf
} from './tables/connections-table.ts'
import {
  endLease,
  putRefreshed,
  selectCredential,
  selectCredentialOf,
  takeLease,
  takeUnused
} from './tables/credentials-table.ts'

import { changeCurrentKey, putStoreId, resealOne, selectStaleSecrets, selectVaultKeys } from './tables/vault-table.ts'

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
