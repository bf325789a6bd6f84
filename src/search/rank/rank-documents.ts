import type { IndexReader } from '../index/index-reader.ts'
import { queryCues } from './query-cues.ts'
import { questionLoss } from './question-loss.ts'
import type { Loss } from './score-board.ts'
import { createScorer, type Scorer } from './score-documents.ts'
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

/** What each cue gave: parts of the attainable score. Their sum is the score, less what a question loses. */
export type Explanation = {
  cues: { name: string; kind: 'term' | 'date'; weight: number; documents: number; mentions: number; part: number }[]
}

/** A term of a query and what it weighs: the part of the attainable score that it may give. */
export type WeighedTerm = { name: string; weight: number }

/** The best documents, by number; their hits stand in the same order. */
export type Ranked = { documents: number[]; hits: Hit[]; terms: WeighedTerm[] }

export type Ranker = { rank(query: string, options: RankOptions): Ranked }

/** Ranks the documents of one index: by score, then the newer, then by id, so that the order is never left to chance. */
export function createRanker(index: IndexReader): Ranker {
  let scorer: Scorer | undefined
  let asking: Loss | undefined
  return {
    rank(query, { limit, until, explain = false }) {
      const { cues, asks } = queryCues(query)
      if (index.count === 0 || cues.length === 0) return { documents: [], hits: [], terms: [] }
      scorer ??= createScorer(index)
      if (asks) asking ??= questionLoss(index)
      const found = cues.map((cue) => weighCue(index, cue))
      const attainable = found.reduce((sum, { weight }) => sum + weight, 0)
      const best = scorer.best({ cues: found, loss: asks ? asking : undefined, until }, limit)
      const explanation = explain ? explainer(scorer, found, attainable) : () => undefined
      const hits = best.documents.map((document, place) => ({
        ...placeOf(index, document),
        score: (best.scores[place] ?? 0) / attainable,
        explanation: explanation(document)
      }))
      return { documents: best.documents, hits, terms: weighedTerms(found, attainable) }
    }
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

/** Says of a document what each cue gave it. */
function explainer(scorer: Scorer, found: readonly FoundCue[], attainable: number): (document: number) => Explanation {
  return (document) => ({
    cues: found.flatMap((one) => {
      const { cue, weight, having } = one
      const mentions = scorer.mentions(one, document)
      if (mentions === 0) return []
      const part = scorer.part(one, document) / attainable
      return [{ name: cue.name, kind: cue.kind, weight: weight / attainable, documents: having, mentions, part }]
    })
  })
}
