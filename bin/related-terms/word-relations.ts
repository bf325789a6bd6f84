import type { WordNet } from './read-word-net.ts'
import { addTo, singleTerm, type TermSenses } from './term-senses.ts'

/**
 * By term: related terms with their strength, the likelihood that both are used in related meanings (0 to about 1). A
 * rare meaning of either counts little, so no list of trusted senses is needed.
 */
export type WordRelations = Map<string, Map<string, number>>

/** Relates terms that share a meaning. */
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

/** Relates terms that are derived from each other: decide and decision. */
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
      // Pointers of the first kind exist in both directions.
      if (symbol !== '+') addTo(found, [other, one], strength)
    }
  }
  return found
}

/** Steps down from a meaning: a sport is a kind of game, and tennis is a kind of sport. */
const NARROWER_STEPS_MAX = 2

/** Minimum share of a meaning in a term's use for following its narrower meanings. */
const NARROWED_SHARE_MIN = 0.05

/** Relates nouns and verbs to narrower terms: instrument to guitar, but not the reverse. */
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

/** Returns the direct hyponyms of each meaning. Instances (a city, a person) are names and are omitted. */
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
