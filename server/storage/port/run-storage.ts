import type { EpochMs } from '../../../src/contract/epoch-ms.ts'

/** The history of syncs. */
export type RunStorage = {
  /** Newest first. */
  runs(connectionId: string, page: { limit: number }): Promise<StoredRun[]>
  run(connectionId: string, runId: string): Promise<StoredRun | undefined>
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
