import { analyse } from './analyse.ts'
import { cutTerm, foldWord, NO_TERM, splitRun, toTerm } from './to-term.ts'
import { emitRunTerms, SEPARATOR, WORD, walkRuns } from './walk-terms.ts'
import { type TextToken, walkTextTokens } from './walk-text-tokens.ts'
import { getLetterSegmenter, widenToLetters } from './widen-to-letters.ts'

/** The range of a term in a text: half-open, in UTF-16 code units. It never cuts a grapheme. */
type TermSpan = { term: string; start: number; end: number }

/** Default maximum number of spans per text. */
const SPANS_MAX = 10_000

/** Maximum number of code units examined outside plain ASCII, which takes up to 2 s per million. */
const OTHER_UNITS_MAX = 1 << 18

/** Maximum length in code units of a text that is searched for stop words or signs alone. */
const BARE_UNITS_MAX = 1000

/**
 * Finds the given terms, as `analyse` returns them, with their ranges in text order. Limits the number of spans to
 * `spansMax` and the examined length, so that the time is bounded. Spans may touch and overlap.
 */
export function findTermSpans(
  text: string,
  terms: ReadonlySet<string>,
  { spansMax = SPANS_MAX }: { spansMax?: number } = {}
): TermSpan[] {
  const spans: TermSpan[] = []
  const onSpan = (term: string, start: number, end: number): void =>
    void spans.push({ term, ...widenToLetters(text, start, end) })
  const look = createTermScanner(terms, onSpan)
  let others = 0
  walkTextTokens(text, (piece) => {
    look(text, piece)
    if (piece.plain === 'other') others += piece.end - piece.start
    return spans.length < spansMax && others < OTHER_UNITS_MAX
  })
  if (spans.length > 0 || text.length > BARE_UNITS_MAX) return spans.slice(0, spansMax)
  scanBareText(text, terms, onSpan)
  return spans
}

type OnSpan = (term: string, start: number, end: number) => void

function createTermScanner(terms: ReadonlySet<string>, onSpan: OnSpan): (text: string, piece: TextToken) => void {
  const starts = collectAsciiStarts(terms)
  const onWord = (word: string, start: number, end: number): void => {
    const term = toTerm(cutTerm(word))
    if (term !== NO_TERM && terms.has(term)) onSpan(term, start, end)
  }
  return (text, { start, end, plain }) => {
    if (plain === 'word') {
      if (starts[text.charCodeAt(start)] === 1) onWord(text.slice(start, end).toLowerCase(), start, end)
      return
    }
    if (plain === 'words') {
      const run = text.slice(start, end).toLowerCase()
      for (const part of splitRun(run)) onWord(part.word, start + part.start, start + part.end)
      return
    }
    const { text: normal, startOf, endOf } = normalisePiece(text.slice(start, Math.min(end, start + OTHER_UNITS_MAX)))
    walkRuns(normal, (kind, runStart, runEnd) => {
      if (kind === SEPARATOR) return
      const run = normal.slice(runStart, runEnd)
      const place = (from: number, to: number): [number, number] => [
        start + startOf(runStart + from),
        start + endOf(runStart + to)
      ]
      if (kind === WORD) for (const part of splitRun(run, foldWord)) onWord(part.word, ...place(part.start, part.end))
      else emitRunTerms(kind, run, (term, from, to) => terms.has(term) && onSpan(term, ...place(from, to)))
    })
  }
}

/** Marks the ASCII letters and digits that words of these terms may begin with. No ending changes the first letter. */
function collectAsciiStarts(terms: ReadonlySet<string>): Uint8Array {
  const starts = new Uint8Array(128)
  for (const term of terms) {
    const code = term.charCodeAt(0)
    if (code >= 128) continue
    starts[code] = 1
    starts[term.slice(0, 1).toUpperCase().charCodeAt(0)] = 1
  }
  return starts
}

/** Scans a text of stop words alone, or without words, by its stop words or its parts between spaces. */
function scanBareText(text: string, terms: ReadonlySet<string>, onSpan: OnSpan): void {
  if (!analyse(text).some((term) => terms.has(term))) return
  for (const { 0: piece, index } of text.matchAll(/\S+/g)) {
    const term = analyse(piece).find((one) => terms.has(one))
    if (term !== undefined) onSpan(term, index, index + piece.length)
  }
}

/** A normalised text with a mapping of its code units to half-open ranges of the original. */
type NormalisedPiece = { text: string; startOf(unit: number): number; endOf(end: number): number }

/**
 * Normalises a part of a text (NFKC, lower case). Most parts keep their length, unit by unit. Others are normalised by
 * grapheme, because no composition crosses one.
 */
function normalisePiece(piece: string): NormalisedPiece {
  const normal = piece.normalize('NFKC')
  const lower = normal.toLowerCase()
  if (normal === piece && lower.length === piece.length) {
    return { text: lower, startOf: (unit) => unit, endOf: (end) => end }
  }
  return normaliseByLetters(piece)
}

function normaliseByLetters(piece: string): NormalisedPiece {
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  for (const { segment, index } of getLetterSegmenter().segment(piece)) {
    const normal = segment.normalize('NFKC').toLowerCase()
    text += normal
    for (let unit = 0; unit < normal.length; unit++) {
      starts.push(index)
      ends.push(index + segment.length)
    }
  }
  return { text, startOf: (unit) => starts[unit] ?? piece.length, endOf: (end) => ends[end - 1] ?? 0 }
}

/**
 * Returns how a text first writes each of the given terms: `Flights` for `flight`. Omits terms that the text lacks or
 * that occur only late in a very long text; callers then display the term itself.
 */
export function findWrittenTerms(text: string, terms: Iterable<string>): Map<string, string> {
  const wanted = new Set(terms)
  const written = new Map<string, string>()
  if (wanted.size === 0) return written
  for (const { term, start, end } of findTermSpans(text.slice(0, UNITS_MAX), wanted)) {
    if (!written.has(term)) written.set(term, text.slice(start, end))
  }
  return written
}

/** Number of UTF-16 code units examined. */
const UNITS_MAX = 10_000
