import type { EpochMs } from '../../../src/contract/epoch-ms.ts'

/**
 * The part of the storage that verifies stored data: every line by its check, every row by its columns and references,
 * every counter by what it counts. A pass is a series of parts, each short enough to let other calls run in between.
 */
export type CheckStorage = {
  /** Verifies the next part of the database. */
  checkPart(asked: CheckAsked): Promise<CheckedPart>
  /** Lists what repairs set aside, oldest first. */
  listAsideEntries(page: { offset: number; limit: number }): Promise<AsideEntry[]>
  /**
   * Acquires the right to scrub until `until`. Fails if another server has it or no pass is due. An unfinished pass is
   * always due; a new one is due if the last complete pass ended no later than `endedBy`. Returns the progress of the
   * scrub.
   */
  claimScrub(asked: { owner: string; now: EpochMs; until: EpochMs; endedBy: EpochMs }): Promise<Scrub>
  /**
   * Stores the progress of the scrub and renews its lease. Returns false and changes nothing if another server has
   * taken the lease.
   */
  keepScrub(owner: string, progress: ScrubProgress): Promise<boolean>
  /** Stores the result of a complete check outside of the scrub, and ends the current pass. */
  replaceScrub(result: { now: EpochMs; damage: number }): Promise<void>
}

/**
 * `look` changes nothing, `note` marks damaged lines so that exports and counts account for them, `repair` also
 * corrects.
 */
export type CheckMode = 'look' | 'note' | 'repair'

export type CheckAsked = {
  /** Where the previous part ended; undefined for the first part. */
  position: string | undefined
  mode: CheckMode
  /** Includes the pages of the SQLite file, which are read in one call. */
  withFile: boolean
  /** Bytes of lines that are read at once. */
  maxBytes: number
  now: EpochMs
}

export type CheckedPart = {
  /** Undefined at the end of the pass. */
  position: string | undefined
  lines: number
  rows: number
  findings: readonly CheckFinding[]
}

/** The outcome of a finding. `found`: it is still there. The others are actions of a repair. */
export const FINDING_OUTCOMES = ['found', 'set_aside', 'corrected'] as const

export type FindingOutcome = (typeof FINDING_OUTCOMES)[number]

/** Data that differs from what was written. */
export type CheckFinding = {
  table: string
  collectionId: string | undefined
  /** The key of the row. */
  place: string
  problem: string
  outcome: FindingOutcome
  /** How to fix a finding that a repair cannot correct. */
  hint?: string
}

/** A row that a repair removed or changed, as it was before. */
export type AsideEntry = {
  table: string
  collectionId: string | undefined
  place: string
  reason: string
  setAsideAt: EpochMs
  /** The row as JSON. Bytes are `{"base64": "…"}`. */
  contents: string
}

/**
 * `isOwn` is set if the caller has the lease. `found` counts the problems of the current pass, `damage` those of the
 * last complete one, which ended at `endedAt`.
 */
export type Scrub = {
  isOwn: boolean
  position: string | undefined
  found: number
  endedAt: EpochMs | undefined
  damage: number
}

export type ScrubProgress = {
  now: EpochMs
  /** When the lease ends; `now` releases it. */
  until: EpochMs
  position: string | undefined
  /** Problems that the pass has found so far, or in total if it `ended`. */
  found: number
  ended: boolean
}
