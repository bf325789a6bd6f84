import { LAYOUT, type RelatedTerm, type TermRelations } from '../../src/search/related/related-terms-layout.ts'
import { encodeRelatedTerms } from './encode-related-terms.ts'
import { readWordNet, type WordNetTexts } from './read-wordnet.ts'
import { spellingVariants } from './spelling-variants.ts'
import { type TermSenses, termSenses } from './term-senses.ts'
import { type Forms, wordForms } from './word-forms.ts'
import { derivations, narrowerTerms, type Relations, synonyms } from './word-relations.ts'

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
  { relations, senses, except }: { relations: Relations[]; senses: TermSenses; except: ReadonlySet<string> }
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
