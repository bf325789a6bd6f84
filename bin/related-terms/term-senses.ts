import { NO_TERM, toTerm } from '../../src/search/analyse/to-term.ts'
import type { WordNet } from './read-word-net.ts'

/**
 * The meanings of terms. A term is the analyzer's result for a word, so it has the meanings of all words that it stands
 * for.
 */
export type TermSenses = {
  /** By term: the share of each meaning (id of a synset) in its use. The shares of a term sum to 1. */
  shares: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** By meaning: the terms that have it. */
  members: ReadonlyMap<string, readonly string[]>
  /** Returns how often a term is used: its occurrences in the tagged texts, plus an estimate for untagged senses. */
  use(term: string): number
  /** Returns the share of a word in the use of its term; 1 if neither is known. */
  wordShare(word: string, term: string): number
  /** Reports whether a term occurs in the tagged texts. */
  isAttested(term: string): boolean
}

/** Returns the term of a single lower-case word in a to z, or undefined for any other word and for stop words. */
export function singleTerm(word: string): string | undefined {
  if (!/^[a-z]{2,}$/.test(word)) return undefined
  const term = toTerm(word)
  return term === NO_TERM ? undefined : term
}

/** Computes how often each term has each of its meanings. */
export function termSenses(wordnet: WordNet): TermSenses {
  const uses = new Map<string, Map<string, number>>()
  const wordUses = new Map<string, number>()
  const attested = new Set<string>()
  for (const synset of wordnet.synsets.values()) {
    for (const word of synset.words) {
      const term = singleTerm(word)
      if (term === undefined) continue
      const sense = wordnet.sense(synset.id, word) ?? UNKNOWN_SENSE
      if (sense.tags > 0) attested.add(term)
      const use = sense.tags + UNTAGGED_USE / sense.place
      addTo(uses, [term, synset.id], use)
      wordUses.set(word, (wordUses.get(word) ?? 0) + use)
    }
  }
  const totals = new Map([...uses].map(([term, senses]) => [term, sum(senses)]))
  return {
    shares: new Map([...uses].map(([term, senses]) => [term, toShares(senses)])),
    members: groupBySynset(uses),
    use: (term) => totals.get(term) ?? 0,
    wordShare: (word, term) => (totals.has(term) ? (wordUses.get(word) ?? 0) / (totals.get(term) ?? 1) : 1),
    isAttested: (term) => attested.has(term)
  }
}

const UNKNOWN_SENSE = { tags: 0, place: 9 }

/** Assumed untagged occurrences of a word's first meaning; the nth meaning has an nth of it. */
const UNTAGGED_USE = 0.5

/** Adds to a number in a map of maps. */
export function addTo(table: Map<string, Map<string, number>>, [row, column]: [string, string], more: number): void {
  const cells = table.get(row) ?? new Map<string, number>()
  if (cells.size === 0) table.set(row, cells)
  cells.set(column, (cells.get(column) ?? 0) + more)
}

function toShares(senses: ReadonlyMap<string, number>): Map<string, number> {
  const total = sum(senses)
  return new Map([...senses].map(([synset, use]) => [synset, use / total]))
}

function sum(numbers: ReadonlyMap<string, number>): number {
  return [...numbers.values()].reduce((sum, number) => sum + number, 0)
}

function groupBySynset(uses: ReadonlyMap<string, ReadonlyMap<string, number>>): Map<string, string[]> {
  const members = new Map<string, string[]>()
  for (const [term, senses] of uses) {
    for (const synset of senses.keys()) {
      const terms = members.get(synset)
      if (terms === undefined) members.set(synset, [term])
      else terms.push(term)
    }
  }
  return members
}
