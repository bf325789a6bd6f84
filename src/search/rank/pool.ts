import type { IndexReader } from '../index/index-reader.ts'
import type { Scorer } from './create-scorer.ts'
import type { WordRanking } from './create-word-ranker.ts'
import { type MatchList, seekDocument } from './match-list.ts'
import type { QueryCues } from './query-cues.ts'
import type { FoundCue } from './weigh-cue.ts'

/** The best documents by their words alone, which further evidence puts into their final order. */
export type Pool = {
  index: IndexReader
  query: QueryCues
  cues: readonly FoundCue[]
  /** By place: numbers ascending. */
  documents: Uint32Array
  /** By place: the part of the attainable score that the words give, over 0 and up to 1. */
  base: Float64Array
  /** The same for further passages of the memory that a document is of, best first. */
  others(document: number): readonly number[]
  /** The place of a document; undefined where it is not in the pool. */
  placeOf(document: number): number | undefined
  /** By place: hundredths of a mention of what lists are of, those of neighbours folded in. */
  mentions(lists: readonly MatchList[]): Uint32Array
}

/** One piece of evidence: a value from 0 to 1 by place, or nothing where the query gives no occasion for it. */
export type Evidence = (pool: Pool) => Float64Array | undefined

/** The pool of documents with their scores by words, best first. */
export function createPool(
  { index, query, scorer }: { index: IndexReader; query: QueryCues; scorer: Scorer },
  { cues, best: { documents: best, scores, pool, others }, attainable }: WordRanking
): Pool {
  const documents = Uint32Array.from(best.slice(0, pool)).sort()
  const places = new Map<number, number>()
  for (const [place, document] of documents.entries()) places.set(document, place)
  const base = new Float64Array(documents.length)
  best.slice(0, documents.length).forEach((document, at) => {
    base[places.get(document) ?? 0] = (scores[at] ?? 0) / attainable
  })
  return {
    index,
    query,
    cues,
    documents,
    base,
    others: (document) => (others.get(document) ?? []).map((score) => score / attainable),
    placeOf: (document) => places.get(document),
    mentions: (lists) => scorer.mentionsOfEach(lists, documents)
  }
}

/** For each of some documents the part of the lists that it is in. All of them ascend. */
export function computeListShares(lists: readonly Uint32Array[], documents: Uint32Array): Float64Array {
  const counts = new Float64Array(documents.length)
  for (const list of lists) {
    let at = 0
    for (let place = 0; place < documents.length; place++) {
      const document = documents[place] ?? 0
      at = seekDocument(list, document, at)
      if (list[at] === document) counts[place] = (counts[place] ?? 0) + 1
    }
  }
  return counts.map((count) => count / lists.length)
}

/**
 * How far single words count as evidence, by document: in full for turns of a sentence or two, not at all for a page, which
 * has some of everything, nor for what stands alone, where what is short says less. What they leave is the score by words.
 */
export function createBrevity(index: IndexReader): (document: number) => number {
  const terms = index.terms()
  const { reach } = index.neighbours()
  return (document) => {
    if (reach[document] === 0) return 0
    return Math.min(1, Math.max(0, (LONG_TERMS - (terms[document] ?? 0)) / (LONG_TERMS - SHORT_TERMS)))
  }
}

const SHORT_TERMS = 30
const LONG_TERMS = 70

/** A pool with one more document, to see what evidence would give that one. `base` is what its words give it. */
export function widenPool(pool: Pool, more: { document: number; base: number }, scorer: Scorer): Pool {
  const documents = Uint32Array.from([...pool.documents, more.document]).sort()
  const place = documents.indexOf(more.document)
  const base = Float64Array.from(documents, (document) =>
    document === more.document ? more.base : (pool.base[pool.placeOf(document) ?? 0] ?? 0)
  )
  const placeOf = (document: number): number | undefined => {
    if (document === more.document) return place
    const before = pool.placeOf(document)
    return before === undefined || before < place ? before : before + 1
  }
  return { ...pool, documents, base, placeOf, mentions: (lists) => scorer.mentionsOfEach(lists, documents) }
}
