import type { IndexReader } from '../index/index-reader.ts'
import type { RelatedTerms } from '../related/related-terms.ts'
import { LAYOUT, type TermRelations } from '../related/related-terms-layout.ts'
import { mergeStrongest, type StrongestMentions } from '../related/strongest-mentions.ts'
import { type MatchList, MENTION } from './match-list.ts'
import { RANKING } from './ranking-constants.ts'

/** Matches of a term in other words. */
export type RelatedMatches = {
  /** In other forms of the same word: `went` for `go`. */
  forms: MatchList[]
  /** Number of documents with one of these, each weighted by the probability that the form is the word. */
  having: number
  /** In synonyms, derivations and narrower words. */
  related: MatchList[]
}

/**
 * Creates a function that looks up other words for terms, except words of the query. Results are cached as long as the
 * index, so that repeated calls return the same list.
 */
export function createRelatedMatches(
  index: IndexReader,
  terms: RelatedTerms
): (name: string, query: ReadonlySet<string>) => RelatedMatches {
  const known = new Map<string, StrongestMentions>()
  const findStrongest = (names: readonly OtherWord[]): StrongestMentions => {
    const key = names.map(({ term, times }) => `${term} ${times}`).join(' ')
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= KNOWN_MAX) known.clear()
    const found = mergeStrongest(
      names.map(({ term, times }) => ({ ...index.postings(term), weight: times / LAYOUT.WEIGHTS }))
    )
    known.set(key, found)
    return found
  }
  return (name, query) => {
    const other = findOtherWords(index, terms.of(name), query)
    const forms = other.forms.map(({ term, worth }) => ({ ...index.postings(term), worth, folds: true }))
    return {
      forms,
      having: forms.reduce((sum, { documents, worth }) => sum + (documents.length * worth) / MENTION, 0),
      related: [{ ...findStrongest(other.related), worth: RELATED_WORTH, folds: true }]
    }
  }
}

/** A word that stands for another. Its value is `times` times `worth`, in hundredths of a mention. */
export type OtherWord = { term: string; worth: number; times: number }

/** Returns the other words searched for a term: none of the query's own words, and only distinctive related ones. */
export function findOtherWords(
  index: IndexReader,
  { forms, related }: TermRelations,
  query: ReadonlySet<string>
): { forms: OtherWord[]; related: OtherWord[] } {
  const most = index.count / RANKING.RELATED_PART
  const isTelling = (term: string): boolean => {
    const { length } = index.postings(term).documents
    return length > 0 && length <= most
  }
  const others = related.filter(({ term }) => !query.has(term) && isTelling(term)).slice(0, RANKING.RELATED_TERMS)
  return {
    forms: forms
      .filter(({ term }) => !query.has(term))
      .map(({ term, weight }) => ({ term, worth: Math.round(MENTION * weight), times: 1 })),
    related: others.map(({ term, weight }) => {
      return { term, worth: RELATED_WORTH, times: Math.round(weight * LAYOUT.WEIGHTS) }
    })
  }
}

/** Value of the weakest related word: `mergeStrongest` counts in steps up to a full one. */
const RELATED_WORTH = Math.round((MENTION * RANKING.RELATED_MENTIONS) / LAYOUT.WEIGHTS)
/** Number of cached lists; each has at most a few per cent of all documents. */
const KNOWN_MAX = 1000
