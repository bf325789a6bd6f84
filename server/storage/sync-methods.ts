import type { Database } from './database/dialect.ts'
import type { SyncStorage } from './port/storage.ts'
import { commitPage } from './tables/commit-page.ts'
import { putCleanup, releaseSome, selectCleanups, takeCleanup } from './tables/connection-cleanups.ts'
import {
  claimConnections,
  endHeldRun,
  putLease,
  putPaused,
  putRequest,
  selectNextDue,
  selectSchedule
} from './tables/connection-queue.ts'
import {
  countUnseenItems,
  putRetry,
  selectDueItems,
  selectItem,
  selectItems,
  selectKnown,
  selectNextTry,
  selectUnseen
} from './tables/items-table.ts'
import { selectLedgerEntries, selectLedgerValue } from './tables/ledger-table.ts'
import { purgeSome } from './tables/purge-collections.ts'
import { endRunReads, putReads } from './tables/reads-table.ts'
import { selectRun, selectRuns } from './tables/runs-table.ts'

/** The part of the storage that syncing uses, over tables that are up to date. */
export function syncMethods(database: Database): SyncStorage {
  const { db } = database
  return {
    claimDue: (asked) => claimConnections(database, asked),
    nextDue: (providers) => selectNextDue(db, providers),
    requestSync: (connectionId, now) => putRequest(db, connectionId, now),
    renewLease: (hold, lease) => putLease(db, hold, lease),
    beginReads: (hold, reads) => putReads(database, hold, reads),
    endReads: (hold) => endRunReads(db, hold),
    commitPage: (hold, page) => commitPage(database, hold, page),
    endRun: (hold, end) => endHeldRun(database, hold, end),
    knownItems: (connectionId, ids) => selectKnown(database, connectionId, ids),
    dueItems: (connectionId, due) => selectDueItems(db, connectionId, due),
    nextTry: (connectionId) => selectNextTry(db, connectionId),
    countUnseen: (connectionId, unseen) => countUnseenItems(db, connectionId, unseen),
    unseenItems: (connectionId, asked) => selectUnseen(db, connectionId, asked),
    ledgerValue: (connectionId, key) => selectLedgerValue(db, connectionId, key),
    ledgerEntries: (connectionId, prefix) => selectLedgerEntries(db, connectionId, prefix),
    schedule: (connectionId) => selectSchedule(db, connectionId),
    setPaused: (connectionId, paused) => putPaused(db, connectionId, paused),
    runs: (connectionId, page) => selectRuns(db, connectionId, page),
    run: (connectionId, runId) => selectRun(db, connectionId, runId),
    items: (connectionId, page) => selectItems(db, connectionId, page),
    item: (connectionId, itemId) => selectItem(db, connectionId, itemId),
    retryItem: (connectionId, itemId, now) => putRetry(database, { connectionId, itemId, now }),
    askCleanup: (connectionId) => putCleanup(db, connectionId),
    openCleanups: (asked) => selectCleanups(db, asked),
    claimCleanup: (connectionId, lease) => takeCleanup(db, connectionId, lease),
    releaseMemories: (hold, release) => releaseSome(database, hold, release),
    purgeRevoked: (limit) => purgeSome(db, limit)
  }
}
