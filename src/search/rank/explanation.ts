import { findWrittenTerms } from '../analyse/find-term-spans.ts'
import type { IndexReader } from '../index/index-reader.ts'
import type { TermRelations } from '../related/related-terms-layout.ts'
import type { Scorer } from './create-scorer.ts'
import type { WordRanking } from './create-word-ranker.ts'
import { computeNeighbourShares, OWN, walkWindow } from './folded-mentions.ts'
import { type EvidencePart, type RerankResult, rerank, type WeighedEvidence } from './list-evidence.ts'
import { type MatchList, MENTION, seekDocument } from './match-list.ts'
import { type Pool, widenPool } from './pool.ts'
import type { Cue } from './query-cues.ts'
import { findOtherWords, type OtherWord } from './related-matches.ts'
import type { TermMatch } from './term-match.ts'
import { type FoundCue, findCueMatches } from './weigh-cue.ts'

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
type CuePart = {
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

/** A document with its score as it was ranked: 0 where it was not found. */
type ScoredDocument = { document: number; score: number }

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

/** Words that were looked for besides those of the query, and how. */
type SearchedWords = {
  query: ReadonlySet<string>
  relationsOf: (term: string) => TermRelations
}

/** Looks up how a document has a cue. What all ways count together is what the cue's mentions were taken to be. */
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
  /** In place of the counts of the list. */
  times?: number
}

/** How a term is found as it is. */
function listWays(index: IndexReader, cue: Cue): Way[] {
  const ways = cue.kind === 'date' ? DATE_WAYS : TERM_WAYS
  return findCueMatches(index, cue).map((list, at) => ({ as: ways[at] ?? 'word', word: cue.name, list }))
}

/** The ways of `findCueMatches`, in its order. */
const TERM_WAYS = ['word', 'speaker', 'about'] as const
const DATE_WAYS = ['date'] as const

/** A form counts as often as it stands there, a related word once. */
function toWay(index: IndexReader, as: 'form' | 'related', { term, worth, times }: OtherWord): Way {
  const list = { ...index.postings(term), worth, folds: true }
  return as === 'form' ? { as, word: term, list } : { as, word: term, list, times }
}

function* findMatches(index: IndexReader, { as, word, list, times }: Way, document: number): Generator<TermMatch> {
  const { documents, counts, worth, folds } = list
  const shares = computeNeighbourShares(worth, folds)
  const turns = folds ? walkWindow(document, index.neighbours()) : [{ turn: document, place: OWN }]
  for (const { turn, place } of turns) {
    const at = seekDocument(documents, turn, 0)
    if (documents[at] !== turn) continue
    const mentions = ((shares[place] ?? 0) * (times ?? counts?.[at] ?? 1)) / MENTION
    if (mentions > 0) yield { as, word, turn: place - OWN, mentions }
  }
}

/** Of many related words in one turn only the strongest counts; of equal ones the first is named. */
function keepStrongestOfEachTurn(sayings: readonly TermMatch[]): TermMatch[] {
  const strongest = new Map<number, TermMatch>()
  for (const saying of sayings) {
    if (saying.mentions > (strongest.get(saying.turn)?.mentions ?? 0)) strongest.set(saying.turn, saying)
  }
  return [...strongest.values()]
}
