import type { IndexReader } from '../index/index-reader.ts'
import type { RelatedTerms } from '../related/related-terms.ts'
import { type BestMemories, createBestMemories } from './best-memories.ts'
import { feedbackCues } from './feedback-cues.ts'
import type { QueryCues } from './query-cues.ts'
import { questionLoss } from './question-loss.ts'
import { createRelatedMatches } from './related-matches.ts'
import type { Loss } from './score-board.ts'
import { createScorer, type Scorer } from './score-documents.ts'
import { type FoundCue, weighCue } from './weigh-cue.ts'

/** The best memories by words alone. */
export type WordRanking = {
  /** What the query looks for, as it was found. */
  cues: readonly FoundCue[]
  /** What was scored: the cues, with others of feedback where there was any. */
  scored: readonly FoundCue[]
  best: BestMemories
  /** What a document that had everything would score: the weights of what was scored. */
  attainable: number
  /** What questions among the documents lost, where the query is one. */
  loss: Loss | undefined
}

export type WordOptions = {
  limit: number
  until?: number | undefined
  /** Reads a document's text. Without it there is no feedback. */
  textOf?: ((document: number) => string | undefined) | undefined
}

export type WordRanker = { scorer: Scorer; rank(query: QueryCues, options: WordOptions): WordRanking }

/** Ranks by words: BM25 over what the query says and words related to it, and once more with feedback from long texts. */
export function createWordRanker(index: IndexReader, related: RelatedTerms): WordRanker {
  const scorer = createScorer(index)
  const bestOf = createBestMemories(index, scorer)
  const relatedTo = createRelatedMatches(index, related)
  let asking: Loss | undefined
  return {
    scorer,
    rank(query, { limit, until, textOf }) {
      if (query.asks) asking ??= questionLoss(index)
      const loss = query.asks ? asking : undefined
      const looking = { query: new Set(query.cues.map(({ name }) => name)), relatedTo }
      const cues = query.cues.map((cue) => weighCue(index, cue, looking))
      const best = bestOf({ cues, loss, until }, limit)
      const again = textOf === undefined ? undefined : feedbackCues(index, { cues, best, textOf })
      if (again === undefined) return { cues, scored: cues, best, attainable: sumOfWeights(cues), loss }
      const better = bestOf({ cues: again, loss, until }, limit)
      return { cues, scored: again, best: better, attainable: sumOfWeights(again), loss }
    }
  }
}

function sumOfWeights(cues: readonly FoundCue[]): number {
  return cues.reduce((sum, { weight }) => sum + weight, 0)
}
