import { findWrittenTerms } from '../analyse/find-term-spans.ts'
import type { IndexReader } from '../index/index-reader.ts'
import type { Scorer } from './create-scorer.ts'
import type { WordRanking } from './create-word-ranker.ts'
import { type EvidencePart, type RerankResult, rerank, type WeighedEvidence } from './list-evidence.ts'
import { type Pool, widenPool } from './pool.ts'
import type { TermMatch } from './term-match.ts'
import { createTermMatcher, type SearchedWords } from './term-matches.ts'

/**
 * Why a memory has its score: what each cue and each further evidence gave, as parts of the attainable score. Together
 * they are the score. What takes away stands among the evidence with a negative part.
 */
export type Explanation = {
  cues: CuePart[]
  evidence: EvidencePart[]
  /** Which passage of the text it was that has them, counted from 0; absent where no memory is so long as to have several. */
  passage?: number
}

/** What a cue gave. */
export type CuePart = {
  name: string
  /** As the query writes it; null where it does not. */
  asked: string | null
  kind: 'term' | 'date'
  /** From `feedback` where the query does not say it, and the best of a first search do. */
  from: 'query' | 'feedback'
  weight: number
  /** How many memories have it. */
  documents: number
  /** How often this one does, with what neighbouring turns lend it. */
  mentions: number
  part: number
  said: TermMatch[]
}

/** What a ranking went by. */
export type Ranking = {
  query: string
  index: IndexReader
  scorer: Scorer
  words: WordRanking
  pool: Pool
  evidence: readonly WeighedEvidence[]
  reranked: RerankResult
  relationsOf: SearchedWords['relationsOf']
}

/** A document with its score as it was ranked: 0 where it was not found. */
export type ScoredDocument = { document: number; score: number }

export type Explainer = {
  explain(scored: ScoredDocument): Explanation
  /** What further evidence would have given to a document outside the pool; to one of the pool what it gave. */
  listEvidenceParts(document: number): EvidencePart[]
}

/** Says why documents of a ranking are where they are. */
export function createExplainer(ranking: Ranking): Explainer {
  const { index, pool, reranked, words } = ranking
  const inQuery = new Set(words.cues.map(({ cue }) => cue.name))
  const looked = { query: inQuery, relationsOf: ranking.relationsOf }
  const parts = createCueParts(ranking, { inQuery, said: createTermMatcher(index, looked) })
  return {
    explain({ document, score }) {
      const cues = parts(document)
      const evidence = reranked.evidenceFor(pool.placeOf(document))
      const given = sumParts(cues)
      const more = [...listLoss(ranking, document, given)]
      const total = given + sumParts(evidence) + sumParts(more)
      const passage = index.passages()?.[document]
      return {
        ...(passage === undefined ? {} : { passage }),
        cues,
        evidence: [...evidence, ...more, ...listHeldBack(score - total, pool.placeOf(document))]
      }
    },
    listEvidenceParts: (document) => listEvidenceParts(ranking, document)
  }
}

function createCueParts(
  { query, words, scorer, reranked }: Ranking,
  { inQuery, said }: { inQuery: ReadonlySet<string>; said: ReturnType<typeof createTermMatcher> }
): (document: number) => CuePart[] {
  const whole = words.attainable / reranked.wordsShare
  const asked = findWrittenTerms(query, inQuery)
  return (document) =>
    words.scored.flatMap((one) => {
      const { cue, weight, having } = one
      const mentions = scorer.mentions(one, document)
      if (mentions === 0) return []
      return {
        name: cue.name,
        asked: asked.get(cue.name) ?? null,
        kind: cue.kind,
        from: inQuery.has(cue.name) ? 'query' : 'feedback',
        weight: weight / whole,
        documents: having,
        mentions,
        part: scorer.part(one, document) / whole,
        said: said(one, document)
      }
    })
}

/** A question loses a part of what words gave it, where the query is one too. */
function listLoss({ words }: Ranking, document: number, given: number): EvidencePart[] {
  if (words.loss === undefined || given === 0) return []
  const { grades, kept } = words.loss
  const lost = 1 - (kept[grades[document] ?? 0] ?? 1)
  return lost === 0 ? [] : [{ name: 'asks_itself', value: lost, weight: -given, part: -lost * given }]
}

/** Outside the pool a score is never over the lowest of the pool. */
function listHeldBack(part: number, place: number | undefined): EvidencePart[] {
  return place !== undefined || part > -ROUNDING ? [] : [{ name: 'outside_pool', value: 1, weight: part, part }]
}

const ROUNDING = 1e-12

function listEvidenceParts({ pool, words, evidence, reranked, scorer }: Ranking, document: number): EvidencePart[] {
  const place = pool.placeOf(document)
  if (place !== undefined) return reranked.evidenceFor(place)
  const at = words.best.documents.indexOf(document)
  const base = (words.best.scores[at] ?? 0) / words.attainable
  const wider = widenPool(pool, { document, base }, scorer)
  return rerank(wider, evidence, 0).evidenceFor(wider.placeOf(document))
}

function sumParts(parts: readonly { part: number }[]): number {
  return parts.reduce((sum, { part }) => sum + part, 0)
}
