import type { IndexReader } from '../index/index-reader.ts'
import { cueMatches } from './cue-matches.ts'
import { createMentions, type FoldedMentions, foldMentions, SELF_TENTHS } from './folded-mentions.ts'
import { lengthFactors } from './length-factors.ts'
import type { Cue, QueryCues } from './query-cues.ts'
import { RANKING } from './ranking-constants.ts'

/** Scores of all documents that have anything of a query. Valid until the next query: the arrays are used again. */
export type Scores = {
  /** By document, from 0 up to `attainable`. */
  byDocument: Float64Array
  /** Documents with a score, in no particular order; `found` of them. */
  documents: Uint32Array
  found: number
  attainable: number
  /** What each cue weighs, in the order of the query. They add up to `attainable`. */
  weights: number[]
}

/** A cue as it was weighed: what it added to a document can be asked for until the next cue. */
export type WeighedCue = {
  cue: Cue
  weight: number
  having: number
  mentions(document: number): number
  part(document: number): number
}

export type Scorer = { score(query: QueryCues, onCue?: (weighed: WeighedCue) => void): Scores }

/**
 * BM25 over cues, with mentions and lengths of neighbouring turns folded in. Cues are added up in the order of the
 * query, so that equal documents get equal scores to the last bit.
 */
export function createScorer(index: IndexReader): Scorer {
  const folded = createMentions(index.count)
  const factors = lengthFactors(index)
  const scores: Scores = {
    byDocument: new Float64Array(index.count),
    documents: new Uint32Array(index.count),
    found: 0,
    attainable: 0,
    weights: []
  }
  return {
    score({ cues, asks }, onCue) {
      for (let at = 0; at < scores.found; at++) scores.byDocument[scores.documents[at] ?? 0] = 0
      scores.found = 0
      scores.attainable = 0
      scores.weights = []
      for (const cue of cues) {
        foldMentions(folded, index, cueMatches(index, cue))
        const weight = cue.weight * rarity(index.count, folded.having)
        scores.attainable += weight
        scores.weights.push(weight)
        addScores(scores, folded, { weight, factors })
        onCue?.(weighed(cue, folded, { weight, factors }))
      }
      if (asks) lowerQuestions(scores, index)
      return scores
    }
  }
}

type Weights = { weight: number; factors: Float64Array }

/** Adds BM25's part of a cue that is mentioned so often: from 0 towards its weight. */
function addScores(scores: Scores, folded: FoldedMentions, { weight, factors }: Weights): void {
  const { byDocument, documents } = scores
  let found = scores.found
  for (let at = 0; at < folded.touched; at++) {
    const document = folded.documents[at] ?? 0
    const known = byDocument[document] ?? 0
    if (known === 0) documents[found++] = document
    const mentions = (folded.tenths[document] ?? 0) / SELF_TENTHS
    byDocument[document] = known + (weight * mentions) / (mentions + (factors[document] ?? 1))
  }
  scores.found = found
}

/** Turns of a conversation that are questions themselves. A question kept on its own stays: nothing answers it. */
function lowerQuestions(scores: Scores, index: IndexReader): void {
  const grades = index.asks()
  const { after, before } = index.neighbours()
  for (let at = 0; at < scores.found; at++) {
    const document = scores.documents[at] ?? 0
    const grade = grades[document] ?? 0
    if (grade === 0 || ((after[document] ?? -1) < 0 && (before[document] ?? -1) < 0)) continue
    scores.byDocument[document] = (scores.byDocument[document] ?? 0) * (1 - RANKING.ASKING_LOSS * grade)
  }
}

function weighed(cue: Cue, folded: FoldedMentions, { weight, factors }: Weights): WeighedCue {
  const mentions = (document: number): number => (folded.tenths[document] ?? 0) / SELF_TENTHS
  return {
    cue,
    weight,
    having: folded.having,
    mentions,
    part: (document) => (weight * mentions(document)) / (mentions(document) + (factors[document] ?? 1))
  }
}

/** How telling a cue is that so many of all documents have: ln(1 + (N - n + ½) / (n + ½)), never negative. */
function rarity(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
}
