import type { IndexReader } from '../index/index-reader.ts'
import { createMentions, type FoldedMentions, foldMentions, mentionsIn } from './folded-mentions.ts'
import { type LengthFactors, lengthFactors } from './length-factors.ts'
import { MENTION, type WeighedCue } from './match-list.ts'
import { createTopDocuments } from './top-documents.ts'

/** What is looked for, and among what. */
export type Demand = {
  cues: readonly WeighedCue[]
  loss?: Loss | undefined
  /** Documents from after this time, ms since 1970, are not among the best. */
  until?: number | undefined
}

/** Documents that keep but a part of their score: the part that stands at their grade's place, at most 1. */
export type Loss = { grades: Uint8Array; kept: readonly number[] }

/** The best documents, best first: of equal ones the newer, then that with the smaller id. */
export type Best = { documents: number[]; scores: number[] }

export type Scorer = {
  /** Scores are from over 0 to the sum of the cues' weights. */
  best(demand: Demand, limit: number): Best
  /** How many mentions of a cue count for a document. */
  mentions(cue: WeighedCue, document: number): number
  /** What a cue gives to a document's score before any loss. */
  part(cue: WeighedCue, document: number): number
}

/**
 * BM25 over cues, with mentions and lengths of neighbouring turns folded in. Cues are added up from the weightiest down,
 * so that equal documents get equal scores to the last bit.
 */
export function createScorer(index: IndexReader): Scorer {
  const factors = lengthFactors(index)
  const folded = createMentions(index.count)
  const scores: Scores = {
    byDocument: new Float64Array(index.count),
    documents: new Uint32Array(index.count),
    found: 0
  }
  const sums = (cue: WeighedCue, document: number): number => mentionsIn(document, cue.lists, index.neighbours())
  return {
    best(demand, limit) {
      for (let at = 0; at < scores.found; at++) scores.byDocument[scores.documents[at] ?? 0] = 0
      scores.found = 0
      for (const cue of demand.cues.toSorted((left, right) => right.weight - left.weight)) {
        foldMentions(folded, cue.lists, index.neighbours())
        addScores(scores, folded, { weight: cue.weight, factors })
      }
      if (demand.loss !== undefined) lower(scores, demand.loss)
      return topOf(index, scores, { limit, until: demand.until })
    },
    mentions: (cue, document) => sums(cue, document) / MENTION,
    part: (cue, document) => partOf(sums(cue, document), document, { weight: cue.weight, factors })
  }
}

type Scores = {
  byDocument: Float64Array
  /** Documents with a score, in no particular order; `found` of them. */
  documents: Uint32Array
  found: number
}

type Weights = { weight: number; factors: LengthFactors }

/** BM25's part of a cue that is mentioned so often: from 0 towards its weight. */
function partOf(mentions: number, document: number, { weight, factors }: Weights): number {
  const { lengths, base, slope } = factors
  return (weight * mentions) / (mentions + (base + slope * (lengths[document] ?? 0)))
}

function addScores(scores: Scores, { sums, documents, touched }: FoldedMentions, { weight, factors }: Weights): void {
  const { byDocument } = scores
  const { lengths, base, slope } = factors
  let found = scores.found
  for (let at = 0; at < touched; at++) {
    const document = documents[at] ?? 0
    const mentions = sums[document] ?? 0
    sums[document] = 0
    const known = byDocument[document] ?? 0
    if (known === 0) scores.documents[found++] = document
    byDocument[document] = known + (weight * mentions) / (mentions + (base + slope * (lengths[document] ?? 0)))
  }
  scores.found = found
}

function lower({ byDocument, documents, found }: Scores, { grades, kept }: Loss): void {
  for (let at = 0; at < found; at++) {
    const document = documents[at] ?? 0
    byDocument[document] = (byDocument[document] ?? 0) * (kept[grades[document] ?? 0] ?? 1)
  }
}

function topOf(
  index: IndexReader,
  scores: Scores,
  { limit, until }: { limit: number; until: number | undefined }
): Best {
  const { byDocument, documents, found } = scores
  const better = (left: number, right: number): number =>
    (byDocument[right] ?? 0) - (byDocument[left] ?? 0) ||
    index.timeOf(right) - index.timeOf(left) ||
    Buffer.compare(index.idOf(left), index.idOf(right))
  const top = createTopDocuments(limit, better)
  const times = until === undefined ? undefined : index.times()
  let lowest = 0
  for (let at = 0; at < found; at++) {
    const document = documents[at] ?? 0
    if ((byDocument[document] ?? 0) < lowest) continue
    if (times !== undefined && until !== undefined && (times[document] ?? 0) > until) continue
    const worst = top.offer(document)
    if (worst !== undefined) lowest = byDocument[worst] ?? 0
  }
  const best = top.best()
  return { documents: best, scores: best.map((document) => byDocument[document] ?? 0) }
}
