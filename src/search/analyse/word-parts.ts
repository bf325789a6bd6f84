/** A word within a run; `start` and `end` are its place there, half-open. */
export type WordPart = { word: string; start: number; end: number }

/**
 * The words of a run of word characters that may hold apostrophes: `anna's` is anna, `don't` is dont, `l'homme` is l and
 * homme. `spelled` gives each its one spelling; what has none is no word.
 */
export function wordParts(run: string, spelled: (word: string) => string = (word) => word): WordPart[] {
  const parts = [...run.matchAll(WORDS)]
    .map(({ 0: word, index }): WordPart => ({ word: spelled(word), start: index, end: index + word.length }))
    .filter(({ word }) => word !== '')
  const last = parts.at(-1)
  const host = parts.at(-2)
  if (last === undefined || host === undefined || !ENCLITICS.has(last.word)) return parts
  const whole = last.word === 't' ? { word: `${host.word}t`, start: host.start, end: last.end } : host
  return [...parts.slice(0, -2), whole]
}

/** True where a run holds an apostrophe: all others are one word. */
export function hasApostrophe(run: string): boolean {
  return APOSTROPHE.test(run)
}

const APOSTROPHE = /['\u2019\u02bc]/
const WORDS = /[^'\u2019\u02bc]+/g

/** What may follow the last apostrophe of an English word without being a word itself. */
const ENCLITICS = new Set(['s', 'd', 'm', 't', 'll', 're', 've'])
