import type { TermMatch } from '../rank/term-match.ts'

/**
 * Why a memory is missing from an answer, or where it is. Scores and parts are fractions of 1, the attainable score.
 */
export type WhyNotReport = {
  id: string
  text: string | null
  /** Rank among all memories found, counted from 1; null if the memory was not found. */
  rank: number | null
  found: number | null
  /** Number of entries displayed, and the position of the memory or of the entry that represents it, counted from 1. */
  shown: number | null
  entry: number | null
  score: number
  /** Score of the last entry displayed. */
  last_score: number | null
  best: { id: string; text: string; score: number } | null
  reasons: Reason[]
  /** What each factor gave to the memory and to the best one, largest difference first. */
  compared: Comparison[]
}

export type Reason =
  | { reason: 'forgotten' }
  | { reason: 'shown'; entry: number }
  /** The memory is later than the requested time. */
  | { reason: 'later'; at: string }
  /** The memory does not pass a filter of the search. */
  | { reason: 'filtered' }
  /** Another memory supersedes this one. */
  | { reason: 'superseded'; by: string; at: string }
  | { reason: 'nothing_asked' }
  | { reason: 'nothing_in_it'; looked_for: string[] }
  | { reason: 'same_as'; id: string }
  /** Its rank by words alone was too low for the pool, to which further evidence applies. */
  | { reason: 'few_words'; word_rank: number; pool: number }
  | { reason: 'others_fit_better'; before: number; limit: number }

/** One factor of a score. `said` lists words and turns; evidence beyond words has none. */
export type Comparison = {
  name: string
  /** The word as the query spells it; null if the query does not contain it. */
  asked: string | null
  kind: 'term' | 'date' | 'evidence'
  /** False if the factor would have counted only in the pool. */
  counted: boolean
  part: number
  best_part: number
  said: TermMatch[]
  best_said: TermMatch[]
}
