import type { FactRecord } from '../../contract/snapshot.ts'
import type { ReadFact } from '../extracted.ts'

/** The speaker and time of a memory, as far as the graph needs them. */
export type FactSource = {
  id: string
  /** UTC with milliseconds. */
  at: string
  /** The source gave no time; `at` is the time of storing and implies no order. */
  undated?: boolean | undefined
  conversation?: string | undefined
  speaker?: string | undefined
  /** Its text begins as a correction does: see `isCorrection`. */
  isCorrection?: boolean | undefined
  /** The memory that supersedes it, and from when on, UTC. */
  superseded?: { by: string; at: string } | undefined
}

/** Reports whether a text begins as a correction does: `Correction:`, `Actually, …`, `Sorry, …`. */
export function isCorrection(text: string): boolean {
  return CORRECTION.test(text)
}

const CORRECTION =
  /^\s*(?:correction\b|sorry,|actually,|wait,|no, (?!thank)|oops,?|my mistake\b|i was wrong\b|i made a mistake\b|(?:small |quick |an )?update:|edit:|scratch that\b)/i

/** A fact as one memory states it. */
export type StatedFact = { fact: ReadFact; source: FactSource }

/**
 * Equal facts of several memories, with the period for which they hold. A fact that recurs after its end is a second
 * one.
 */
export type FactOverTime = {
  /** Quoted from the best source: the most confident, then the earliest. */
  subject: string
  predicate: string
  value: string
  /** The keys by which it is compared. */
  keys: { subject: string; predicate: string; value: string }
  isSingle: boolean
  /** The texts deny it. */
  negated?: true
  /** The texts do not claim it. */
  modality?: NonNullable<FactRecord['modality']>
  /** 0..1. Grows with every independent source. */
  confidence: number
  /** Ids of memories, best first, then by time. */
  source_ids: string[]
  /** Range in the text of the best source. */
  span: [number, number]
  /** UTC. Null if no source has a time. */
  valid_from: string | null
  /** First instant at which it no longer holds, UTC; null if nothing has ended it. */
  valid_to: string | null
  /** Ids of memories that contradict it for the same time, at most 20. */
  contradicted_by: string[]
}
