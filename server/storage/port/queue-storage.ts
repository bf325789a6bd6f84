import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { StoredConnection } from './connection-storage.ts'
import type { RunOutcome, RunTrigger } from './run-storage.ts'

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
  nextDue(providers: readonly string[]): Promise<EpochMs | undefined>
  /** Makes an active connection due now, paused or not. `running`: somebody holds it, or has asked already. */
  requestSync(connectionId: string, now: EpochMs): Promise<'requested' | 'running' | 'not_active' | 'unknown'>
  /** Makes a lease longer. False where the hold is lost. */
  renewLease(hold: Hold, lease: { now: EpochMs; until: EpochMs }): Promise<boolean>
  /**
   * Ends a run and gives the connection back. False where the hold is lost: nothing is changed then. What was asked for is done
   * with it, unless it was `stopped` or that was asked since it began.
   */
  endRun(hold: Hold, end: RunEnd): Promise<boolean>
  schedule(connectionId: string): Promise<StoredSchedule | undefined>
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
