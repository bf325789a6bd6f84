/** Where a text has a term of a query, half-open in UTF-16 code units, and what the term weighs in it. */
export type TermPlace = { term: string; start: number; end: number; weight: number }
