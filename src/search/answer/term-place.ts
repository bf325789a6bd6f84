import { findTermSpans } from '../analyse/find-term-spans.ts'
import { RANKING } from '../rank/ranking-constants.ts'
import type { WeighedTerm } from '../rank/term-match.ts'
import type { TermRelations } from '../related/related-terms-layout.ts'

/** Returns other words for a term. */
export type RelationsOf = (term: string) => TermRelations

/**
 * Creates a function that finds the query's terms in texts, in text order. It accepts every form that ranking treats as
 * the same word; related words are located only in a text that has nothing else. Spans never cut a grapheme. The time
 * is bounded, whatever the length of the text.
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
 * Creates a function that measures how much of a query a text contains itself: the weights of the terms it has, in any
 * form that ranking treats as the same word, as a part of 1. Related words and other turns of a conversation do not
 * count.
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

/** A form is marked if it is more likely than not to be the word. */
const LIKELY = 0.5

function listLikelyWords(terms: readonly WeighedTerm[], relationsOf: RelationsOf): WordsOfQuery {
  return mapWords(terms, (name) => relationsOf(name).forms.filter(({ weight }) => weight >= LIKELY))
}

/** Query terms by the terms that stand for them in a text. */
type WordsOfQuery = ReadonlyMap<string, WeighedTerm>

/**
 * Maps words to query terms. A query word stands for itself; another word that may stand for several terms gets the
 * first.
 */
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

/** A place of a query term in a text, half-open in UTF-16 code units, with the term's weight. */
export type TermPlace = { term: string; start: number; end: number; weight: number }
