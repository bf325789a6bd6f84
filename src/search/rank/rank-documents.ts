import { compareIds, ID_BYTES } from '../index/document-table.ts'
import type { IndexReader } from '../index/index-reader.ts'
import { cueMatches } from './cue-matches.ts'
import { createMentions, type FoldedMentions } from './folded-mentions.ts'
import { type Cue, queryCues } from './query-cues.ts'
import { RANKING } from './ranking-constants.ts'
import { createTopDocuments } from './top-documents.ts'

export type RankOptions = { limit: number; explain?: boolean | undefined }

/** A document that answers. `score` is the part of the attainable score that it has, over 0 and up to 1. */
export type Hit = {
  id: Uint8Array
  /** Where its line stands in the snapshot, in bytes. */
  offset: number
  length: number
  score: number
  explanation: Explanation | undefined
}

/** What each cue of the query gave: parts of the score, which they sum up to. */
export type Explanation = { cues: { name: string; weight: number; documents: number; mentions: number; part: number }[] }

/** The best documents for a query: by score, then the newer, then by id, so that the order is never left to chance. */
export function rankDocuments(index: IndexReader, query: string, options: RankOptions): Hit[] {
  const cues = queryCues(query)
  if (index.count === 0 || cues.length === 0) return []
  const scores = scoreDocuments(index, cues)
  const best = topOf(index, scores, options.limit)
  const explanations = options.explain === true ? explain(index, { cues, best, attainable: scores.attainable }) : undefined
  const offsets = index.offsets()
  const lengths = index.lengths()
  const ids = index.ids()
  return best.map((document) => ({
    id: ids.slice(document * ID_BYTES, (document + 1) * ID_BYTES),
    offset: offsets[document] ?? 0,
    length: lengths[document] ?? 0,
    score: (scores.byDocument[document] ?? 0) / scores.attainable,
    explanation: explanations?.get(document)
  }))
}

type Scores = { byDocument: Float64Array; documents: Uint32Array; found: number; attainable: number }

function scoreDocuments(index: IndexReader, cues: readonly Cue[]): Scores {
  const scores = { byDocument: new Float64Array(index.count), documents: new Uint32Array(index.count), found: 0, attainable: 0 }
  const mentions = createMentions(index)
  const lengthFactors = documentLengthFactors(index)
  for (const cue of cues) {
    const folded = mentions.fold(cueMatches(index, cue))
    const weight = cue.weight * rarity(index.count, folded.having)
    scores.attainable += weight
    addScores(scores, folded, { weight, lengthFactors })
  }
  return scores
}

function addScores(scores: Scores, folded: FoldedMentions, by: { weight: number; lengthFactors: Float64Array }): void {
  for (let at = 0; at < folded.touched; at++) {
    const document = folded.documents[at] ?? 0
    const before = scores.byDocument[document] ?? 0
    if (before === 0) scores.documents[scores.found++] = document
    scores.byDocument[document] = before + by.weight * saturation(folded.tenths[document] ?? 0, by.lengthFactors[document] ?? 1)
  }
}

/** How telling a cue is that so many of all documents have: ln(1 + (N - n + ½) / (n + ½)), never negative. */
function rarity(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
}

/** BM25's part of a cue that is mentioned so often: from 0 towards 1. */
function saturation(tenths: number, lengthFactor: number): number {
  const mentions = tenths / 10
  return mentions / (mentions + lengthFactor)
}

/** K1 times BM25's length normalisation, by document. */
function documentLengthFactors(index: IndexReader): Float64Array {
  const { K1, B } = RANKING
  const mean = index.terms / index.count || 1
  const terms = index.termsOf()
  const factors = new Float64Array(index.count)
  for (let document = 0; document < index.count; document++) {
    factors[document] = K1 * (1 - B + (B * (terms[document] ?? 0)) / mean)
  }
  return factors
}

function topOf(index: IndexReader, scores: Scores, limit: number): number[] {
  const better = (left: number, right: number): number => {
    const byScore = (scores.byDocument[right] ?? 0) - (scores.byDocument[left] ?? 0)
    if (byScore !== 0) return byScore
    const times = index.times()
    return (times[right] ?? 0) - (times[left] ?? 0) || compareIds({ ids: index.ids() }, left, right)
  }
  const top = createTopDocuments(limit, better)
  for (let at = 0; at < scores.found; at++) top.offer(scores.documents[at] ?? 0)
  return top.best()
}

function explain(
  index: IndexReader,
  { cues, best, attainable }: { cues: readonly Cue[]; best: readonly number[]; attainable: number }
): Map<number, Explanation> {
  const explanations = new Map(best.map((document): [number, Explanation] => [document, { cues: [] }]))
  const mentions = createMentions(index)
  const lengthFactors = documentLengthFactors(index)
  for (const cue of cues) {
    const folded = mentions.fold(cueMatches(index, cue))
    const weight = (cue.weight * rarity(index.count, folded.having)) / attainable
    for (const [document, explanation] of explanations) {
      const tenths = folded.tenths[document] ?? 0
      if (tenths === 0) continue
      const part = weight * saturation(tenths, lengthFactors[document] ?? 1)
      explanation.cues.push({ name: cue.name, weight, documents: folded.having, mentions: tenths / 10, part })
    }
  }
  return explanations
}
