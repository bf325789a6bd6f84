import type { AttemptStorage } from './attempt-storage.ts'
import type { CheckStorage } from './check-storage.ts'
import type { CleanupStorage } from './cleanup-storage.ts'
import type { CollectionStorage } from './collection-storage.ts'
import type { ConnectionStorage } from './connection-storage.ts'
import type { CredentialStorage } from './credential-storage.ts'
import type { ItemStorage } from './item-storage.ts'
import type { KeyStorage } from './key-storage.ts'
import type { PageStorage } from './page-storage.ts'
import type { QueueStorage } from './queue-storage.ts'
import type { RecordStorage } from './record-storage.ts'
import type { RunStorage } from './run-storage.ts'
import type { VaultStorage } from './vault-storage.ts'

/**
 * Everything the server stores, on one of two engines, by subject. Values are plain, so that the storage can run in another
 * thread. Times are milliseconds since 1970. Each method is one transaction. Every method rejects with a Fault `unavailable` if
 * the storage cannot be reached or refuses (a full disk), and has then changed nothing.
 */
export type Storage = CollectionStorage &
  RecordStorage &
  KeyStorage &
  ConnectorStorage &
  SyncStorage &
  CheckStorage & {
    /** Resolves if the storage can be reached. */
    ping(): Promise<void>
    /** Closes the storage after the calls under way have ended. */
    close(): Promise<void>
  }

/** The part of the storage that connectors use. */
export type ConnectorStorage = AttemptStorage & ConnectionStorage & CredentialStorage & VaultStorage

/** The part of the storage that syncing uses. */
export type SyncStorage = QueueStorage & PageStorage & ItemStorage & RunStorage & CleanupStorage
