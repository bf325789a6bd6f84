/** Longest term, in code points. What is longer is cut, in documents and queries alike. */
export const TERM_CODE_POINTS_MAX = 64

/** The term, or its beginning where it is too long; no code point is split. */
export function cutTerm(word: string): string {
  if (word.length <= TERM_CODE_POINTS_MAX) return word
  return Array.from(word.slice(0, 2 * TERM_CODE_POINTS_MAX))
    .slice(0, TERM_CODE_POINTS_MAX)
    .join('')
}
