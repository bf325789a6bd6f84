import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { StoredConnection } from './connector-storage.ts'
import type { RecordBatch } from './record-batch.ts'

/** The part of the storage that syncing uses. */
export type SyncStorage = QueueStorage & PageStorage & ItemStorage & RunStorage & CleanupStorage

/**
 * The queue of syncs.
 *
 * A connection's row is the queue. Whoever claims a connection holds it until its lease ends: each write of a run names its
 * hold, and nothing is written where the lease was given to another, the selection was changed or the connection was revoked
 * meanwhile (each of these raises the fence).
 */
export type QueueStorage = {
  /**
   * Takes connections that are due (their time has come and they are not paused, or somebody asked for a sync) and that
   * nobody holds, each for one of several that ask; begins a run for each. Collections of which fewer connections are held
   * come first, then those that are due the longest. An unfinished run of an earlier holder ends as `interrupted`. Asked again
   * for the same runs, it gives what it gave.
   */
  claimDue(asked: ClaimAsked): Promise<Claim[]>
  /** When the next connection of these providers is due, or can be taken over; undefined where none will be. */
  findNextDue(providers: readonly string[]): Promise<EpochMs | undefined>
  /** Makes an active connection due now, paused or not. `running`: somebody holds it, or has asked already. */
  requestSync(connectionId: string, now: EpochMs): Promise<'requested' | 'running' | 'not_active' | 'unknown'>
  /** Makes a lease longer. False where the hold is lost. */
  renewLease(hold: Hold, lease: { now: EpochMs; until: EpochMs }): Promise<boolean>
  /**
   * Ends a run and gives the connection back. False where the hold is lost: nothing is changed then. What was asked for is done
   * with it, unless it was `stopped` or that was asked since it began.
   */
  endRun(hold: Hold, end: RunEnd): Promise<boolean>
  findSchedule(connectionId: string): Promise<StoredSchedule | undefined>
  /** Stops or starts the regular syncs of a connection that is not revoked. False where there is none. */
  setPaused(connectionId: string, paused: { paused: boolean; now: EpochMs }): Promise<boolean>
}

/** `owner` names a server, differently at each start. `providers`: only of these. */
export type ClaimAsked = {
  owner: string
  now: EpochMs
  until: EpochMs
  limit: number
  providers: readonly string[]
  /** An id for each run that may begin: as many as `limit`. */
  runIds: readonly string[]
}

export type Claim = {
  hold: Hold
  connection: StoredConnection
  trigger: RunTrigger
  /** What the last page left; undefined at the start and after a change of the selection. */
  progress: string | undefined
  /** The highest number of a pass so far, 0 at first. */
  lastPass: number
  /** Whether anything was ever synced. */
  hasItems: boolean
  /** Runs in a row that failed before this one. */
  failures: number
}

/** Who works on a connection. `fence` grows with every claim, change of the selection and disconnect. */
export type Hold = { connectionId: string; owner: string; fence: number; runId: string }

export type RunEnd = {
  now: EpochMs
  outcome: RunOutcome
  /** What is noted at run and connection. Without one, a run that came to its end clears the connection's, another leaves it. */
  error: string | undefined
  /** When the connection is due again. */
  nextRunAt: EpochMs
  /** It came to its end: `last_synced_at` is now. */
  complete: boolean
  /** Runs in a row that failed, with this one. */
  failures: number
}

export type StoredSchedule = {
  pausedAt: EpochMs | undefined
  requestedAt: EpochMs | undefined
  nextRunAt: EpochMs | undefined
  /** The run that is under way, where somebody holds the connection. */
  runId: string | undefined
  /** Until when. */
  leaseUntil: EpochMs | undefined
}

/** What a sync reads and writes, a page at a time. */
export type PageStorage = {
  /**
   * Notes that items are about to be read, before any of them is. `commitPage` takes the note back with the outcome, `endRun` and
   * `endReads` those of the run. What is left of another run ended the server, perhaps: such an item in the same version is suspect, and is
   * begun only `alone`, when nothing else that is suspect is read; after a second time it is set aside. Asked again by the same run, it does
   * nothing more.
   */
  recordReads(hold: Hold, reads: ReadsToBegin): Promise<ReadsBegun>
  /** Takes back the notes of a run whose hold is lost. */
  endReads(hold: Hold): Promise<void>
  /** Writes what a page tells, all or nothing. */
  commitPage(hold: Hold, page: PageChange): Promise<PageOutcome>
  /** What an adapter keeps beside its cursor. */
  findLedgerValue(connectionId: string, key: string): Promise<string | undefined>
  /** All whose key begins with `prefix`. */
  listLedgerEntries(connectionId: string, prefix: string): Promise<Map<string, string>>
}

export type ReadsToBegin = { items: readonly { id: string; version: string | undefined }[]; alone: boolean }

/** All but `suspects` and `setAside`, which are ids, may be read now. */
export type ReadsBegun = { outcome: 'begun'; suspects: string[]; setAside: string[] } | { outcome: 'lost' }

export type PageChange = {
  now: EpochMs
  /** Until when the lease goes from now on. */
  until: EpochMs
  /** Which pass it belongs to. */
  pass: number
  /** Where the next page begins, as text that means nothing to the storage. Undefined leaves it as it is. */
  progress: string | undefined
  items: readonly ItemChange[]
  /** Ids of items that are no more. */
  gone: readonly string[]
  /** Places whose items are no more. */
  emptied: readonly string[]
  /**
   * Stretches of ids (by their UTF-8 bytes): items in them that `items` does not name are noted as missing in this pass. Of a page
   * that is written in parts they belong to the first: whom a later part names is no longer missing.
   */
  covered: readonly { from: string; to: string }[]
  ledger: readonly (readonly [key: string, value: string | undefined])[]
  /** Memory lines; an `ItemChange` says which of them are its own. Its memory is the storage's from then on. */
  memories: RecordBatch
  /** How often things were left out or failed for which reason, and what else the run counts. */
  counts: PageCounts
}

/** An item that a page tells of. What is undefined is not known. */
export type ItemChange = {
  id: string
  place: string | undefined
  version: string | undefined
  title: string | undefined
  url: string | undefined
  state: /** As it was, its failure too: seen again, with place and version as they are now. */
    | { kind: 'unchanged' }
    /**
     * Its memories are lines `from` up to `to` of the batch; those it had before and has no more are let go. `cut` says that they are not
     * all of it.
     */
    | { kind: 'synced'; contentHash: Uint8Array; from: number; to: number; cut?: string }
    /** It is not taken in: memories that it had are let go. */
    | { kind: 'skipped'; reason: string }
    /**
     * A complete listing lacked it, and nothing confirms that it is gone. All of it stays as it was, and when this was noted first is kept
     * until it is seen again.
     */
    | { kind: 'absent' }
    /** What it had stays. */
    | { kind: 'failed'; error: string; tries: number; nextTryAt: EpochMs }
}

export type PageOutcome =
  /** `deleted` items were taken out. */
  | { outcome: 'committed'; deleted: number }
  /** The hold is lost: nothing was written. */
  | { outcome: 'lost' }
  /**
   * Nothing was written: the memories in these rows were taken back by a source before, so that saying them again is a
   * further copy. The caller comes again with the next copy of each.
   */
  | { outcome: 'copies'; rows: number[] }

/** The items of connections: what each was when a sync last saw it. */
export type ItemStorage = {
  /** Those of `ids` that are known. */
  findKnownItems(connectionId: string, ids: readonly string[]): Promise<KnownItem[]>
  /** Failed items whose time to be tried again has come, those that wait the longest first. */
  listDueItems(connectionId: string, due: { now: EpochMs; limit: number }): Promise<KnownItem[]>
  /** When the next failed item is to be tried again. */
  findNextTry(connectionId: string): Promise<EpochMs | undefined>
  /** How many items a pass has not seen, and how many there are that were synced. */
  countUnseen(connectionId: string, unseen: Unseen): Promise<{ unseen: number; synced: number }>
  /** Those themselves, in the order of their ids, without those that the pass `notNotedIn` has noted as absent. */
  listUnseenItems(connectionId: string, asked: UnseenAsked): Promise<KnownItem[]>
  /** In the order of their ids; `after` is the id that the page before ended with. */
  listItems(connectionId: string, page: ItemsPage): Promise<StoredItem[]>
  findItem(connectionId: string, itemId: string): Promise<StoredItem | undefined>
  /** Makes a failed item due now, with all its tries before it, and its connection too. It is no longer set aside. */
  retryItem(connectionId: string, failed: { itemId: string; now: EpochMs }): Promise<'due' | 'not_failed' | 'unknown'>
}

export type KnownItem = {
  id: string
  place: string | undefined
  version: string | undefined
  status: ItemStatus
  /** Undefined where it was never synced. */
  contentHash: Uint8Array | undefined
  /** How often it failed in a row, and when it is to be tried again. */
  tries: number
  nextTryAt: EpochMs | undefined
  /** When a complete listing first lacked it without its absence being confirmed. */
  absentSince: EpochMs | undefined
}

export const ITEM_STATUSES = ['synced', 'skipped', 'failed'] as const

export type ItemStatus = (typeof ITEM_STATUSES)[number]

export type StoredItem = KnownItem & {
  title: string | undefined
  url: string | undefined
  /** Why it failed, was skipped or is cut. */
  reason: string | undefined
  memories: number
  /** When it was synced or failed last. */
  changedAt: EpochMs
}

export type ItemsPage = { status: ItemStatus | undefined; after: string | undefined; limit: number }

/**
 * What a pass has not seen: of a pass over everything, what it did not come across; else what its stretches lacked, and with
 * `before` that alone which was not seen since that pass either.
 */
export type Unseen = { before: number } | { missingIn: number; before?: number }

type UnseenAsked = { unseen: Unseen; notNotedIn: number; limit: number }

/** The history of syncs. */
export type RunStorage = {
  /** Newest first. */
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
  /** `partial`: to its end, with items that failed. */
  | 'succeeded'
  | 'partial'
  | 'failed'
  /** The provider demands to be left alone: it goes on later. */
  | 'parked'
  /** The selection was changed, or the connection ended, or the server stops. */
  | 'stopped'
  /** The server that worked on it went away. */
  | 'interrupted'

export type PageCounts = {
  seen: number
  created: number
  updated: number
  unchanged: number
  failed: number
  skipped: number
  /** By the reason of a skip or failure, or of a cut. */
  reasons: Readonly<Record<string, number>>
}

/** Cleaning up behind revoked connections. */
export type CleanupStorage = {
  /** Notes that the memories of a revoked connection are to go, and says how many it holds: 0 where nothing is left to do. */
  requestCleanup(connectionId: string): Promise<number>
  /** Ids of revoked connections whose memories are to go and that nobody is cleaning up. */
  listOpenCleanups(asked: { now: EpochMs; limit: number }): Promise<string[]>
  /** Takes the right to clean up. `held`: another has it; `nothing`: nothing is left to do. */
  claimCleanup(
    connectionId: string,
    lease: { owner: string; now: EpochMs; until: EpochMs }
  ): Promise<Hold | 'held' | 'nothing'>
  /**
   * Lets go of the memories of `limit` references of a revoked connection; those that nobody else holds are forgotten. With the last one the
   * cleanup is over.
   */
  releaseMemories(hold: Hold, release: { limit: number; now: EpochMs; until: EpochMs }): Promise<Released>
  /** Takes out what revoked connections leave behind but memories, runs and references: items, ledger and notes of reads. False: nothing left. */
  purgeRevoked(limit: number): Promise<boolean>
}

/** `left`: holdings that are still there. */
export type Released = { outcome: 'released' | 'lost'; left: number }
