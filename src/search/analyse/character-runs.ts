import {
  APOSTROPHE,
  characterClass,
  DENSE,
  INVISIBLE,
  MARK,
  PICTOGRAPH,
  REGIONAL,
  SEPARATOR,
  UNSPACED,
  WORD
} from './character-class.ts'
import { dictionaryTerms, type OnTerm, pairTerms } from './unspaced-terms.ts'

/**
 * Walks a text in any script by code point. Runs of spaced words go to `onWord`, with their apostrophes; terms of
 * everything else are pushed here.
 */
export function characterRuns(text: string, terms: string[], onWord: (run: string) => void): void {
  const onTerm = (term: string): void => {
    terms.push(term)
  }
  eachRun(text, (kind, start, end) => {
    if (kind === SEPARATOR) return
    const run = text.slice(start, end)
    if (kind === WORD) onWord(run)
    else runTerms(kind, run, onTerm)
  })
}

/** Tells the runs of a text in their order, separators too; of a run of words no more than its terms can be made of. */
export function eachRun(text: string, onRun: (kind: number, start: number, end: number) => void): void {
  let kind = SEPARATOR
  let start = 0
  const endRun = (end: number): void => {
    if (end > start) onRun(kind, start, kind === WORD ? Math.min(end, start + RUN_UNITS_MAX) : end)
  }
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0
    const found = characterClass(codePoint)
    const next = joined(kind, found)
    if (next !== kind || found === PICTOGRAPH || found === REGIONAL) {
      endRun(at)
      kind = next
      start = at
      if (next === REGIONAL) at = flagEnd(text, at)
    }
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  endRun(text.length)
}

/**
 * The terms of a run that is not of spaced words: pairs for Han, kana and Hangul, dictionary words for Thai and its kin,
 * single emoji and flags.
 */
export function runTerms(kind: number, run: string, onTerm: OnTerm): void {
  if (kind === DENSE) pairTerms(run, onTerm)
  else if (kind === UNSPACED) dictionaryTerms(run, onTerm)
  else if (kind === PICTOGRAPH) onTerm(String.fromCodePoint(run.codePointAt(0) ?? 0), 0, run.length)
  else if (kind === REGIONAL) onTerm(run, 0, run.length)
}

/** Code units of a word run that are looked at: far over the longest term, so that stacked marks do not cut it short. */
const RUN_UNITS_MAX = 1024

/** The kind of run that a character continues or begins. */
function joined(kind: number, next: number): number {
  if (next === INVISIBLE) return kind
  if (next === MARK) return kind === SEPARATOR ? WORD : kind
  if (next === APOSTROPHE) return kind === WORD ? WORD : SEPARATOR
  return next
}

/** Where the second half of a flag stands, or `at` where there is none. */
function flagEnd(text: string, at: number): number {
  const second = text.codePointAt(at + 2)
  return second !== undefined && characterClass(second) === REGIONAL ? at + 2 : at
}
