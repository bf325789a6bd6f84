/**
 * Walks a text in any script by code point. Calls `onWord` with runs of spaced words, including apostrophes; appends
 * the terms of everything else to `terms`.
 */
export function walkTerms(text: string, terms: string[], onWord: (run: string) => void): void {
  const onTerm = (term: string): void => {
    terms.push(term)
  }
  walkRuns(text, (kind, start, end) => {
    if (kind === SEPARATOR) return
    const run = text.slice(start, end)
    if (kind === WORD) onWord(run)
    else emitRunTerms(kind, run, onTerm)
  })
}

/**
 * Calls `onRun` with the runs of a text in order, including separators; a long run of words is cut to what its terms
 * need.
 */
export function walkRuns(text: string, onRun: (kind: number, start: number, end: number) => void): void {
  let kind = SEPARATOR
  let start = 0
  const endRun = (end: number): void => {
    if (end > start) onRun(kind, start, kind === WORD ? Math.min(end, start + RUN_UNITS_MAX) : end)
  }
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0
    const found = classOfCodePoint(codePoint)
    const next = joinKinds(kind, found)
    if (next !== kind || found === PICTOGRAPH || found === REGIONAL) {
      endRun(at)
      kind = next
      start = at
      if (next === REGIONAL) at = findFlagEnd(text, at)
    }
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  endRun(text.length)
}

/**
 * Emits the terms of a run without spaced words: pairs for Han, kana and Hangul, dictionary words for Thai and related
 * scripts, single emoji and flags.
 */
export function emitRunTerms(kind: number, run: string, onTerm: OnTerm): void {
  if (kind === DENSE) emitPairs(run, onTerm)
  else if (kind === UNSPACED) emitDictionaryTerms(run, onTerm)
  else if (kind === PICTOGRAPH) onTerm(String.fromCodePoint(run.codePointAt(0) ?? 0), 0, run.length)
  else if (kind === REGIONAL) onTerm(run, 0, run.length)
}

/**
 * Maximum number of code units examined in a run of words, far above the longest term, so that stacked marks do not cut
 * it.
 */
const RUN_UNITS_MAX = 1024

/** Returns the kind of run that a character continues or begins. */
function joinKinds(kind: number, next: number): number {
  if (next === INVISIBLE) return kind
  if (next === MARK) return kind === SEPARATOR ? WORD : kind
  if (next === APOSTROPHE) return kind === WORD ? WORD : SEPARATOR
  return next
}

/** Returns the index of the second half of a flag, or `at` if there is none. */
function findFlagEnd(text: string, at: number): number {
  const second = text.codePointAt(at + 2)
  return second !== undefined && classOfCodePoint(second) === REGIONAL ? at + 2 : at
}

/** Receives each term and its half-open range in the run. */
type OnTerm = (term: string, start: number, end: number) => void

/**
 * Emits overlapping pairs of a run of Han, kana or Hangul, which have no word boundaries; a single character stands
 * alone.
 */
function emitPairs(run: string, onTerm: OnTerm): void {
  let before = ''
  let start = 0
  let pairs = 0
  let at = 0
  for (const character of run) {
    const here = at
    at += character.length
    if (COMBINING_MARK.test(character)) continue
    if (before !== '') {
      onTerm(before + character, start, at)
      pairs++
    }
    before = character
    start = here
  }
  if (pairs === 0 && before !== '') onTerm(before, start, at)
}

const COMBINING_MARK = /\p{M}/u

/** Emits the words of a run of Thai, Lao, Khmer or Myanmar, found by dictionary. Long runs are processed in chunks. */
function emitDictionaryTerms(run: string, onTerm: OnTerm): void {
  for (let start = 0; start < run.length; start += PIECE_UNITS) {
    const piece = run.slice(start, start + PIECE_UNITS)
    let words = 0
    for (const { segment, index, isWordLike } of getWordSegmenter().segment(piece)) {
      if (isWordLike !== true) continue
      onTerm(segment, start + index, start + index + segment.length)
      words++
    }
    if (words === 0) onTerm(piece, start, start + piece.length)
  }
}

/** UTF-16 code units given to the dictionary at once. */
const PIECE_UNITS = 1024

let shared: Intl.Segmenter | undefined

/** Creates the segmenter at first use: that takes milliseconds, and most texts never need it. */
function getWordSegmenter(): Intl.Segmenter {
  shared ??= new Intl.Segmenter('th', { granularity: 'word' })
  return shared
}

/** Classes of code points. A run of one class is processed together. */
export const SEPARATOR = 1

/** Letters, digits and marks of scripts that put spaces between words. */
export const WORD = 2

/** Scripts without spaces whose characters are almost words: Han, kana, Hangul, Bopomofo, Yi. */
export const DENSE = 3

/** Scripts without spaces whose characters are sounds: Thai, Lao, Khmer, Myanmar. */
export const UNSPACED = 4
const PICTOGRAPH = 5

/** Half of a flag. */
const REGIONAL = 6

/** Joiners, variation selectors, soft hyphens and skin tones: part of their run, without meaning of their own. */
const INVISIBLE = 7

/** Combining marks: part of their run. */
const MARK = 8
const APOSTROPHE = 9

/** Returns the class of a code point from a cache. Lone surrogates are separators. */
export function classOfCodePoint(codePoint: number): number {
  if (codePoint > 0xffff) return classifyAstral(codePoint)
  const known = CLASSES[codePoint]
  if (known !== undefined && known !== 0) return known
  const found = classify(codePoint)
  CLASSES[codePoint] = found
  return found
}

const CLASSES = new Uint8Array(0x10000)
const ASTRAL = new Map<number, number>()

/** Limit of the cache for code points over U+FFFF, several times the number of assigned letters and emoji. */
const ASTRAL_MAX = 200_000

const INVISIBLES =
  /[\u00ad\u034f\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e01ef}]/u
const APOSTROPHES = /['\u2019\u02bc]/u
const UNSPACED_SCRIPTS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const DENSE_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u30fc]/u

function classifyAstral(codePoint: number): number {
  const known = ASTRAL.get(codePoint)
  if (known !== undefined) return known
  const found = classify(codePoint)
  if (ASTRAL.size < ASTRAL_MAX) ASTRAL.set(codePoint, found)
  return found
}

function classify(codePoint: number): number {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return SEPARATOR
  const character = String.fromCodePoint(codePoint)
  if (APOSTROPHES.test(character)) return APOSTROPHE
  if (INVISIBLES.test(character)) return INVISIBLE
  if (/\p{Regional_Indicator}/u.test(character)) return REGIONAL
  if (/\p{Extended_Pictographic}/u.test(character)) return PICTOGRAPH
  if (!/[\p{L}\p{N}\p{M}]/u.test(character)) return SEPARATOR
  if (/\p{Nd}/u.test(character)) return WORD
  if (UNSPACED_SCRIPTS.test(character)) return UNSPACED
  if (/\p{M}/u.test(character)) return MARK
  return DENSE_SCRIPTS.test(character) ? DENSE : WORD
}
