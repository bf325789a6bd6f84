import type { IndexReader } from '../index/index-reader.ts'
import { splitMemory } from '../index/split-memory.ts'
import type { RelatedTerms } from '../related/related-terms.ts'
import type { WordVectors } from '../related/word-vectors.ts'
import { createWordRanker, type WordRanker, type WordRanking } from './create-word-ranker.ts'
import { roundScore } from './exact-numbers.ts'
import { createExplainer, type Explainer, type Explanation } from './explanation.ts'
import { listEvidence, type RerankResult, rerank } from './list-evidence.ts'
import type { MemoryFilter } from './memory-filter.ts'
import { createPool } from './pool.ts'
import { parseQueryCues } from './query-cues.ts'
import type { WeighedTerm } from './term-match.ts'
import type { FoundCue } from './weigh-cue.ts'

/** Only memories that pass the filter are among the best. */
export type RankOptions = {
  limit: number
  explain?: boolean | undefined
  filter?: MemoryFilter | undefined
  /** Returns the text of a memory by the place of its line. A few of the first results are read if they are long. */
  textOf?: ((place: LineBytes) => string | undefined) | undefined
}

/** The place of a memory's line in the snapshot, in bytes. */
export type LineBytes = { offset: number; length: number }

/** A document that matches. `score` is its part of the attainable score, above 0 and at most 1. */
export type Hit = LineBytes & {
  score: number
  explanation: Explanation | undefined
}

/** The best documents, by number, one per memory, with their hits in the same order. */
export type Ranked = { documents: number[]; hits: Hit[]; terms: WeighedTerm[] }

/** The complete ranking, best first. */
export type Order = {
  documents: number[]
  scores: number[]
  words: WordRanking
  /** Number of first results that were ordered by all evidence. */
  pool: number
  explainer(): Explainer
}

export type Ranker = {
  rank(query: string, options: RankOptions): Ranked
  /** Returns the complete ranking; undefined if the query or the index is empty. */
  order(query: string, options: RankOptions): Order | undefined
}

/** What is known about words, loaded at the first search. */
export type RankerWords = { related: () => RelatedTerms; vectors: () => WordVectors }

/**
 * Creates a ranker for one index. The best documents by words form a pool, which all evidence orders. Ties go to the
 * newer document, then to the smaller id, so that the order is deterministic.
 */
export function createRanker(index: IndexReader, { related, vectors }: RankerWords): Ranker {
  let ranker: WordRanker | undefined
  const evidence = listEvidence()
  const order: Ranker['order'] = (query, { limit, filter, textOf }) => {
    const asked = parseQueryCues(query, index)
    if (index.count === 0 || asked.cues.length === 0) return undefined
    ranker ??= createWordRanker(index, related())
    const { scorer } = ranker
    const words = ranker.rank(asked, {
      limit,
      filter,
      textOf: textOf === undefined ? undefined : (document) => readPassageText(index, document, textOf)
    })
    const pool = createPool({ index, query: asked, scorer, vectors: vectors() }, words)
    const reranked = rerank(pool, evidence, limit)
    const { documents, scores } = appendTail(reranked, words, limit)
    const relationsOf = related().of
    const explainer = (): Explainer =>
      createExplainer({ query, index, scorer, words, pool, evidence, reranked, relationsOf })
    return { documents, scores, words, pool: pool.documents.length, explainer }
  }
  return {
    order,
    rank(query, options) {
      const ordered = order(query, options)
      if (ordered === undefined) return { documents: [], hits: [], terms: [] }
      const { documents, scores, words } = ordered
      const explainer = options.explain === true ? ordered.explainer() : undefined
      const hits = documents.map((document, place) => {
        const score = scores[place] ?? 0
        return { ...locateMemory(index, document), score, explanation: explainer?.explain({ document, score }) }
      })
      return { documents, hits, terms: toWeighedTerms(words.cues) }
    }
  }
}

/**
 * Appends the documents beyond the pool, in the order of their words. The order of the best does not depend on the
 * limit.
 */
function appendTail(best: RerankResult, { best: words, attainable }: WordRanking, limit: number): RerankResult {
  const from = words.pool
  if (limit <= from) return best
  const lowest = best.scores.at(-1) ?? 0
  const share = best.wordsShare / attainable
  return {
    ...best,
    documents: [...best.documents, ...words.documents.slice(from, limit)],
    scores: [
      ...best.scores,
      ...words.scores.slice(from, limit).map((score) => roundScore(Math.min(lowest, score * share)))
    ]
  }
}

/** Reads the text of a document, which may be a passage of a memory. */
function readPassageText(
  index: IndexReader,
  document: number,
  textOf: (place: LineBytes) => string | undefined
): string | undefined {
  const text = textOf(locateMemory(index, document))
  const passages = index.passages()
  return text === undefined || passages === undefined ? text : splitMemory({ text })[passages[document] ?? 0]?.text
}

/** Returns the place of the line of a document's memory. */
export function locateMemory(index: IndexReader, document: number): LineBytes {
  return { offset: index.offsetOf(document), length: index.lengthOf(document) }
}

function toWeighedTerms(cues: readonly FoundCue[]): WeighedTerm[] {
  const whole = cues.reduce((sum, { weight }) => sum + weight, 0)
  return cues.flatMap(({ cue, weight }) => (cue.kind === 'term' ? [{ name: cue.name, weight: weight / whole }] : []))
}
