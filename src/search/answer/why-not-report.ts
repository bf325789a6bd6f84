import type { TermMatch } from '../rank/term-match.ts'

/** Why a memory is not in an answer, or where in it. Scores and parts are of 1, the most that a memory could have. */
export type WhyNotReport = {
  id: string
  text: string | null
  /** Its place among all that is found, from 1; null where it is not found. */
  rank: number | null
  found: number | null
  /** Entries that are shown of these, and the one among them that it is, or that stands for it, from 1. */
  shown: number | null
  entry: number | null
  score: number
  /** Of the last entry that is shown. */
  last_score: number | null
  best: { id: string; text: string; score: number } | null
  reasons: Reason[]
  /** What each thing gave it and the best memory, where the difference is greatest first. */
  compared: Comparison[]
}

export type Reason =
  | { reason: 'forgotten' }
  | { reason: 'shown'; entry: number }
  /** It is later than the time asked about. */
  | { reason: 'later'; at: string }
  | { reason: 'nothing_asked' }
  | { reason: 'nothing_in_it'; looked_for: string[] }
  | { reason: 'same_as'; id: string }
  /** By words alone it was behind those that further evidence was asked of. */
  | { reason: 'few_words'; word_rank: number; pool: number }
  | { reason: 'others_fit_better'; before: number; limit: number }

/** One thing that counts. `said` tells in which words and turns; further evidence has none. */
export type Comparison = {
  name: string
  /** The word of the query; null where it has none. */
  asked: string | null
  kind: 'term' | 'date' | 'evidence'
  /** False where it would have counted, had the memory come so far. */
  counted: boolean
  part: number
  best_part: number
  said: TermMatch[]
  best_said: TermMatch[]
}
