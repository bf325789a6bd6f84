import type { IndexReader } from '../index/index-reader.ts'
import type { RelatedTerms } from '../related/related-terms.ts'
import { type Best, createScorer, type Demand, type Scorer } from './create-scorer.ts'
import { findFeedbackCues } from './find-feedback-cues.ts'
import { findLongTurns } from './long-turns.ts'
import { excludeDocuments, type MemoryFilter } from './memory-filter.ts'
import type { QueryCues } from './query-cues.ts'
import { RANKING } from './ranking-constants.ts'
import { createRelatedMatches } from './related-matches.ts'
import type { ScoreLoss } from './score-board.ts'
import { type FoundCue, weighCue } from './weigh-cue.ts'

/** The best memories by words alone. */
export type WordRanking = {
  /** The cues of the query, with what was found for them. */
  cues: readonly FoundCue[]
  /** The cues that were scored: those of the query and of feedback, if any. */
  scored: readonly FoundCue[]
  best: BestMemories
  /** The score of a document with every cue: the sum of the weights. */
  attainable: number
  /** The loss of long turns, if there are any. */
  loss: ScoreLoss | undefined
}

type WordOptions = {
  limit: number
  filter?: MemoryFilter | undefined
  /** Reads a document's text. Without it there is no feedback. */
  textOf?: ((document: number) => string | undefined) | undefined
}

export type WordRanker = { scorer: Scorer; rank(query: QueryCues, options: WordOptions): WordRanking }

/**
 * Creates a ranker by words: BM25 over the query's terms and related words, and a second time with feedback from long
 * texts.
 */
export function createWordRanker(index: IndexReader, related: RelatedTerms): WordRanker {
  const scorer = createScorer(index)
  const bestOf = createBestMemories(index, scorer)
  const relatedTo = createRelatedMatches(index, related)
  const { loss } = findLongTurns(index)
  return {
    scorer,
    rank(query, { limit, filter, textOf }) {
      const looking = { query: new Set(query.cues.map(({ name }) => name)), relatedTo }
      const cues = query.cues.map((cue) => weighCue(index, cue, looking))
      const excluded = filter && excludeDocuments(index, filter)
      const best = bestOf({ cues, loss, excluded }, limit)
      const again = textOf === undefined ? undefined : findFeedbackCues(index, { cues, best, textOf })
      if (again === undefined) return { cues, scored: cues, best, attainable: sumCueWeights(cues), loss }
      const better = bestOf({ cues: again, loss, excluded }, limit)
      return { cues, scored: again, best: better, attainable: sumCueWeights(again), loss }
    }
  }
}

function sumCueWeights(cues: readonly FoundCue[]): number {
  return cues.reduce((sum, { weight }) => sum + weight, 0)
}

/** The best document of each memory, best first: for a long text, the passage that matches best. */
type BestMemories = Best & {
  /** Number of first results to be ordered by further evidence as well. */
  pool: number
  /**
   * By document in the pool: the scores of other passages of its memory that are at least as good as the last of the
   * pool.
   */
  others: ReadonlyMap<number, readonly number[]>
}

/**
 * Creates a function that returns the best memories: at least `limit` and a full pool if there are enough, possibly
 * more. The limit does not change which memories come first, or their order.
 */
function createBestMemories(index: IndexReader, scorer: Scorer): (demand: Demand, limit: number) => BestMemories {
  return (demand, limit) => {
    const wanted = Math.max(limit, RANKING.POOL)
    if (index.passages() === undefined) {
      const best = scorer.findBest(demand, wanted)
      return { ...best, pool: Math.min(best.documents.length, RANKING.POOL), others: NONE }
    }
    for (let documents = 2 * wanted; ; documents *= MORE) {
      const best = scorer.findBest(demand, documents)
      const memories = keepBestPassages(index, best)
      const missing = (documents < POOL_DOCUMENTS ? wanted : limit) - memories.documents.length
      if (missing <= 0 || best.documents.length < documents) return memories
    }
  }
}

/** If long texts take too many places, the search is repeated with this multiple of the limit. */
const MORE = 4

/** Maximum number of documents in the pool, however few memories they belong to. */
const POOL_DOCUMENTS = 16 * RANKING.POOL

/** Number of other passages per memory whose scores are kept. */
const OTHERS_MAX = 8

const NONE: BestMemories['others'] = new Map()

function keepBestPassages(index: IndexReader, { documents, scores }: Best): BestMemories {
  const bestOf = new Map<number, number>()
  const others = new Map<number, number[]>()
  const best = { documents: [] as number[], scores: [] as number[], pool: 0, others }
  documents.forEach((document, place) => {
    const isPooled = place < POOL_DOCUMENTS && best.pool < RANKING.POOL
    const memory = index.firstOf(document)
    const known = bestOf.get(memory)
    const score = scores[place] ?? 0
    if (known === undefined) {
      bestOf.set(memory, document)
      best.documents.push(document)
      best.scores.push(score)
      if (isPooled) best.pool++
    } else if (isPooled) {
      const more = others.get(known)
      if (more === undefined) others.set(known, [score])
      else if (more.length < OTHERS_MAX) more.push(score)
    }
  })
  return best
}
