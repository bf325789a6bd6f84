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
import { dictionaryTerms, pairTerms } from './unspaced-terms.ts'

/**
 * Walks a text in any script by code point. Runs of spaced words go to `onWord`, with their apostrophes; terms of
 * everything else are pushed here: pairs for Han, kana and Hangul, dictionary words for Thai and its kin, single emoji.
 */
export function characterRuns(text: string, terms: string[], onWord: (run: string) => void): void {
  let kind = SEPARATOR
  let start = 0
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0
    const found = characterClass(codePoint)
    const next = joined(kind, found)
    if (next !== kind || found === PICTOGRAPH || found === REGIONAL) {
      endRun({ kind, text: text.slice(start, at) }, terms, onWord)
      kind = next
      start = at
      if (next === REGIONAL) at = flagEnd(text, at)
    }
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  endRun({ kind, text: text.slice(start) }, terms, onWord)
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

type Run = { kind: number; text: string }

function endRun({ kind, text }: Run, terms: string[], onWord: (run: string) => void): void {
  if (kind === WORD) onWord(text.slice(0, RUN_UNITS_MAX))
  else if (kind === DENSE) pairTerms(text, terms)
  else if (kind === UNSPACED) dictionaryTerms(text, terms)
  else if (kind === PICTOGRAPH) terms.push(String.fromCodePoint(text.codePointAt(0) ?? 0))
  else if (kind === REGIONAL) terms.push(text)
}

/** Where the second half of a flag stands, or `at` where there is none. */
function flagEnd(text: string, at: number): number {
  const second = text.codePointAt(at + 2)
  return second !== undefined && characterClass(second) === REGIONAL ? at + 2 : at
}
