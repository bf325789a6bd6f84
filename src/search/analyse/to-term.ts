import stem from 'wink-porter2-stemmer'
import { STOP_WORDS } from './stop-words.ts'

/** The result for a stop word. */
export const NO_TERM = ''

/**
 * Returns the term of a folded, lower-case word: its Porter2 stem if it consists of a to z, otherwise the word itself;
 * `NO_TERM` for a stop word. Stemming takes 2 µs and a lookup 0.05 µs, so results are cached.
 */
export function toTerm(word: string): string {
  const known = young.get(word)
  if (known !== undefined) return known
  const own = copyText(word)
  const term = old.get(word) ?? computeTerm(own)
  if (young.size >= GENERATION_WORDS_MAX) {
    old = young
    young = new Map()
  }
  young.set(own, term)
  return term
}

function computeTerm(word: string): string {
  if (STOP_WORDS.has(word)) return NO_TERM
  return STEMMABLE.test(word) ? stem(word) : word
}

/** Copies the characters to new memory, because a slice would keep the whole text alive. */
function copyText(word: string): string {
  return ` ${word}`.slice(1)
}

/**
 * Number of words in each of the two generations of the cache, about 8 MB at most. The older one is dropped when the
 * younger one is full.
 */
const GENERATION_WORDS_MAX = 60_000
let young = new Map<string, string>()
let old = new Map<string, string>()

/** Words that the stemmer supports. It uses `3` as a mark of its own, so it must not receive digits. */
const STEMMABLE = /^[a-z]{3,}$/

/**
 * Folds spellings of one word: Latin, Greek and Cyrillic lose their accents, Arabic and Hebrew their optional vowel
 * signs, and digits of every script become 0 to 9. In other scripts marks are vowels and stay. Expects lower-case NFKC.
 */
export function foldWord(word: string): string {
  let folded = word.replace(INVISIBLE_CHARACTERS, '')
  if (STRIPPED_SCRIPTS.test(folded)) folded = folded.normalize('NFD').replace(OPTIONAL_MARKS, '').normalize('NFC')
  folded = folded.replace(LETTERS, (letter) => LETTER_SPELLINGS.get(letter) ?? letter)
  return folded.replace(FOREIGN_DIGITS, toAsciiDigit)
}

const INVISIBLE_CHARACTERS =
  /[\u00ad\u034f\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e01ef}]/gu
const STRIPPED_SCRIPTS =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Inherited}]/u
const OPTIONAL_MARKS =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/g

/** Letters without a decomposition, and the final sigma. */
const LETTER_SPELLINGS = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ς', 'σ']
])
const LETTERS = /[ßæœøłđðþıħŧς]/g

/** Digits beyond ASCII. The ten digits of a script are consecutive. */
const FOREIGN_DIGITS = /[^\P{Nd}0-9]/gu

function toAsciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0
  const zero = DIGIT_ZEROS.findLast((start) => start <= codePoint)
  return zero !== undefined && codePoint < zero + 10 ? String(codePoint - zero) : digit
}

/** Code points of the zero of each script in common use, ascending. */
const DIGIT_ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810
]

/** A word within a run; `start` and `end` are its range there, half-open. */
type WordPart = { word: string; start: number; end: number }

/**
 * Splits a run of word characters with possible apostrophes into words: `anna's` is anna, `don't` is dont, `l'homme` is
 * l and homme. `spelled` folds each word; one that becomes empty is dropped.
 */
export function splitRun(run: string, spelled: (word: string) => string = (word) => word): WordPart[] {
  const parts = [...run.matchAll(WORDS)]
    .map(({ 0: word, index }): WordPart => ({ word: spelled(word), start: index, end: index + word.length }))
    .filter(({ word }) => word !== '')
  const last = parts.at(-1)
  const host = parts.at(-2)
  if (last === undefined || host === undefined || !ENCLITICS.has(last.word)) return parts
  const whole = last.word === 't' ? { word: `${host.word}t`, start: host.start, end: last.end } : host
  return [...parts.slice(0, -2), whole]
}

/** Checks for an apostrophe; any other run is one word. */
export function hasApostrophe(run: string): boolean {
  return APOSTROPHE.test(run)
}

const APOSTROPHE = /['\u2019\u02bc]/
const WORDS = /[^'\u2019\u02bc]+/g

/** Endings after the last apostrophe of an English word that are not words themselves. */
const ENCLITICS = new Set(['s', 'd', 'm', 't', 'll', 're', 've'])

/** Maximum length of a term in code points. Longer ones are cut, in documents and queries alike. */
export const TERM_CODE_POINTS_MAX = 64

/** Cuts a term to the maximum length without splitting a code point. */
export function cutTerm(word: string): string {
  if (word.length <= TERM_CODE_POINTS_MAX) return word
  return Array.from(word.slice(0, 2 * TERM_CODE_POINTS_MAX))
    .slice(0, TERM_CODE_POINTS_MAX)
    .join('')
}
