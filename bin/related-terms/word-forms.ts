import { singleTerm, type TermSenses } from './term-senses.ts'

/** By term: other terms of the same word, each with how likely it is that word (0 to 1). */
export type Forms = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * The irregular forms of each word: `exceptions` names the base of a form (went: go). A form may be a word of its own
 * (left, ground, rang for what is left of range), so it counts as far as the base is the more usual one; and as far as the
 * base is what its own term stands for (manlier is manly, and that is hardly ever what man is left of).
 */
export function wordForms(exceptions: readonly (readonly [string, string])[], senses: TermSenses): Forms {
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
