import type { IndexReader } from '../index/index-reader.ts'
import type { TermRelations } from '../related/related-terms-layout.ts'
import { cueMatches } from './cue-matches.ts'
import { windowOf } from './folded-mentions.ts'
import { type MatchList, MENTION, seek } from './match-list.ts'
import { neighbourShares, OWN } from './neighbour-shares.ts'
import type { Cue } from './query-cues.ts'
import { type OtherWord, otherWords } from './related-matches.ts'
import type { Saying } from './saying.ts'
import type { FoundCue } from './weigh-cue.ts'

/** Words that were looked for besides those of the query, and how. */
export type Looked = {
  query: ReadonlySet<string>
  relationsOf: (term: string) => TermRelations
}

/** Looks up how a document has a cue. What all ways count together is what the cue's mentions were taken to be. */
export function createSayings(
  index: IndexReader,
  { query, relationsOf }: Looked
): (cue: Pick<FoundCue, 'cue'>, document: number) => Saying[] {
  return ({ cue }, document) => {
    const found = (ways: readonly Way[]): Saying[] => ways.flatMap((way) => [...sayingsOf(index, way, document)])
    const said = found(waysOf(index, cue))
    if (cue.kind === 'date' || !query.has(cue.name)) return said
    const { forms, related } = otherWords(index, relationsOf(cue.name), query)
    const relatedSaid = found(related.map((other) => wayOf(index, 'related', other)))
    return [...said, ...found(forms.map((other) => wayOf(index, 'form', other))), ...strongestOfEachTurn(relatedSaid)]
  }
}

type Way = Pick<Saying, 'as' | 'word'> & {
  list: Pick<MatchList, 'documents' | 'counts' | 'worth' | 'folds'>
  /** In place of the counts of the list. */
  times?: number
}

/** How a term is found as it is. */
function waysOf(index: IndexReader, cue: Cue): Way[] {
  const ways = cue.kind === 'date' ? DATE_WAYS : TERM_WAYS
  return cueMatches(index, cue).map((list, at) => ({ as: ways[at] ?? 'word', word: cue.name, list }))
}

/** The ways of `cueMatches`, in its order. */
const TERM_WAYS = ['word', 'speaker', 'about'] as const
const DATE_WAYS = ['date'] as const

/** A form counts as often as it stands there, a related word once. */
function wayOf(index: IndexReader, as: 'form' | 'related', { term, worth, times }: OtherWord): Way {
  const list = { ...index.postings(term), worth, folds: true }
  return as === 'form' ? { as, word: term, list } : { as, word: term, list, times }
}

function* sayingsOf(index: IndexReader, { as, word, list, times }: Way, document: number): Generator<Saying> {
  const { documents, counts, worth, folds } = list
  const shares = neighbourShares(worth, folds)
  const turns = folds ? windowOf(document, index.neighbours()) : [{ turn: document, place: OWN }]
  for (const { turn, place } of turns) {
    const at = seek(documents, turn, 0)
    if (documents[at] !== turn) continue
    const mentions = ((shares[place] ?? 0) * (times ?? counts?.[at] ?? 1)) / MENTION
    if (mentions > 0) yield { as, word, turn: place - OWN, mentions }
  }
}

/** Of many related words in one turn only the strongest counts; of equal ones the first is named. */
function strongestOfEachTurn(sayings: readonly Saying[]): Saying[] {
  const strongest = new Map<number, Saying>()
  for (const saying of sayings) {
    if (saying.mentions > (strongest.get(saying.turn)?.mentions ?? 0)) strongest.set(saying.turn, saying)
  }
  return [...strongest.values()]
}
