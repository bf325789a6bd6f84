import { analyse } from '../analyse/analyse.ts'
import { RANKING } from '../rank/ranking-constants.ts'
import type { WeighedTerm } from '../rank/term-match.ts'
import { ANSWER } from './answer-constants.ts'
import type { RelationsOf } from './term-place.ts'

/** Which terms of a query a text has. A set of terms is remembered by text: subjects and predicates repeat. */
export type QueryWords = {
  terms: readonly WeighedTerm[]
  /** The terms of the query that are in the text, by their place in it. */
  in(text: string): ReadonlySet<number>
  /** The terms of the query that are in the text in another form or by a related word, each with how much of a mention that is. */
  near(text: string): ReadonlyMap<number, number>
  /** The part of the query's weight that these terms have, 0 to 1. */
  weightOf(terms: Iterable<number>): number
  /** The part of the text's terms that are in the query, 0 to 1. */
  share(text: string): number
}

/** Words of a query, with weights that are nearer to each other than those that ranking gave them. */
export function createQueryWords(given: readonly WeighedTerm[], relationsOf: RelationsOf): QueryWords {
  const terms = given.map(({ name, weight }) => ({ name, weight: weight ** ANSWER.RARITY_POWER }))
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

/** The same function, which keeps what it found in each text. */
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

/** Of words that the query does not have itself: for which of its terms each stands, and how much of a mention it is. */
type OtherWords = ReadonlyMap<string, { place: number; worth: number }>

/** Other forms of a word are that word as likely as not; a related word is worth what it is in ranking. */
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

/** Keeps what the query says itself from being taken for another of its words. */
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
