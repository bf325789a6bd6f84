import { LAYOUT, type RelatedTerm, type TermRelations } from '../../src/search/related/related-terms-layout.ts'
import { encodeRelatedTerms } from './encode-related-terms.ts'
import { readWordNet, type WordNet, type WordNetTexts } from './read-word-net.ts'
import { singleTerm, type TermSenses, termSenses } from './term-senses.ts'
import { derivations, narrowerTerms, synonyms, type WordRelations } from './word-relations.ts'

/** What related terms are made from: WordNet, and pairs of an irregular form and its base. */
export type LexicalSources = { wordnet: WordNetTexts; exceptions: readonly (readonly [string, string])[] }

/** The file of related terms. The same sources and the same analyser give the same bytes. Takes some seconds. */
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

/** Other forms of the word, ascending within one weight. */
function listForms(term: string, forms: readonly Forms[]): RelatedTerm[] {
  const found = new Map<string, number>()
  for (const [other, likelihood] of forms.flatMap((of) => [...(of.get(term) ?? [])])) {
    found.set(other, Math.max(found.get(other) ?? 0, likelihood))
  }
  return sortByWeight([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What is weaker than this is left out: one pair of meanings in twenty. */
const STRENGTH_MIN = 0.05

/** Related terms of one term. */
const RELATED_MAX = 24

/**
 * What the relations name but `except`, each with its greatest strength, where this term or that one was met in the tagged
 * texts. Where it is too much, what is strong and what is usual stay: a search meets nothing of the rare ones.
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
  // The root: what is related one time in four counts half.
  return sortByWeight(kept.map(([other, strength]) => [other, Math.sqrt(strength)]))
}

/** In the steps of the file, the greatest first; else in the order they come. */
function sortByWeight(numbers: readonly (readonly [string, number])[]): RelatedTerm[] {
  return numbers
    .map(([term, number]) => ({ term, weight: Math.round(number * LAYOUT.WEIGHTS) / LAYOUT.WEIGHTS }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
}

/**
 * Terms of words that are spelled in two ways: words of one meaning whose spellings differ as British and American ones do.
 * A pair counts by how far the terms are used for what they have in common: organise is organize, but what is left of
 * organize by its stem is left of an organ too.
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

/** Terms of words with one levelled spelling, each with each, both ways. */
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
 * What differs between the spellings, made equal: colour, centre, catalogue, programme, judgement, grey, anaemia, mould,
 * tyre, sulphur, organise and defence, traveller. Words that mean different things may become equal; they are only
 * compared within a meaning.
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

/** The part of the use of `one` in meanings that `other` has too. */
function commonUse({ shares }: TermSenses, one: string, other: string): number {
  let part = 0
  for (const [synset, share] of shares.get(one) ?? []) {
    if (shares.get(other)?.has(synset)) part += share
  }
  return part
}

/** By term: other terms of the same word, each with how likely it is that word (0 to 1). */
type Forms = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * The irregular forms of each word: `exceptions` names the base of a form (went: go). A form may be a word of its own
 * (left, ground, rang for what is left of range), so it counts as far as the base is the more usual one; and as far as the
 * base is what its own term stands for (manlier is manly, and that is hardly ever what man is left of).
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

/** Of all uses of a word, about so many are of one irregular form: of some three that a word has. */
const FORM_SHARE = 1 / 3

/** Use of a base that WordNet does not have. */
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
