import type { FactRecord } from '../../contract/snapshot.ts'

/** Who says something, and when: of a memory, what the graph must know of it. */
export type FactSource = {
  id: string
  /** UTC text with milliseconds. */
  at: string
  /** The source gave no time; `at` is when it was stored, and says nothing of before and after. */
  undated?: boolean | undefined
  conversation?: string | undefined
  speaker?: string | undefined
}

/** A fact as one memory states it. */
export type StatedFact = { fact: FactRecord; source: FactSource }

/** What several memories say alike, with the time for which it holds. One that came back after an end is a second one. */
export type FactOverTime = {
  /** In the words of the best source: the most confident, then the earliest. */
  subject: string
  predicate: string
  value: string
  /** What it is compared by. */
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
  /** Where the best source says it. */
  span: [number, number]
  /** UTC text. Null where no source has a time. */
  valid_from: string | null
  /** The first instant at which it no longer holds; null while nothing ended it. */
  valid_to: string | null
  /** Ids of memories that say otherwise of the same time, at most 20. */
  contradicted_by: string[]
}
