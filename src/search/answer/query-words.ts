import { analyse } from '../analyse/analyse.ts'
import type { WeighedTerm } from '../rank/rank-documents.ts'
import { ANSWER } from './answer-constants.ts'

/** Which terms of a query a text has. A set of terms is remembered by text: subjects and predicates repeat. */
export type QueryWords = {
  terms: readonly WeighedTerm[]
  /** The terms of the query that are in the text, by their place in it. */
  in(text: string): ReadonlySet<number>
  /** The part of the query's weight that these terms have, 0 to 1. */
  weightOf(terms: Iterable<number>): number
  /** The part of the text's terms that are in the query, 0 to 1. */
  share(text: string): number
}

/** Words of a query, with weights that are nearer to each other than those that ranking gave them. */
export function createQueryWords(given: readonly WeighedTerm[]): QueryWords {
  const terms = given.map(({ name, weight }) => ({ name, weight: weight ** ANSWER.RARITY_POWER }))
  const places = new Map(terms.map(({ name }, place) => [name, place]))
  const all = terms.reduce((sum, { weight }) => sum + weight, 0)
  const known = new Map<string, Looked>()
  const look = (text: string): Looked => {
    const before = known.get(text)
    if (before !== undefined) return before
    const looked = lookFor(places, text)
    known.set(text, looked)
    return looked
  }
  return {
    terms,
    in: (text) => look(text).found,
    weightOf(found) {
      let weight = 0
      for (const place of found) weight += terms[place]?.weight ?? 0
      return all === 0 ? 0 : Math.min(1, weight / all)
    },
    share: (text) => look(text).share
  }
}

type Looked = { found: ReadonlySet<number>; share: number }

const NOTHING: Looked = { found: new Set(), share: 0 }

function lookFor(places: ReadonlyMap<string, number>, text: string): Looked {
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
