import { findWrittenTerms } from '../analyse/find-term-spans.ts'
import type { IndexReader } from '../index/index-reader.ts'
import type { TermRelations } from '../related/related-terms-layout.ts'
import type { Scorer } from './create-scorer.ts'
import type { WordRanking } from './create-word-ranker.ts'
import { computeNeighbourShares, OWN, walkWindow } from './folded-mentions.ts'
import { type EvidencePart, type RerankResult, rerank, type WeighedEvidence } from './list-evidence.ts'
import { findLongTurns } from './long-turns.ts'
import { type MatchList, MENTION, seekDocument } from './match-list.ts'
import { type Pool, widenPool } from './pool.ts'
import type { Cue } from './query-cues.ts'
import { findOtherWords, type OtherWord } from './related-matches.ts'
import type { TermMatch } from './term-match.ts'
import { type FoundCue, findCueMatches } from './weigh-cue.ts'

/**
 * Why a memory has its score: the contribution of each cue and each piece of evidence, as parts of the attainable
 * score, which add up to the score. Deductions are evidence with a negative part.
 */
export type Explanation = {
  cues: CuePart[]
  evidence: EvidencePart[]
  /** Index of the best passage, from 0; absent if no memory in the index has several. */
  passage?: number
}

/** The contribution of a cue. */
type CuePart = {
  name: string
  /** The cue as the query spells it; null if the query does not contain it. */
  asked: string | null
  kind: 'term' | 'date'
  /** `feedback` if the cue is not in the query but in the best results of the first search. */
  from: 'query' | 'feedback'
  weight: number
  /** Number of memories that have it. */
  documents: number
  /** Number of mentions in this memory, including those that count from neighbouring turns. */
  mentions: number
  part: number
  said: TermMatch[]
}

/** The input of a ranking. */
type Ranking = {
  query: string
  index: IndexReader
  scorer: Scorer
  words: WordRanking
  pool: Pool
  evidence: readonly WeighedEvidence[]
  reranked: RerankResult
  relationsOf: SearchedWords['relationsOf']
}

/** A document with its score in the ranking: 0 if it was not found. */
type ScoredDocument = { document: number; score: number }

export type Explainer = {
  explain(scored: ScoredDocument): Explanation
  /** Returns what evidence gave to a document in the pool, or would have given to one outside. */
  listEvidenceParts(document: number): EvidencePart[]
}

/** Creates an explainer for the documents of a ranking. */
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

/** Lists the part that a long turn loses. */
function listLoss({ words }: Ranking, document: number, given: number): EvidencePart[] {
  if (words.loss === undefined || given === 0) return []
  const { grades, kept } = words.loss
  const lost = 1 - (kept[grades[document] ?? 0] ?? 1)
  return lost === 0 ? [] : [{ name: 'long_turn', value: lost, weight: -given, part: -lost * given }]
}

/** Lists the reduction of a score outside the pool to the lowest score of the pool. */
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

/** Words that were searched in addition to those of the query, and the way each is found. */
type SearchedWords = {
  query: ReadonlySet<string>
  relationsOf: (term: string) => TermRelations
}

/** Creates a function that lists how a document has a cue. The mentions of all ways add up to the cue's mentions. */
function createTermMatcher(
  index: IndexReader,
  { query, relationsOf }: SearchedWords
): (cue: Pick<FoundCue, 'cue'>, document: number) => TermMatch[] {
  return ({ cue }, document) => {
    const findAll = (ways: readonly Way[]): TermMatch[] => ways.flatMap((way) => [...findMatches(index, way, document)])
    const said = findAll(listWays(index, cue))
    if (cue.kind === 'date' || !query.has(cue.name)) return said
    const { forms, related } = findOtherWords(index, relationsOf(cue.name), query)
    const relatedSaid = findAll(related.map((other) => toWay(index, 'related', other)))
    return [
      ...said,
      ...findAll(forms.map((other) => toWay(index, 'form', other))),
      ...keepStrongestOfEachTurn(relatedSaid)
    ]
  }
}

type Way = Pick<TermMatch, 'as' | 'word'> & {
  list: Pick<MatchList, 'documents' | 'counts' | 'worth' | 'folds'>
  /** Overrides the counts of the list. */
  times?: number
}

/** Lists the ways in which a term itself is found. */
function listWays(index: IndexReader, cue: Cue): Way[] {
  const ways = cue.kind === 'date' ? DATE_WAYS : TERM_WAYS
  return findCueMatches(index, cue).map((list, at) => ({ as: ways[at] ?? 'word', word: cue.name, list }))
}

/** The ways of `findCueMatches`, in the same order. */
const TERM_WAYS = ['word', 'speaker', 'about'] as const
const DATE_WAYS = ['date'] as const

/** Converts another word to a way. Every occurrence of a form counts; a related word counts once. */
function toWay(index: IndexReader, as: 'form' | 'related', { term, worth, times }: OtherWord): Way {
  const list = { ...index.postings(term), worth, folds: true }
  return as === 'form' ? { as, word: term, list } : { as, word: term, list, times }
}

function* findMatches(index: IndexReader, { as, word, list, times }: Way, document: number): Generator<TermMatch> {
  const { documents, counts, worth, folds } = list
  const shares = computeNeighbourShares(worth, folds)
  const turns = folds ? walkWindow(document, findLongTurns(index).neighbours) : [{ turn: document, place: OWN }]
  for (const { turn, place } of turns) {
    const at = seekDocument(documents, turn, 0)
    if (documents[at] !== turn) continue
    const mentions = ((shares[place] ?? 0) * (times ?? counts?.[at] ?? 1)) / MENTION
    if (mentions > 0) yield { as, word, turn: place - OWN, mentions }
  }
}

/** Keeps, of the related words in one turn, only the strongest, which alone counts; on a tie, the first. */
function keepStrongestOfEachTurn(sayings: readonly TermMatch[]): TermMatch[] {
  const strongest = new Map<number, TermMatch>()
  for (const saying of sayings) {
    if (saying.mentions > (strongest.get(saying.turn)?.mentions ?? 0)) strongest.set(saying.turn, saying)
  }
  return [...strongest.values()]
}
