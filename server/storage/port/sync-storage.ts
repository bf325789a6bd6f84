import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { PlaceNames, StoredConnection } from './connector-storage.ts'
import type { RecordBatch } from './record-batch.ts'

/** The part of the storage that syncing uses. */
export type SyncStorage = QueueStorage & PageStorage & ItemStorage & RunStorage & CleanupStorage

/**
 * The queue of syncs.
 *
 * The rows of connections are the queue. A server that claims a connection holds it until its lease ends. Each write of
 * a run names its hold. Nothing is written if another server has taken the lease, the selection was changed or the
 * connection was revoked meanwhile; each of these raises the fence.
 */
export type QueueStorage = {
  /**
   * Claims due connections that no server holds, and begins a run for each. A connection is due if its time has come
   * and it is not paused, or if a sync was requested. Of several concurrent calls, one gets each connection.
   * Collections with fewer held connections come first, then connections that have been due longest. An unfinished run
   * of a previous holder ends as `interrupted`. A repeated call for the same runs returns the same claims.
   */
  claimDue(asked: ClaimAsked): Promise<Claim[]>
  /** Returns when the next connection of these providers is due or can be taken over, or undefined if none will be. */
  findNextDue(providers: readonly string[]): Promise<EpochMs | undefined>
  /**
   * Makes an active connection due now, even a paused one. `running`: a server holds it, or a sync was already
   * requested.
   */
  requestSync(connectionId: string, now: EpochMs): Promise<'requested' | 'running' | 'not_active' | 'unknown'>
  /** Extends a lease. Returns false if the hold is lost. */
  renewLease(hold: Hold, lease: { now: EpochMs; until: EpochMs }): Promise<boolean>
  /**
   * Ends a run and releases the connection. Returns false and changes nothing if the hold is lost. Also clears a
   * requested sync, unless the run was `stopped` or the request came after its start.
   */
  endRun(hold: Hold, end: RunEnd): Promise<boolean>
  findSchedule(connectionId: string): Promise<StoredSchedule | undefined>
  /** Pauses or resumes the regular syncs of a connection that is not revoked. Returns false if there is none. */
  setPaused(connectionId: string, paused: { paused: boolean; now: EpochMs }): Promise<boolean>
}

/** `owner` names a server process and differs at each start. `providers` limits the claim to their connections. */
export type ClaimAsked = {
  owner: string
  now: EpochMs
  until: EpochMs
  limit: number
  providers: readonly string[]
  /** An id for each run that may begin; `limit` ids. */
  runIds: readonly string[]
}

export type Claim = {
  hold: Hold
  connection: StoredConnection
  trigger: RunTrigger
  /** The progress after the last page; undefined at the start and after a change of the selection. */
  progress: string | undefined
  /** The highest pass number so far, 0 at first. */
  lastPass: number
  /** Whether an item was ever synced. */
  hasItems: boolean
  /** Consecutive failed runs before this one. */
  failures: number
}

/**
 * The claim of a server on a connection. `fence` increases with every claim, change of the selection and disconnect.
 */
export type Hold = { connectionId: string; owner: string; fence: number; runId: string }

export type RunEnd = {
  now: EpochMs
  outcome: RunOutcome
  /**
   * Stored with the run and the connection. If undefined, a completed run clears the connection's error; any other run
   * leaves it.
   */
  error: string | undefined
  /** When the connection is due again. */
  nextRunAt: EpochMs
  /** The run was completed: `last_synced_at` is set to now. */
  complete: boolean
  /** Consecutive failed runs, including this one. */
  failures: number
}

export type StoredSchedule = {
  pausedAt: EpochMs | undefined
  requestedAt: EpochMs | undefined
  nextRunAt: EpochMs | undefined
  /** The current run, if a server holds the connection. */
  runId: string | undefined
  /** When its lease ends. */
  leaseUntil: EpochMs | undefined
}

/** What a sync reads and writes, one page at a time. */
export type PageStorage = {
  /**
   * Records that items are about to be read. `commitPage` removes the note of an item with its outcome; `endRun` and
   * `endReads` remove those of the run. A note left by another run means that reading the item may have ended the
   * server. Such an item in the same version is suspect: it begins only if it is `alone`, while no other suspect is
   * read. After a second time it is set aside. A repeated call by the same run changes nothing.
   */
  recordReads(hold: Hold, reads: ReadsToBegin): Promise<ReadsBegun>
  /** Removes the notes of a run that has lost its hold. */
  endReads(hold: Hold): Promise<void>
  /** Writes the changes of a page in one transaction. */
  commitPage(hold: Hold, page: PageChange): Promise<PageOutcome>
  /** Finds a value that an adapter stores beside its cursor. */
  findLedgerValue(connectionId: string, key: string): Promise<string | undefined>
  /** Lists all values whose key begins with `prefix`. */
  listLedgerEntries(connectionId: string, prefix: string): Promise<Map<string, string>>
}

export type ReadsToBegin = { items: readonly { id: string; version: string | undefined }[]; alone: boolean }

/** All items may be read now except `suspects` and `setAside`, which are ids. */
export type ReadsBegun = { outcome: 'begun'; suspects: string[]; setAside: string[] } | { outcome: 'lost' }

export type PageChange = {
  now: EpochMs
  /** The new end of the lease. */
  until: EpochMs
  /** The pass that the page belongs to. */
  pass: number
  /** Where the next page begins, as text that is opaque to the storage. Undefined leaves it unchanged. */
  progress: string | undefined
  /** Replaces the names of the selected folders or channels. Undefined leaves them unchanged. */
  placeNames?: PlaceNames | undefined
  items: readonly ItemChange[]
  /** Ids of deleted items. */
  gone: readonly string[]
  /** Places whose items are deleted. */
  emptied: readonly string[]
  /** Places whose items are noted as seen in this pass, unchanged. */
  seenIn?: readonly string[]
  /**
   * Ranges of ids (by their UTF-8 bytes). Items in them that `items` does not name are noted as missing in this pass.
   * If a page is written in parts, the ranges belong to the first part; an item named by a later part is no longer
   * missing.
   */
  covered: readonly { from: string; to: string }[]
  ledger: readonly (readonly [key: string, value: string | undefined])[]
  /** Memory lines; each `ItemChange` names its own. The storage takes ownership of the batch's memory. */
  memories: RecordBatch
  /** A count for each reason of a skip or failure, and the other counters of the run. */
  counts: PageCounts
}

/** An item of a page. Undefined values are unknown. */
export type ItemChange = {
  id: string
  place: string | undefined
  version: string | undefined
  title: string | undefined
  url: string | undefined
  state: /** Unchanged, including its failure, and seen again with the current place and version. */
    | { kind: 'unchanged' }
    /**
     * Its memories are lines `from` up to `to` of the batch. References to memories that it no longer has are removed.
     * `cut` is the reason if they are incomplete.
     */
    | { kind: 'synced'; contentHash: Uint8Array; from: number; to: number; cut?: string }
    /** The item is not read. References to the memories that it had are removed. */
    | { kind: 'skipped'; reason: string }
    /**
     * A complete listing lacked the item, and its deletion is not confirmed. The item is unchanged. The time of the
     * first such listing is stored until the item is seen again.
     */
    | { kind: 'absent' }
    /** The item keeps its memories. */
    | { kind: 'failed'; error: string; tries: number; nextTryAt: EpochMs }
}

export type PageOutcome =
  /** `deleted` items were removed. */
  | { outcome: 'committed'; deleted: number }
  /** The hold is lost, and nothing was written. */
  | { outcome: 'lost' }
  /**
   * Nothing was written. A source had deleted the memories in these rows before, so storing them again needs a new
   * copy. The caller retries with the next copy of each.
   */
  | { outcome: 'copies'; rows: number[] }

/** The items of connections, as the last sync saw them. */
export type ItemStorage = {
  /** Finds the known items among `ids`. */
  findKnownItems(connectionId: string, ids: readonly string[]): Promise<KnownItem[]>
  /** Lists failed items whose retry is due, the longest overdue first. */
  listDueItems(connectionId: string, due: { now: EpochMs; limit: number }): Promise<KnownItem[]>
  /** Returns when the next failed item is due for a retry. */
  findNextTry(connectionId: string): Promise<EpochMs | undefined>
  /** Counts the items that a pass has not seen, and all items that are synced. */
  countUnseen(connectionId: string, unseen: Unseen): Promise<{ unseen: number; synced: number }>
  /** Lists the unseen items in id order, without those that the pass `notNotedIn` has noted as absent. */
  listUnseenItems(connectionId: string, asked: UnseenAsked): Promise<KnownItem[]>
  /** Lists items in id order. `after` is the last id of the previous page. */
  listItems(connectionId: string, page: ItemsPage): Promise<StoredItem[]>
  findItem(connectionId: string, itemId: string): Promise<StoredItem | undefined>
  /** Makes a failed item and its connection due now. Its count of tries is kept. It is no longer set aside. */
  retryItem(connectionId: string, failed: { itemId: string; now: EpochMs }): Promise<'due' | 'not_failed' | 'unknown'>
}

export type KnownItem = {
  id: string
  place: string | undefined
  version: string | undefined
  status: ItemStatus
  /** Undefined if it was never synced. */
  contentHash: Uint8Array | undefined
  /** Consecutive failures, and when the next retry is due. */
  tries: number
  nextTryAt: EpochMs | undefined
  /** When a complete listing first lacked the item without confirmation that it was deleted. */
  absentSince: EpochMs | undefined
}

export const ITEM_STATUSES = ['synced', 'skipped', 'failed'] as const

export type ItemStatus = (typeof ITEM_STATUSES)[number]

export type StoredItem = KnownItem & {
  title: string | undefined
  url: string | undefined
  /** Why it failed, was skipped or is incomplete. */
  reason: string | undefined
  memories: number
  /** When it was last synced or failed. */
  changedAt: EpochMs
}

export type ItemsPage = { status: ItemStatus | undefined; after: string | undefined; limit: number }

/**
 * The items that a pass has not seen. `before`: the items that a pass over everything did not list. `missingIn`: the
 * items that the listed ranges of a pass lacked; with `before`, only those not seen since that pass either.
 */
export type Unseen = { before: number } | { missingIn: number; before?: number }

type UnseenAsked = { unseen: Unseen; notNotedIn: number; limit: number }

/** The history of syncs. */
export type RunStorage = {
  /** Lists runs, newest first. */
  listRuns(connectionId: string, page: { limit: number }): Promise<StoredRun[]>
  findRun(connectionId: string, runId: string): Promise<StoredRun | undefined>
}

export type StoredRun = PageCounts & {
  id: string
  trigger: RunTrigger
  startedAt: EpochMs
  endedAt: EpochMs | undefined
  outcome: RunOutcome | undefined
  error: string | undefined
  deleted: number
}

export type RunTrigger = 'schedule' | 'manual'

export type RunOutcome =
  /** `partial`: completed, with items that failed. */
  | 'succeeded'
  | 'partial'
  | 'failed'
  /** The provider demanded a pause. The sync continues later. */
  | 'parked'
  /** The selection was changed, the connection ended, or the server is stopping. */
  | 'stopped'
  /** The server that ran it went away. */
  | 'interrupted'

export type PageCounts = {
  seen: number
  created: number
  updated: number
  unchanged: number
  failed: number
  skipped: number
  /** A count for each reason of a skip, failure or cut. */
  reasons: Readonly<Record<string, number>>
}

/** Removes what revoked connections leave behind. */
export type CleanupStorage = {
  /**
   * Requests the removal of a revoked connection's memories. Returns how many references it has; 0 if nothing is left
   * to do.
   */
  requestCleanup(connectionId: string): Promise<number>
  /** Lists the ids of revoked connections whose memories are to be removed and that no server is cleaning up. */
  listOpenCleanups(asked: { now: EpochMs; limit: number }): Promise<string[]>
  /** Acquires the right to clean up. `held`: another server has it. `nothing`: nothing is left to do. */
  claimCleanup(
    connectionId: string,
    lease: { owner: string; now: EpochMs; until: EpochMs }
  ): Promise<Hold | 'held' | 'nothing'>
  /**
   * Removes `limit` references of a revoked connection and forgets the memories that have no other owner. Removing the
   * last reference ends the cleanup.
   */
  releaseMemories(hold: Hold, release: { limit: number; now: EpochMs; until: EpochMs }): Promise<Released>
  /**
   * Removes the items, ledger and notes of reads of revoked connections. Memories, runs and references stay. Returns
   * false if nothing is left.
   */
  purgeRevoked(limit: number): Promise<boolean>
}

/** `left` is the number of remaining references. */
export type Released = { outcome: 'released' | 'lost'; left: number }
