import stem from 'wink-porter2-stemmer'
import { STOP_WORDS } from './stop-words.ts'

/** What a stop word becomes. */
export const NO_TERM = ''

/**
 * The term of a folded, lower-case word: its Porter2 stem where it is written in a to z, itself otherwise; `NO_TERM` for
 * a stop word. Stemming takes 2 µs and a look-up 0.05, so terms are remembered: the words of a running text repeat.
 */
export function wordTerm(word: string): string {
  const known = young.get(word)
  if (known !== undefined) return known
  const own = copyOf(word)
  const term = old.get(word) ?? makeTerm(own)
  if (young.size >= GENERATION_WORDS_MAX) {
    old = young
    young = new Map()
  }
  young.set(own, term)
  return term
}

function makeTerm(word: string): string {
  if (STOP_WORDS.has(word)) return NO_TERM
  return STEMMABLE.test(word) ? stem(word) : word
}

/** The same characters in memory of their own: a slice of a text would keep the whole text alive. */
function copyOf(word: string): string {
  return ` ${word}`.slice(1)
}

/** Words in each of the two generations: about 8 MB at most. The older one is dropped when the younger is full. */
const GENERATION_WORDS_MAX = 60_000
let young = new Map<string, string>()
let old = new Map<string, string>()

/** Words that the stemmer was made for. It uses `3` as a mark of its own, so digits must not reach it. */
const STEMMABLE = /^[a-z]{3,}$/
