import type { IndexReader } from '../index/index-reader.ts'
import { type QueryCues, queryCues } from './query-cues.ts'
import { createScorer, type Scorer, type Scores } from './score-documents.ts'
import { createTopDocuments } from './top-documents.ts'

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
  return {
    rank(query, options) {
      const cues = queryCues(query)
      if (index.count === 0 || cues.cues.length === 0) return { documents: [], hits: [], terms: [] }
      scorer ??= createScorer(index)
      const scores = scorer.score(cues)
      const documents = topOf(index, scores, options)
      const hits = documents.map((document) => hitOf(index, document, scores))
      const terms = weighedTerms(cues, scores)
      if (options.explain !== true) return { documents, hits, terms }
      const explanations = explain(scorer, cues, documents)
      return { documents, hits: hits.map((hit, place) => ({ ...hit, explanation: explanations[place] })), terms }
    }
  }
}

function topOf(index: IndexReader, scores: Scores, { limit, until }: RankOptions): number[] {
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
  return top.best()
}

function hitOf(index: IndexReader, document: number, scores: Scores): Hit {
  return {
    ...placeOf(index, document),
    score: (scores.byDocument[document] ?? 0) / scores.attainable,
    explanation: undefined
  }
}

/** The place of a document's line. */
export function placeOf(index: IndexReader, document: number): Place {
  return { offset: index.offsetOf(document), length: index.lengthOf(document) }
}

function weighedTerms({ cues }: QueryCues, { weights, attainable }: Scores): WeighedTerm[] {
  return cues.flatMap(({ kind, name }, place) =>
    kind === 'term' ? [{ name, weight: (weights[place] ?? 0) / attainable }] : []
  )
}

/** Scores once more and keeps what each cue gave to the best: only asked for by people, so the time does not matter. */
function explain(scorer: Scorer, query: QueryCues, best: readonly number[]): Explanation[] {
  const explanations = best.map((): Explanation => ({ cues: [] }))
  const { attainable } = scorer.score(query, ({ cue, weight, having, mentions, part }) => {
    best.forEach((document, place) => {
      if (mentions(document) === 0) return
      const { name, kind } = cue
      explanations[place]?.cues.push({
        name,
        kind,
        weight,
        documents: having,
        mentions: mentions(document),
        part: part(document)
      })
    })
  })
  for (const { cues } of explanations) {
    for (const cue of cues) {
      cue.weight /= attainable
      cue.part /= attainable
    }
  }
  return explanations
}
