import type { IndexReader } from '../index/index-reader.ts'
import type { RelatedTerms } from '../related/related-terms.ts'
import { type StrongestMentions, strongestMentions } from '../related/strongest-mentions.ts'
import { type MatchList, MENTION } from './match-list.ts'
import { RANKING } from './ranking-constants.ts'

/** Where a term of a query is said in other words. */
export type RelatedMatches = {
  /** In other forms of the same word: `went` for `go`. */
  forms: MatchList[]
  /** How many documents have one of these, each by how likely the form is that word. */
  having: number
  /** In synonyms, derivations and narrower words. */
  related: MatchList[]
}

/**
 * Looks up other words for terms, but for those that the query has itself. What was found for a term stays while the index
 * does, so that it is the same list the next time.
 */
export function createRelatedMatches(
  index: IndexReader,
  terms: RelatedTerms
): (name: string, query: ReadonlySet<string>) => RelatedMatches {
  const known = new Map<string, StrongestMentions>()
  const strongest = (names: readonly { term: string; weight: number }[]): StrongestMentions => {
    const key = names.map(({ term, weight }) => `${term} ${weight}`).join(' ')
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= KNOWN_MAX) known.clear()
    const found = strongestMentions(names.map(({ term, weight }) => ({ ...index.postings(term), weight })))
    known.set(key, found)
    return found
  }
  return (name, query) => {
    const relations = terms.of(name)
    const forms = relations.forms
      .filter(({ term }) => !query.has(term))
      .map(({ term, weight }) => ({ ...index.postings(term), worth: Math.round(MENTION * weight), folds: true }))
    const most = index.count / RANKING.RELATED_PART
    const isTelling = (term: string): boolean => {
      const { length } = index.postings(term).documents
      return length > 0 && length <= most
    }
    const names = relations.related.filter(({ term }) => !query.has(term) && isTelling(term))
    const related = strongest(names.slice(0, RANKING.RELATED_TERMS))
    const worth = Math.round((MENTION * RANKING.RELATED_MENTIONS) / WEIGHT_UNITS)
    return {
      forms,
      having: forms.reduce((sum, { documents, worth }) => sum + (documents.length * worth) / MENTION, 0),
      related: [{ ...related, worth, folds: true }]
    }
  }
}

/** `strongestMentions` counts in quarters. */
const WEIGHT_UNITS = 4
/** Lists that are kept; each is at most a few per cent of all documents long. */
const KNOWN_MAX = 1000
