import type { IndexReader } from '../index/index-reader.ts'
import type { TermRelations } from '../related/related-terms-layout.ts'
import { computeNeighbourShares, OWN, walkWindow } from './folded-mentions.ts'
import { type MatchList, MENTION, seekDocument } from './match-list.ts'
import type { Cue } from './query-cues.ts'
import { findOtherWords, type OtherWord } from './related-matches.ts'
import type { TermMatch } from './term-match.ts'
import { type FoundCue, findCueMatches } from './weigh-cue.ts'

/** Words that were looked for besides those of the query, and how. */
export type SearchedWords = {
  query: ReadonlySet<string>
  relationsOf: (term: string) => TermRelations
}

/** Looks up how a document has a cue. What all ways count together is what the cue's mentions were taken to be. */
export function createTermMatcher(
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
