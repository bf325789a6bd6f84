import type { Database } from './dialect.ts'
import type { SyncStorage } from './sync-storage.ts'

/** The part of the storage that syncing uses, over tables that are up to date. */
export function syncMethods(_database: Database): SyncStorage {
  const missing = (): never => {
    throw new Error('not built yet')
  }
  return {
    claimDue: missing,
    nextDue: missing,
    requestSync: missing,
    renewLease: missing,
    commitPage: missing,
    endRun: missing,
    knownItems: missing,
    dueItems: missing,
    nextTry: missing,
    countUnseen: missing,
    dropUnseen: missing,
    ledgerValue: missing,
    ledgerEntries: missing,
    schedule: missing,
    setPaused: missing,
    runs: missing,
    run: missing,
    items: missing,
    retryItem: missing,
    askCleanup: missing,
    openCleanups: missing,
    claimCleanup: missing,
    releaseMemories: missing,
    purgeRevoked: missing
  }
}
