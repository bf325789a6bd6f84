import { LAYOUT, type RelatedTerm, type TermRelations } from '../../src/search/related/related-terms-layout.ts'
import { encodeRelatedTerms } from './encode-related-terms.ts'
import { readWordNet, type WordNet, type WordNetTexts } from './read-word-net.ts'
import { singleTerm, type TermSenses, termSenses } from './term-senses.ts'
import { derivations, narrowerTerms, synonyms, type WordRelations } from './word-relations.ts'

/** The sources of related terms: WordNet, and pairs of an irregular form and its base. */
export type LexicalSources = { wordnet: WordNetTexts; exceptions: readonly (readonly [string, string])[] }

/** Builds the file of related terms, which takes some seconds. The same sources and analyzer give the same bytes. */
export function makeRelatedTerms({ wordnet: texts, exceptions }: LexicalSources): Uint8Array {
  const wordnet = readWordNet(texts)
  const senses = termSenses(wordnet)
  const forms = [wordForms(exceptions, senses), spellingVariants(wordnet, senses)]
  const relations = [synonyms(senses), derivations(wordnet, senses), narrowerTerms(wordnet, senses)]
  const table = new Map<string, TermRelations>()
  for (const term of new Set([...forms.flatMap((of) => [...of.keys()]), ...senses.shares.keys()])) {
    const own = listForms(term, forms)
    const related = relatedTo(term, { relations, senses, except: new Set(own.map((form) => form.term)) })
    if (own.length + related.length > 0) table.set(term, { forms: own, related })
  }
  return encodeRelatedTerms(table)
}

/** Lists other forms of the word, ascending within one weight. */
function listForms(term: string, forms: readonly Forms[]): RelatedTerm[] {
  const found = new Map<string, number>()
  for (const [other, likelihood] of forms.flatMap((of) => [...(of.get(term) ?? [])])) {
    found.set(other, Math.max(found.get(other) ?? 0, likelihood))
  }
  return sortByWeight([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Minimum strength: one pair of meanings in twenty. */
const STRENGTH_MIN = 0.05

/** Maximum number of related terms per term. */
const RELATED_MAX = 24

/**
 * Lists the terms in the relations except `except`, each with its greatest strength, if either term occurs in the
 * tagged texts. If there are too many, strong and common ones are kept, because a search rarely meets the others.
 */
function relatedTo(
  term: string,
  { relations, senses, except }: { relations: WordRelations[]; senses: TermSenses; except: ReadonlySet<string> }
): RelatedTerm[] {
  const found = new Map<string, number>()
  for (const [other, strength] of relations.flatMap((relation) => [...(relation.get(term) ?? [])])) {
    const isKept = !except.has(other) && (senses.isAttested(term) || senses.isAttested(other))
    if (isKept && strength >= STRENGTH_MIN) found.set(other, Math.max(found.get(other) ?? 0, Math.min(strength, 1)))
  }
  const worth = ([other, strength]: [string, number]): number => strength * Math.log1p(senses.use(other))
  const kept = [...found].sort((a, b) => worth(b) - worth(a) || (a[0] < b[0] ? -1 : 1)).slice(0, RELATED_MAX)
  // The square root: a relation in one of four uses counts half.
  return sortByWeight(kept.map(([other, strength]) => [other, Math.sqrt(strength)]))
}

/** Rounds weights to the steps of the file and sorts them, greatest first. Equal ones keep their order. */
function sortByWeight(numbers: readonly (readonly [string, number])[]): RelatedTerm[] {
  return numbers
    .map(([term, number]) => ({ term, weight: Math.round(number * LAYOUT.WEIGHTS) / LAYOUT.WEIGHTS }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
}

/**
 * Finds terms of words with two spellings: words with a common meaning whose spellings differ as British and American
 * ones do. A pair is weighted by the common use of the terms. For example, organise is organize, but the stem of
 * organize is also that of organ.
 */
function spellingVariants(wordnet: WordNet, senses: TermSenses): Forms {
  const found = new Map<string, Map<string, number>>()
  for (const synset of wordnet.synsets.values()) {
    for (const [one, other] of pairUp(synset.words)) {
      const row = found.get(one) ?? new Map<string, number>()
      found.set(one, row)
      if (!row.has(other)) row.set(other, commonUse(senses, one, other) * commonUse(senses, other, one))
    }
  }
  return found
}

/** Pairs the terms of words that have the same normalized spelling, in both directions. */
function pairUp(words: readonly string[]): [string, string][] {
  const spelled = words.flatMap((word) => {
    const term = singleTerm(word)
    return term === undefined ? [] : [{ term, spelling: levelSpelling(word) }]
  })
  return spelled.flatMap(({ term, spelling }) =>
    spelled
      .filter((other) => other.spelling === spelling && other.term !== term)
      .map((other): [string, string] => [term, other.term])
  )
}

/**
 * Rules that normalize differences in spelling: colour, centre, catalogue, programme, judgement, grey, anaemia, mould,
 * tyre, sulphur, organise and defence, traveller. Different words may become equal, so they are compared only within a
 * meaning.
 */
const LEVELLING: readonly (readonly [RegExp, string])[] = [
  [/re$/, 'er'],
  [/gue$/, 'g'],
  [/mme$/, 'm'],
  [/gement/, 'gment'],
  [/ey$/, 'ay'],
  [/[ao]e/g, 'e'],
  [/ou/g, 'o'],
  [/y/g, 'i'],
  [/ph/g, 'f'],
  [/[cs]/g, 'z'],
  [/(.)\1/g, '$1']
]

function levelSpelling(word: string): string {
  return LEVELLING.reduce((spelling, [from, to]) => spelling.replace(from, to), word)
}

/** Returns the share of the use of `one` in meanings that `other` has too. */
function commonUse({ shares }: TermSenses, one: string, other: string): number {
  let part = 0
  for (const [synset, share] of shares.get(one) ?? []) {
    if (shares.get(other)?.has(synset)) part += share
  }
  return part
}

/** By term: other terms of the same word, each with the likelihood that it is that word (0 to 1). */
type Forms = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * Finds the irregular forms of each word. `exceptions` maps a form to its base (went: go). A form may be a word of its
 * own (left, ground, or rang as the stem of range), so its weight depends on how common the base is. It also depends on
 * how often the base's term stands for the base (manlier comes from manly, whose stem man rarely means manly).
 */
function wordForms(exceptions: readonly (readonly [string, string])[], senses: TermSenses): Forms {
  const families = new Map<string, Map<string, number>>()
  for (const [form, base] of exceptions) {
    const term = singleTerm(form)
    const baseTerm = singleTerm(base)
    if (term === undefined || baseTerm === undefined || term === baseTerm) continue
    const family = families.get(baseTerm) ?? new Map([[baseTerm, 1]])
    families.set(baseTerm, family)
    const likely = likelihood(senses, term, baseTerm) * senses.wordShare(base, baseTerm)
    family.set(term, Math.max(family.get(term) ?? 0, likely))
  }
  const forms = new Map<string, Map<string, number>>()
  for (const family of families.values()) joinFamily(family, forms)
  return forms
}

/** Share of one irregular form in the uses of a word, which has about three forms. */
const FORM_SHARE = 1 / 3

/** The assumed use of a base that is not in WordNet. */
const UNKNOWN_USE = 0.5

function likelihood(senses: TermSenses, term: string, base: string): number {
  const asForm = (senses.use(base) || UNKNOWN_USE) * FORM_SHARE
  return asForm / (asForm + senses.use(term))
}

function joinFamily(family: ReadonlyMap<string, number>, forms: Map<string, Map<string, number>>): void {
  for (const [one, likelyOne] of family) {
    for (const [other, likelyOther] of family) {
      if (one === other) continue
      const others = forms.get(one) ?? new Map<string, number>()
      forms.set(one, others)
      others.set(other, Math.max(others.get(other) ?? 0, likelyOne * likelyOther))
    }
  }
}
