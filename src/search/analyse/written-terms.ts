import { termSpans } from './term-spans.ts'

/**
 * How a text first writes each of some terms: `Flights` for `flight`. Terms that it does not have are left out, and so is
 * what comes late in a very long one: whoever shows a word shows the term then.
 */
export function writtenTerms(text: string, terms: Iterable<string>): Map<string, string> {
  const wanted = new Set(terms)
  const written = new Map<string, string>()
  if (wanted.size === 0) return written
  for (const { term, start, end } of termSpans(text.slice(0, UNITS_MAX), wanted)) {
    if (!written.has(term)) written.set(term, text.slice(start, end))
  }
  return written
}

/** So many UTF-16 code units of a text are looked at. */
const UNITS_MAX = 10_000
