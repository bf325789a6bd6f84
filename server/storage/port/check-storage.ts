import type { EpochMs } from '../../../src/contract/epoch-ms.ts'

/**
 * The part of the storage that verifies what is stored: every line by its check, every row by its columns and references, every
 * counter by what it counts. A pass is a series of parts, each short enough that other calls get their turn in between.
 */
export type CheckStorage = {
  /** Verifies the next part of the database. */
  checkPart(asked: CheckAsked): Promise<CheckedPart>
  /** Lists what repairs set aside, oldest first. */
  listAsideEntries(page: { offset: number; limit: number }): Promise<AsideEntry[]>
  /**
   * Takes the right to scrub until `until`, unless another server has it or no pass is due: one that was begun always is, a new one if
   * the last complete one ended no later than `endedBy`. Returns how far the scrub has come.
   */
  claimScrub(asked: { owner: string; now: EpochMs; until: EpochMs; endedBy: EpochMs }): Promise<Scrub>
  /** Keeps how far the scrub has come and renews its lease. False if another server has taken it: nothing is changed then. */
  keepScrub(owner: string, progress: ScrubProgress): Promise<boolean>
  /** Keeps what a complete check by somebody else left, in place of the pass under way, which ends. */
  replaceScrub(result: { now: EpochMs; damage: number }): Promise<void>
}

/** `look` changes nothing, `note` marks damaged lines so that exports and counts know of them, `repair` also corrects. */
export type CheckMode = 'look' | 'note' | 'repair'

export type CheckAsked = {
  /** Where the part before ended; undefined for the first part. */
  position: string | undefined
  mode: CheckMode
  /** Includes the pages of the SQLite file, which are read in one go. */
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

/** What a finding came to. `found`: it is still there; the others are what a repair did. */
export const FINDING_OUTCOMES = ['found', 'set_aside', 'corrected'] as const

export type FindingOutcome = (typeof FINDING_OUTCOMES)[number]

/** Something that is not as it was written. */
export type CheckFinding = {
  table: string
  collectionId: string | undefined
  /** Which row, by its key. */
  place: string
  problem: string
  outcome: FindingOutcome
  /** What to do about a finding that no repair corrects. */
  hint?: string
}

/** A row that a repair took out or changed, as it was. */
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
 * `isOwn`: the caller has the lease. `found` counts the problems that the pass under way has found, `damage` those of the last complete
 * one, which ended at `endedAt`.
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
  /** Until when the lease lasts; `now` gives it back. */
  until: EpochMs
  position: string | undefined
  /** Problems that the pass has found so far, or in all if it `ended`. */
  found: number
  ended: boolean
}
