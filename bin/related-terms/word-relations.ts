import type { WordNet } from './read-word-net.ts'
import { addTo, singleTerm, type TermSenses } from './term-senses.ts'

/**
 * By term: related terms, each with its strength: how likely it is that both are used in meanings that are related (0 to
 * about 1). A seldom meaning of either counts little, so no list of senses to trust is needed.
 */
export type WordRelations = Map<string, Map<string, number>>

/** Terms that have a meaning in common. */
export function synonyms({ members, shares }: TermSenses): WordRelations {
  const found: WordRelations = new Map()
  for (const [synset, terms] of members) {
    for (const one of terms) {
      for (const other of terms) {
        if (one !== other) addTo(found, [one, other], findShare(shares, one, synset) * findShare(shares, other, synset))
      }
    }
  }
  return found
}

/** Pointers between words: derived from the same root (+), pertaining to (\), participle of (<). */
const DERIVING = ['+', '\\', '<']

/** Terms that are derived one from the other: decide and decision. */
export function derivations(wordnet: WordNet, { shares }: TermSenses): WordRelations {
  const found: WordRelations = new Map()
  for (const synset of wordnet.synsets.values()) {
    for (const { symbol, to, fromWord, toWord } of synset.pointers) {
      if (!DERIVING.includes(symbol)) continue
      const one = singleTerm(synset.words[fromWord - 1] ?? '')
      const other = singleTerm(wordnet.synsets.get(to)?.words[toWord - 1] ?? '')
      if (one === undefined || other === undefined || one === other) continue
      const strength = findShare(shares, one, synset.id) * findShare(shares, other, to)
      addTo(found, [one, other], strength)
      // The first kind is written at both of its ends.
      if (symbol !== '+') addTo(found, [other, one], strength)
    }
  }
  return found
}

/** Steps down from a meaning: a sport is a game of some kind, and tennis one of those. */
const NARROWER_STEPS_MAX = 2

/** Meanings of less than this part of a term's use are not gone down from. */
const NARROWED_SHARE_MIN = 0.05

/** Nouns and verbs that name a kind of what the term names: instrument and guitar. Not the other way round. */
export function narrowerTerms(wordnet: WordNet, { members, shares }: TermSenses): WordRelations {
  const kinds = listKinds(wordnet)
  const found: WordRelations = new Map()
  for (const [term, senses] of shares) {
    for (const [synset, share] of senses) {
      if (share < NARROWED_SHARE_MIN) continue
      for (const kind of descendants(kinds, synset)) {
        for (const narrower of members.get(kind) ?? []) {
          if (narrower !== term) addTo(found, [term, narrower], share * findShare(shares, narrower, kind))
        }
      }
    }
  }
  return found
}

/** By meaning: the meanings right under it. What is one of its kind (a city, a person) has a name, and is left out. */
function listKinds(wordnet: WordNet): Map<string, string[]> {
  const kinds = new Map<string, string[]>()
  for (const { id, pointers } of wordnet.synsets.values()) {
    for (const { symbol, to } of pointers) {
      if (symbol !== '@') continue
      const under = kinds.get(to)
      if (under === undefined) kinds.set(to, [id])
      else under.push(id)
    }
  }
  return kinds
}

function descendants(kinds: ReadonlyMap<string, readonly string[]>, synset: string): Set<string> {
  const found = new Set<string>()
  let level = [synset]
  for (let step = 0; step < NARROWER_STEPS_MAX; step++) {
    level = level.flatMap((above) => kinds.get(above) ?? []).filter((kind) => kind !== synset && !found.has(kind))
    for (const kind of level) found.add(kind)
  }
  return found
}

function findShare(shares: TermSenses['shares'], term: string, synset: string): number {
  return shares.get(term)?.get(synset) ?? 0
}
