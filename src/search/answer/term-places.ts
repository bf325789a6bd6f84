import { termSpans } from '../analyse/term-spans.ts'
import type { WeighedTerm } from '../rank/rank-documents.ts'
import { RANKING } from '../rank/ranking-constants.ts'
import type { TermRelations } from '../related/related-terms-layout.ts'
import type { TermPlace } from './term-place.ts'

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
  let said: Sayings | undefined
  let related: Sayings | undefined
  return (text) => {
    said ??= likelySayings(terms, relationsOf)
    const found = spansOf(text, said)
    if (found.length > 0) return found
    related ??= sayingsOf(terms, (name) => relationsOf(name).related.slice(0, RANKING.RELATED_TERMS))
    return spansOf(text, related)
  }
}

/**
 * Measures how much of a query a text says itself: the weights of the terms that it has, in any form that ranking takes
 * for the same, as a part of 1. Words that are only related do not count, and neither do other turns of a conversation.
 */
export function createCoverage(terms: readonly WeighedTerm[], relationsOf: RelationsOf): (text: string) => number {
  let said: Sayings | undefined
  return (text) => {
    said ??= likelySayings(terms, relationsOf)
    const weights = new Map(spansOf(text, said).map(({ term, weight }) => [term, weight]))
    return Math.min(
      1,
      [...weights.values()].reduce((sum, weight) => sum + weight, 0)
    )
  }
}

/** A form is marked where it is the word more likely than not. */
const LIKELY = 0.5

function likelySayings(terms: readonly WeighedTerm[], relationsOf: RelationsOf): Sayings {
  return sayingsOf(terms, (name) => relationsOf(name).forms.filter(({ weight }) => weight >= LIKELY))
}

/** Terms of the query by the terms that stand for them in a text. */
type Sayings = ReadonlyMap<string, WeighedTerm>

/** What the query says itself stands for itself; of several terms that another word may stand for the first is taken. */
function sayingsOf(terms: readonly WeighedTerm[], othersOf: (name: string) => TermRelations['forms']): Sayings {
  const sayings = new Map(terms.map((one) => [one.name, one]))
  for (const one of terms) {
    for (const { term } of othersOf(one.name)) if (!sayings.has(term)) sayings.set(term, one)
  }
  return sayings
}

function spansOf(text: string, sayings: Sayings): TermPlace[] {
  return termSpans(text, new Set(sayings.keys())).flatMap(({ term, start, end }) => {
    const asked = sayings.get(term)
    return asked === undefined ? [] : [{ term: asked.name, start, end, weight: asked.weight }]
  })
}
