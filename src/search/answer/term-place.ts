import { findTermSpans } from '../analyse/find-term-spans.ts'
import { RANKING } from '../rank/ranking-constants.ts'
import type { WeighedTerm } from '../rank/term-match.ts'
import type { TermRelations } from '../related/related-terms-layout.ts'

/** Other words for a term. */
export type RelationsOf = (term: string) => TermRelations

/**
 * Finds where the terms of a query stand in texts, in the order of each text. They may be in any form that ranking takes
 * for the same; words that are only related are looked for in a text that has nothing else. A span never cuts what a
 * reader sees as one letter. The time is bounded, however long a text is.
 */
export function createPlaceFinder(
  terms: readonly WeighedTerm[],
  relationsOf: RelationsOf
): (text: string) => TermPlace[] {
  let said: WordsOfQuery | undefined
  let related: WordsOfQuery | undefined
  return (text) => {
    said ??= listLikelyWords(terms, relationsOf)
    const found = findPlaces(text, said)
    if (found.length > 0) return found
    related ??= mapWords(terms, (name) => relationsOf(name).related.slice(0, RANKING.RELATED_TERMS))
    return findPlaces(text, related)
  }
}

/**
 * Measures how much of a query a text says itself: the weights of the terms that it has, in any form that ranking takes
 * for the same, as a part of 1. Words that are only related do not count, and neither do other turns of a conversation.
 */
export function createCoverage(terms: readonly WeighedTerm[], relationsOf: RelationsOf): (text: string) => number {
  let said: WordsOfQuery | undefined
  return (text) => {
    said ??= listLikelyWords(terms, relationsOf)
    const weights = new Map(findPlaces(text, said).map(({ term, weight }) => [term, weight]))
    return Math.min(
      1,
      [...weights.values()].reduce((sum, weight) => sum + weight, 0)
    )
  }
}

/** A form is marked where it is the word more likely than not. */
const LIKELY = 0.5

function listLikelyWords(terms: readonly WeighedTerm[], relationsOf: RelationsOf): WordsOfQuery {
  return mapWords(terms, (name) => relationsOf(name).forms.filter(({ weight }) => weight >= LIKELY))
}

/** Terms of the query by the terms that stand for them in a text. */
type WordsOfQuery = ReadonlyMap<string, WeighedTerm>

/** What the query says itself stands for itself; of several terms that another word may stand for the first is taken. */
function mapWords(terms: readonly WeighedTerm[], othersOf: (name: string) => TermRelations['forms']): WordsOfQuery {
  const sayings = new Map(terms.map((one) => [one.name, one]))
  for (const one of terms) {
    for (const { term } of othersOf(one.name)) if (!sayings.has(term)) sayings.set(term, one)
  }
  return sayings
}

function findPlaces(text: string, sayings: WordsOfQuery): TermPlace[] {
  return findTermSpans(text, new Set(sayings.keys())).flatMap(({ term, start, end }) => {
    const asked = sayings.get(term)
    return asked === undefined ? [] : [{ term: asked.name, start, end, weight: asked.weight }]
  })
}

/** Where a text has a term of a query, half-open in UTF-16 code units, and what the term weighs in it. */
export type TermPlace = { term: string; start: number; end: number; weight: number }
