import { analyse } from './analyse.ts'
import { SEPARATOR, WORD } from './character-class.ts'
import { eachRun, runTerms } from './character-runs.ts'
import { cutTerm } from './cut-term.ts'
import { foldWord } from './fold-word.ts'
import { normalisedPiece } from './normalised-piece.ts'
import { eachPiece, type Piece } from './text-pieces.ts'
import { wholeLetters } from './whole-letters.ts'
import { wordParts } from './word-parts.ts'
import { NO_TERM, wordTerm } from './word-term.ts'

/** Where a term stands in a text: half-open, in UTF-16 code units. Never cuts what a reader sees as one letter. */
export type TermSpan = { term: string; start: number; end: number }

/** Spans that are looked for in one text, by default. */
const SPANS_MAX = 10_000
/** Of what is not plain ASCII, so many code units are looked at: up to 2 s a million. */
const OTHER_UNITS_MAX = 1 << 18
/** A text in which nothing but stop words or signs stands is not longer, in code units. */
const BARE_UNITS_MAX = 1000

/**
 * Where a text has these terms, in the order of the text: the terms that `analyse` finds, each with its place. No more
 * than `spansMax` are looked for, and only so far into a text that the time is bounded. Spans may touch and overlap.
 */
export function termSpans(
  text: string,
  terms: ReadonlySet<string>,
  { spansMax = SPANS_MAX }: { spansMax?: number } = {}
): TermSpan[] {
  const spans: TermSpan[] = []
  const onSpan = (term: string, start: number, end: number): void =>
    void spans.push({ term, ...wholeLetters(text, start, end) })
  const look = createLook(terms, onSpan)
  let others = 0
  eachPiece(text, (piece) => {
    look(text, piece)
    if (piece.plain === 'other') others += piece.end - piece.start
    return spans.length < spansMax && others < OTHER_UNITS_MAX
  })
  if (spans.length > 0 || text.length > BARE_UNITS_MAX) return spans.slice(0, spansMax)
  eachBare(text, terms, onSpan)
  return spans
}

type OnSpan = (term: string, start: number, end: number) => void

function createLook(terms: ReadonlySet<string>, onSpan: OnSpan): (text: string, piece: Piece) => void {
  const starts = asciiStarts(terms)
  const onWord = (word: string, start: number, end: number): void => {
    const term = wordTerm(cutTerm(word))
    if (term !== NO_TERM && terms.has(term)) onSpan(term, start, end)
  }
  return (text, { start, end, plain }) => {
    if (plain === 'word') {
      if (starts[text.charCodeAt(start)] === 1) onWord(text.slice(start, end).toLowerCase(), start, end)
      return
    }
    if (plain === 'words') {
      const run = text.slice(start, end).toLowerCase()
      for (const part of wordParts(run)) onWord(part.word, start + part.start, start + part.end)
      return
    }
    const { text: normal, startOf, endOf } = normalisedPiece(text.slice(start, Math.min(end, start + OTHER_UNITS_MAX)))
    eachRun(normal, (kind, runStart, runEnd) => {
      if (kind === SEPARATOR) return
      const run = normal.slice(runStart, runEnd)
      const place = (from: number, to: number): [number, number] => [
        start + startOf(runStart + from),
        start + endOf(runStart + to)
      ]
      if (kind === WORD) for (const part of wordParts(run, foldWord)) onWord(part.word, ...place(part.start, part.end))
      else runTerms(kind, run, (term, from, to) => terms.has(term) && onSpan(term, ...place(from, to)))
    })
  }
}

/** Which ASCII letters and digits words of these terms may begin with: no ending changes the first letter of a word. */
function asciiStarts(terms: ReadonlySet<string>): Uint8Array {
  const starts = new Uint8Array(128)
  for (const term of terms) {
    const code = term.charCodeAt(0)
    if (code >= 128) continue
    starts[code] = 1
    starts[term.slice(0, 1).toUpperCase().charCodeAt(0)] = 1
  }
  return starts
}

/** A text of stop words alone, or without any word, is taken by those, or by its pieces between spaces. */
function eachBare(text: string, terms: ReadonlySet<string>, onSpan: OnSpan): void {
  if (!analyse(text).some((term) => terms.has(term))) return
  for (const { 0: piece, index } of text.matchAll(/\S+/g)) {
    const term = analyse(piece).find((one) => terms.has(one))
    if (term !== undefined) onSpan(term, index, index + piece.length)
  }
}
