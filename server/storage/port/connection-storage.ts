import type { ConnectionConfig, ConnectionStatus } from '../../../src/contract/connection.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { StoredCredential } from './credential-storage.ts'

/** Connected accounts, without what their syncs keep. */
export type ConnectionStorage = {
  connection(id: string): Promise<StoredConnection | undefined>
  /** Oldest first, without revoked ones. */
  connectionsInCollection(collectionId: string): Promise<StoredConnection[]>
  /**
   * Sets config and status where the connection is still as `version` has it. `changed` is false where another call came
   * first. Starts a new generation of its cursor: a sync that is under way is fenced off, and the next one is due at once.
   */
  updateConnection(
    id: string,
    change: ConnectionChange
  ): Promise<{ changed: boolean; connection: StoredConnection | undefined }>
  /** What failed last; undefined clears it. */
  noteError(connectionId: string, error: string | undefined): Promise<void>
  /**
   * Ends a connection. `credential` is the one that no connection uses any more, taken out of the storage, so that its grant
   * can be revoked. Undefined where there is no such connection; a revoked one stays as it is.
   */
  revokeConnection(
    id: string,
    now: EpochMs
  ): Promise<{ connection: StoredConnection; credential: StoredCredential | undefined } | undefined>
}

export type StoredConnection = {
  id: string
  provider: ProviderId
  collectionId: string
  accountId: string
  accountName: string
  status: ConnectionStatus
  config: ConnectionConfig
  /** Absent once it is revoked. */
  credentialId: string | undefined
  lastError: string | undefined
  createdAt: EpochMs
  /** Grows by one with each change of config or status. */
  version: number
  /** Grows with each change of config: cursors of an older generation count no more. */
  cursorGeneration: number
  /** Items that are live now. */
  itemsSynced: number
  /** When a sync last came to its end. */
  lastSyncedAt: EpochMs | undefined
  /** When it is due; undefined where it is not active. */
  nextRunAt: EpochMs | undefined
}

export type ConnectionChange = { version: number; config: ConnectionConfig; status: 'active'; now: EpochMs }
