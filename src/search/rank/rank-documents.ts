import type { IndexReader } from '../index/index-reader.ts'
import type { RelatedTerms } from '../related/related-terms.ts'
import { allEvidence } from './evidence/all-evidence.ts'
import { createPool, type Pool } from './evidence/pool.ts'
import { queryCues } from './query-cues.ts'
import { createWordRanker, type WordRanker, type WordRanking } from './rank-words.ts'
import { RANKING } from './ranking-constants.ts'
import { type EvidencePart, type Reranked, rerank } from './rerank.ts'
import type { Scorer } from './score-documents.ts'
import type { FoundCue } from './weigh-cue.ts'

/** Of memories from after `until`, ms since 1970, none is among the best. */
export type RankOptions = {
  limit: number
  explain?: boolean | undefined
  until?: number | undefined
  /** Reads the text of a memory by the place of its line: a few of what was found first are read where they are long. */
  textOf?: ((place: Place) => string | undefined) | undefined
}

/** Where a memory's line stands in the snapshot, in bytes. */
export type Place = { offset: number; length: number }

/** A document that answers. `score` is the part of the attainable score that it has, over 0 and up to 1. */
export type Hit = Place & {
  score: number
  explanation: Explanation | undefined
}

/** What each cue and each further evidence gave: parts of the attainable score. Their sum is the score, less what a question loses. */
export type Explanation = {
  evidence: EvidencePart[]
  cues: { name: string; kind: 'term' | 'date'; weight: number; documents: number; mentions: number; part: number }[]
}

/** A term of a query and what it weighs: the part of the attainable score that it may give. */
export type WeighedTerm = { name: string; weight: number }

/** The best documents, by number; their hits stand in the same order. */
export type Ranked = { documents: number[]; hits: Hit[]; terms: WeighedTerm[] }

export type Ranker = { rank(query: string, options: RankOptions): Ranked }

/**
 * Ranks the documents of one index: the best by words are put in order by all evidence. Of equal ones the newer is first,
 * then that with the smaller id, so that the order is never left to chance.
 */
export function createRanker(index: IndexReader, related: () => RelatedTerms): Ranker {
  let words: WordRanker | undefined
  const evidence = allEvidence()
  return {
    rank(query, { limit, until, explain = false, textOf }) {
      const asked = queryCues(query, index)
      if (index.count === 0 || asked.cues.length === 0) return { documents: [], hits: [], terms: [] }
      words ??= createWordRanker(index, related())
      const ranking = words.rank(asked, {
        limit: Math.max(limit, RANKING.POOL),
        until,
        textOf: textOf === undefined ? undefined : (document) => textOf(placeOf(index, document))
      })
      const pool = createPool({ index, query: asked, scorer: words.scorer }, ranking)
      const best = withTail(rerank(pool, evidence, limit), ranking, limit)
      const explanation = explain ? explainer(words.scorer, { pool, best, ranking }) : () => undefined
      const hits = best.documents.map((document, place) => ({
        ...placeOf(index, document),
        score: best.scores[place] ?? 0,
        explanation: explanation(document)
      }))
      return { documents: best.documents, hits, terms: weighedTerms(ranking.cues) }
    }
  }
}

/** Beyond the pool words alone decide: the order of the best does not depend on how many are asked for. */
function withTail(best: Reranked, { best: words, attainable }: WordRanking, limit: number): Reranked {
  if (limit <= RANKING.POOL) return best
  const lowest = best.scores.at(-1) ?? 0
  const share = best.wordsShare / attainable
  return {
    ...best,
    documents: [...best.documents, ...words.documents.slice(RANKING.POOL)],
    scores: [...best.scores, ...words.scores.slice(RANKING.POOL).map((score) => Math.min(lowest, score * share))]
  }
}

/** The place of a document's line. */
export function placeOf(index: IndexReader, document: number): Place {
  return { offset: index.offsetOf(document), length: index.lengthOf(document) }
}

function weighedTerms(cues: readonly FoundCue[]): WeighedTerm[] {
  const whole = cues.reduce((sum, { weight }) => sum + weight, 0)
  return cues.flatMap(({ cue, weight }) => (cue.kind === 'term' ? [{ name: cue.name, weight: weight / whole }] : []))
}

/** Says of a document what each cue and each further evidence gave it. */
function explainer(
  scorer: Scorer,
  { pool, best, ranking: { scored, attainable } }: { pool: Pool; best: Reranked; ranking: WordRanking }
): (document: number) => Explanation {
  const whole = attainable / best.wordsShare
  return (document) => ({
    cues: scored.flatMap((one) => {
      const { cue, weight, having } = one
      const mentions = scorer.mentions(one, document)
      if (mentions === 0) return []
      const part = scorer.part(one, document) / whole
      return [{ name: cue.name, kind: cue.kind, weight: weight / whole, documents: having, mentions, part }]
    }),
    evidence: best.evidenceFor(pool.placeOf(document))
  })
}
