import type { IndexReader } from '../index/index-reader.ts'
import type { WordVectors } from '../related/word-vectors.ts'
import type { Scorer } from './create-scorer.ts'
import type { WordRanking } from './create-word-ranker.ts'
import { findLongTurns } from './long-turns.ts'
import { type MatchList, seekDocument } from './match-list.ts'
import type { QueryCues } from './query-cues.ts'
import type { FoundCue } from './weigh-cue.ts'

/** The best documents by words alone, which further evidence puts into their final order. */
export type Pool = {
  index: IndexReader
  query: QueryCues
  cues: readonly FoundCue[]
  /** True if feedback from long texts has added terms to the query. */
  hasFeedback: boolean
  vectors: WordVectors
  /** By position: document numbers, ascending. */
  documents: Uint32Array
  /** By position: the part of the attainable score that the words give, above 0 and at most 1. */
  base: Float64Array
  /** The same for other passages of a document's memory, best first. */
  others(document: number): readonly number[]
  /** The position of a document; undefined if it is not in the pool. */
  placeOf(document: number): number | undefined
  /** By position: hundredths of a mention of the lists' terms, including those of neighbours in part. */
  mentions(lists: readonly MatchList[]): Uint32Array
}

/** A kind of evidence: returns a value from 0 to 1 by position, or nothing if it does not apply to the query. */
export type Evidence = (pool: Pool) => Float64Array | undefined

/** Creates the pool of documents with their scores by words, best first. */
export function createPool(
  { index, query, scorer, vectors }: { index: IndexReader; query: QueryCues; scorer: Scorer; vectors: WordVectors },
  { cues, scored, best: { documents: best, scores, pool, others }, attainable }: WordRanking
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
    hasFeedback: scored !== cues,
    vectors,
    documents,
    base,
    others: (document) => (others.get(document) ?? []).map((score) => score / attainable),
    placeOf: (document) => places.get(document),
    mentions: (lists) => scorer.mentionsOfEach(lists, documents)
  }
}

/** Returns, for each of some documents, the part of the lists that contain it. All of them ascend. */
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
 * Creates a function that rates how far single words count as evidence for a document: fully for turns of a sentence or
 * two; not at all for a page, which has some of every word, or for a document without a conversation. The remaining
 * weight goes to the score by words.
 */
export function createBrevity(index: IndexReader): (document: number) => number {
  const terms = index.terms()
  const { reach } = findLongTurns(index).neighbours
  return (document) => {
    if (reach[document] === 0) return 0
    return Math.min(1, Math.max(0, (LONG_TERMS - (terms[document] ?? 0)) / (LONG_TERMS - SHORT_TERMS)))
  }
}

const SHORT_TERMS = 30
const LONG_TERMS = 70

/** Returns a pool with one more document, to compute what evidence would give it. `base` is what its words give. */
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
