import { termSpans } from '../analyse/term-spans.ts'
import type { WeighedTerm } from '../rank/rank-documents.ts'

/** Where a text has a term of a query, half-open in UTF-16 code units, and what the term weighs in it. */
export type Evidence = { term: string; start: number; end: number; weight: number }

/**
 * Where the terms of a query stand in a text, in the order of the text. They may be in any form that ranking takes for the
 * same, and a span never cuts what a reader sees as one letter. The time is bounded, however long the text is.
 */
export function evidenceIn(text: string, terms: readonly WeighedTerm[]): Evidence[] {
  const weights = new Map(terms.map(({ name, weight }) => [name, weight]))
  return termSpans(text, new Set(weights.keys())).map((span) => ({ ...span, weight: weights.get(span.term) ?? 0 }))
}
