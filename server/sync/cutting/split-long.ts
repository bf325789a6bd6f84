import type { Range } from '../../../src/memory/structure/block.ts'
import { isSpace } from '../../../src/memory/structure/line.ts'
import { STRENGTH } from './border-strength.ts'
import { endOfSize } from './letter-size.ts'

/**
 * Cuts a range of text into its sentences, and what is larger than `sizeMax` even so between words, or where there are none between letters as people
 * see them. Each part comes with the strength of the border before it; white space between two belongs to none. Takes time for the range's
 * length alone.
 */
export function* splitLong(text: string, { start, end }: Range, sizeMax: number): Generator<Part> {
  const taken = text.slice(start, end)
  let from = 0
  for (const to of sentenceEnds(taken)) {
    let strength: number = STRENGTH.SENTENCE
    while (from < to) {
      const cut = cutWithin(taken, { start: from, end: to }, sizeMax)
      const part = trimmed(taken, { start: from, end: cut.at })
      if (part !== undefined) yield { start: start + part.start, end: start + part.end, strength }
      from = cut.at
      strength = cut.strength
    }
  }
}

type Part = Range & { strength: number }

/**
 * A full stop of any script and what closes with it, then white space; after those of East Asia none is needed. How much may close with one is
 * bounded, for the sake of time.
 */
const SENTENCE_END = /[。！？｡][\p{Pe}\p{Pf}"']{0,4}|[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"'*_]{0,4}(?=\s)/gu

function* sentenceEnds(text: string): Generator<number> {
  for (const { index, 0: end } of text.matchAll(SENTENCE_END)) yield index + end.length
  yield text.length
}

/**
 * Where to cut a range that is too large: of the places that are near enough, one between words, and among those one that its own
 * surroundings make out, so that an edit elsewhere leaves it.
 */
function cutWithin(text: string, { start, end }: Range, sizeMax: number): { at: number; strength: number } {
  const last = endOfSize(text, { start, end }, sizeMax)
  if (last === end) return { at: end, strength: STRENGTH.SENTENCE }
  const near = { start: start + Math.ceil((last - start) / 2), end: last }
  const space = highestPlace(text, near, (place) => isSpace(text.charCodeAt(place - 1)))
  if (space !== undefined) return { at: space, strength: STRENGTH.WORD }
  const at = highestPlace(text, near, () => true) ?? last
  return { at: letterStart(text, at, start), strength: STRENGTH.LETTER }
}

/** Of the places in a range, its end included, the one with the highest hash of what stands there. */
function highestPlace(text: string, { start, end }: Range, counts: (place: number) => boolean): number | undefined {
  let found: number | undefined
  let most = -1
  for (let place = start; place <= end; place++) {
    const hash = counts(place) ? hashAt(text, place) : -1
    if (hash <= most) continue
    most = hash
    found = place
  }
  return found
}

/** Of the few letters after a place. */
function hashAt(text: string, place: number): number {
  let hash = 0x811c9dc5
  for (let at = place; at < place + HASHED_UNITS; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

const HASHED_UNITS = 4

/** Where the letter begins, as people see it, that a place is in; it may be of several code points, but of no end of them. */
function letterStart(text: string, place: number, after: number): number {
  const from = Math.max(after, place - LETTER_UNITS_MAX)
  const around = text.slice(from, place + LETTER_UNITS_MAX)
  const letter = LETTERS.segment(around).containing(place - from)
  const begins = from + (letter?.index ?? 0)
  if (letter !== undefined && begins > from) return begins
  const unit = text.charCodeAt(place)
  return unit >= 0xdc00 && unit <= 0xdfff ? place - 1 : place
}

const LETTERS = new Intl.Segmenter('und', { granularity: 'grapheme' })
const LETTER_UNITS_MAX = 32

function trimmed(text: string, range: Range): Range | undefined {
  let { start, end } = range
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  while (start < end && isSpace(text.charCodeAt(start))) start++
  return start === end ? undefined : { start, end }
}
