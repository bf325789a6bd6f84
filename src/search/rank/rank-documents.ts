import type { IndexReader } from '../index/index-reader.ts'
import { allEvidence, type WeighedEvidence } from './evidence/all-evidence.ts'
import { createPool, type Pool } from './evidence/pool.ts'
import { queryCues } from './query-cues.ts'
import { questionLoss } from './question-loss.ts'
import { RANKING } from './ranking-constants.ts'
import { type EvidencePart, type Reranked, rerank } from './rerank.ts'
import type { Loss } from './score-board.ts'
import { type Best, createScorer, type Scorer } from './score-documents.ts'
import { type FoundCue, weighCue } from './weigh-cue.ts'

/** Of memories from after `until`, ms since 1970, none is among the best. */
export type RankOptions = { limit: number; explain?: boolean | undefined; until?: number | undefined }

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
export function createRanker(index: IndexReader): Ranker {
  let scorer: Scorer | undefined
  let asking: Loss | undefined
  let evidence: WeighedEvidence[] | undefined
  return {
    rank(query, { limit, until, explain = false }) {
      const asked = queryCues(query, index)
      const { cues, asks } = asked
      if (index.count === 0 || cues.length === 0) return { documents: [], hits: [], terms: [] }
      scorer ??= createScorer(index)
      if (asks) asking ??= questionLoss(index)
      const found = cues.map((cue) => weighCue(index, cue))
      const attainable = found.reduce((sum, { weight }) => sum + weight, 0)
      const demand = { cues: found, loss: asks ? asking : undefined, until }
      const words = scorer.best(demand, Math.max(limit, RANKING.POOL))
      evidence ??= allEvidence(index)
      const pool = createPool({ index, query: asked, cues: found, scorer }, words, attainable)
      const best = withTail(rerank(pool, evidence, limit), words, { limit, attainable })
      const explanation = explain ? explainer(scorer, { pool, best, attainable }) : () => undefined
      const hits = best.documents.map((document, place) => ({
        ...placeOf(index, document),
        score: best.scores[place] ?? 0,
        explanation: explanation(document)
      }))
      return { documents: best.documents, hits, terms: weighedTerms(found, attainable) }
    }
  }
}

/** Beyond the pool words alone decide: the order of the best does not depend on how many are asked for. */
function withTail(best: Reranked, words: Best, { limit, attainable }: { limit: number; attainable: number }): Reranked {
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

function weighedTerms(found: readonly FoundCue[], attainable: number): WeighedTerm[] {
  return found.flatMap(({ cue, weight }) =>
    cue.kind === 'term' ? [{ name: cue.name, weight: weight / attainable }] : []
  )
}

/** Says of a document what each cue and each further evidence gave it. */
function explainer(
  scorer: Scorer,
  { pool, best, attainable }: { pool: Pool; best: Reranked; attainable: number }
): (document: number) => Explanation {
  const whole = attainable / best.wordsShare
  return (document) => ({
    cues: pool.cues.flatMap((one) => {
      const { cue, weight, having } = one
      const mentions = scorer.mentions(one, document)
      if (mentions === 0) return []
      const part = scorer.part(one, document) / whole
      return [{ name: cue.name, kind: cue.kind, weight: weight / whole, documents: having, mentions, part }]
    }),
    evidence: best.evidenceFor(pool.placeOf(document))
  })
}
