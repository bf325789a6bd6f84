import { analyse } from '../analyse/analyse.ts'
import { raiseToPower } from '../rank/exact-numbers.ts'
import { RANKING } from '../rank/ranking-constants.ts'
import type { WeighedTerm } from '../rank/term-match.ts'
import { ANSWER } from './answer-constants.ts'
import type { RelationsOf } from './term-place.ts'

/** Finds the terms of a query in texts. Term sets are cached by text, because subjects and predicates repeat. */
export type QueryWords = {
  terms: readonly WeighedTerm[]
  /** Returns the query terms that are in the text, by position in the query. */
  in(text: string): ReadonlySet<number>
  /**
   * Returns the query terms that the text has in another form or as a related word, each with its value as a part of a
   * mention.
   */
  near(text: string): ReadonlyMap<number, number>
  /** Returns the part of the query's weight that these terms have, 0 to 1. */
  weightOf(terms: Iterable<number>): number
  /** Returns the part of the text's terms that are in the query, 0 to 1. */
  share(text: string): number
}

/** Creates the terms of a query, with weights that are closer together than in ranking. */
export function createQueryWords(given: readonly WeighedTerm[], relationsOf: RelationsOf): QueryWords {
  const terms = given.map(({ name, weight }) => ({ name, weight: raiseToPower(weight, ANSWER.RARITY_POWER) }))
  const places = new Map(terms.map(({ name }, place) => [name, place]))
  const all = terms.reduce((sum, { weight }) => sum + weight, 0)
  let others: OtherWords | undefined
  const look = memoizeByText((text) => findTerms(places, text))
  const near = memoizeByText((text) => {
    others ??= collectOtherWords(terms, relationsOf)
    return findOtherWords(others, text)
  })
  return {
    terms,
    in: (text) => look(text).found,
    near,
    weightOf(found) {
      let weight = 0
      for (const place of found) weight += terms[place]?.weight ?? 0
      return all === 0 ? 0 : Math.min(1, weight / all)
    },
    share: (text) => look(text).share
  }
}

/** Caches a function's results by text. */
function memoizeByText<T>(look: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const looked = look(text)
    known.set(text, looked)
    return looked
  }
}

type TermLookup = { found: ReadonlySet<number>; share: number }

const NOTHING: TermLookup = { found: new Set(), share: 0 }

function findTerms(places: ReadonlyMap<string, number>, text: string): TermLookup {
  const terms = analyse(text)
  const found = new Set<number>()
  let shared = 0
  for (const term of terms) {
    const place = places.get(term)
    if (place === undefined) continue
    found.add(place)
    shared++
  }
  return shared === 0 ? NOTHING : { found, share: shared / terms.length }
}

/**
 * Words that are not in the query themselves: the query term that each stands for, and its value as a part of a
 * mention.
 */
type OtherWords = ReadonlyMap<string, { place: number; worth: number }>

/** Collects other forms, valued by the probability that they are the word, and related words, valued as in ranking. */
function collectOtherWords(terms: readonly WeighedTerm[], relationsOf: RelationsOf): OtherWords {
  const others = new Map<string, { place: number; worth: number }>(terms.map(({ name }) => [name, OWN]))
  const note = (term: string, meant: { place: number; worth: number }): void => {
    if ((others.get(term)?.worth ?? 0) < meant.worth) others.set(term, meant)
  }
  for (const [place, { name }] of terms.entries()) {
    const { forms, related } = relationsOf(name)
    for (const { term, weight } of forms) note(term, { place, worth: weight })
    for (const { term, weight } of related.slice(0, RANKING.RELATED_TERMS)) {
      note(term, { place, worth: RANKING.RELATED_MENTIONS * weight })
    }
  }
  for (const { name } of terms) others.delete(name)
  return others
}

/** Prevents query words from standing for other query words. */
const OWN = { place: -1, worth: Infinity }

function findOtherWords(others: OtherWords, text: string): ReadonlyMap<number, number> {
  let found: Map<number, number> | undefined
  for (const term of analyse(text)) {
    const meant = others.get(term)
    if (meant === undefined) continue
    found ??= new Map()
    found.set(meant.place, Math.max(found.get(meant.place) ?? 0, meant.worth))
  }
  return found ?? NONE
}

const NONE: ReadonlyMap<number, number> = new Map()
