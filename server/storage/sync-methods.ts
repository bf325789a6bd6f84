import { claimConnections, selectNextDue } from './claim-connections.ts'
import { putCleanup, selectCleanups, takeCleanup } from './cleanups.ts'
import { commitPage } from './commit-page.ts'
import { putPaused, putRequest, selectSchedule } from './connection-schedule.ts'
import type { Database } from './dialect.ts'
import { purgeSome } from './purge-revoked.ts'
import { selectDueItems, selectItem, selectItems, selectKnown, selectNextTry } from './read-items.ts'
import { selectLedgerEntries, selectLedgerValue } from './read-ledger.ts'
import { endRunReads, putReads } from './reads-table.ts'
import { releaseSome } from './release-memories.ts'
import { putRetry } from './retry-item.ts'
import { endHeldRun, putLease } from './run-leases.ts'
import { selectRun, selectRuns } from './runs-table.ts'
import type { SyncStorage } from './sync-storage.ts'
import { countUnseenItems, selectUnseen } from './unseen-items.ts'

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
