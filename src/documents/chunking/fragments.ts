import type { Range } from '../../memory/structure/block.ts'
import { isSpace } from '../../memory/structure/text-line.ts'
import { DENSE_SIZE, findEndOfSize, measureLetters, measureUnit } from './measure-letters.ts'

/**
 * The smallest parts of a text that are worth keeping whole, in order, none blank, with white space between them. Kept
 * in arrays of numbers, because a hostile text may have a million.
 */
export type Fragments = {
  starts: number[]
  ends: number[]
  /** The rank of the border before each: its strength in the high bits, and a hash of the fragment in the low ones. */
  ranks: number[]
  /** The letters before each; one more entry for the whole text. */
  sums: number[]
  /** The fragments that are headings, by place. */
  headings: Map<number, Heading>
  /**
   * What a chunk repeats if it begins with this fragment: the header row of its table, the opening fence of its code.
   */
  leads: Map<number, Lead>
}

export type Heading = { level: number; words: string }

type Lead = { text: string; size: number }

type FragmentMarks = { strength: number; heading?: Heading | undefined; lead?: Range | undefined }

/** The strength of each border; headings have the highest. A text is split at its strongest border first. */
export const STRENGTH = {
  /** Between a heading and its text. */
  STICK: 0,
  /** Within a word. */
  LETTER: 1,
  WORD: 2,
  SENTENCE: 3,
  /** Between list items, rows, and lines of their own. */
  LINE: 4,
  PARAGRAPH: 5,
  /** The weakest of seven levels. */
  HEADING: 6
} as const

/** Returns the strength of the border before a heading of a level from 1 to 7. */
export function toHeadingStrength(level: number): number {
  return STRENGTH.HEADING + 7 - level
}

/** Returns the strength in a rank. */
export function toStrength(rank: number): number {
  return rank >>> HASH_BITS
}

/** A larger fragment is split. In letters, see `measureLetters`. */
export const FRAGMENT_MAX = 1600

/** A longer lead is not repeated. */
const LEAD_MAX = 300

/** The size of the separator of two fragments in a chunk: an empty line. */
const GAP_SIZE = 2
const HASH_BITS = 26

/** Creates an empty list. */
export function createFragments(): Fragments {
  return { starts: [], ends: [], ranks: [], sums: [0], headings: new Map(), leads: new Map() }
}

/** Adds a range of the text, as several fragments if it is too large for one. */
export function addFragment(text: string, fragments: Fragments, added: Range & FragmentMarks): void {
  const { start, end, strength, heading, lead } = added
  const place = fragments.starts.length
  if (heading !== undefined) fragments.headings.set(place, heading)
  if (lead !== undefined) addLead(text, fragments, lead)
  if (isFragment(text, start, end)) pushFragment(text, fragments, added)
  // The border before the first part is the border before the whole.
  else
    for (const part of splitLong(text, { start, end }, FRAGMENT_MAX))
      pushFragment(text, fragments, part.start === start ? { ...part, strength } : part)
}

function isFragment(text: string, start: number, end: number): boolean {
  return (end - start) * DENSE_SIZE <= FRAGMENT_MAX || measureLetters(text, { start, end }) <= FRAGMENT_MAX
}

function addLead(text: string, { starts, leads }: Fragments, lead: Range): void {
  const size = measureLetters(text, lead) + 1
  if (size <= LEAD_MAX) leads.set(starts.length, { text: text.slice(lead.start, lead.end), size })
}

/** Appends a fragment. Runs for every line of a text, so it allocates no objects. */
function pushFragment(
  text: string,
  { starts, ends, ranks, sums }: Fragments,
  { start, end, strength }: Range & FragmentMarks
): void {
  let size = GAP_SIZE
  // FNV-1a over UTF-16 code units.
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    size += measureUnit(unit)
    hash = Math.imul(hash ^ unit, 0x01000193)
  }
  starts.push(start)
  ends.push(end)
  ranks.push(strength * 2 ** HASH_BITS + ((hash ^ (hash >>> 15)) >>> (32 - HASH_BITS)))
  sums.push((sums.at(-1) ?? 0) + size)
}

/**
 * Splits a range of text into sentences, and a sentence larger than `sizeMax` between words, or if it has none between letters (grapheme
 * clusters). Each part has the strength of the border before it; white space between parts is dropped. Takes linear time.
 */
function* splitLong(text: string, { start, end }: Range, sizeMax: number): Generator<Part> {
  const taken = text.slice(start, end)
  let from = 0
  for (const to of findSentenceEnds(taken)) {
    let strength: number = STRENGTH.SENTENCE
    while (from < to) {
      const cut = chooseCut(taken, { start: from, end: to }, sizeMax)
      const part = trimRange(taken, { start: from, end: cut.at })
      if (part !== undefined) yield { start: start + part.start, end: start + part.end, strength }
      from = cut.at
      strength = cut.strength
    }
  }
}

type Part = Range & { strength: number }

/**
 * A full stop of any script with closing quotes and brackets, then white space; East Asian ones need none. The number of closing characters is
 * bounded, to bound the time.
 */
const SENTENCE_END = /[。！？｡][\p{Pe}\p{Pf}"']{0,4}|[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"'*_]{0,4}(?=\s)/gu

function* findSentenceEnds(text: string): Generator<number> {
  for (const { index, 0: end } of text.matchAll(SENTENCE_END)) yield index + end.length
  yield text.length
}

/**
 * Chooses where to split a range that is too large: in its second half, between words if possible, at the place with the highest hash of
 * the next letters, so that an edit elsewhere does not move it.
 */
function chooseCut(text: string, { start, end }: Range, sizeMax: number): { at: number; strength: number } {
  const last = findEndOfSize(text, { start, end }, sizeMax)
  if (last === end) return { at: end, strength: STRENGTH.SENTENCE }
  const near = { start: start + Math.ceil((last - start) / 2), end: last }
  const space = findHighestPlace(text, near, (place) => isSpace(text.charCodeAt(place - 1)))
  if (space !== undefined) return { at: space, strength: STRENGTH.WORD }
  const at = findHighestPlace(text, near, () => true) ?? last
  return { at: findLetterStart(text, at, start), strength: STRENGTH.LETTER }
}

/** Finds the accepted place of a range, its end included, with the highest hash of the next letters. */
function findHighestPlace(
  text: string,
  { start, end }: Range,
  accepts: (place: number) => boolean
): number | undefined {
  let found: number | undefined
  let most = -1
  for (let place = start; place <= end; place++) {
    const hash = accepts(place) ? hashAt(text, place) : -1
    if (hash <= most) continue
    most = hash
    found = place
  }
  return found
}

/** Hashes the few letters after a place. */
function hashAt(text: string, place: number): number {
  let hash = 0x811c9dc5
  for (let at = place; at < place + HASHED_UNITS; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

const HASHED_UNITS = 4

/** Finds the start of the grapheme cluster at a place. Only LETTER_UNITS_MAX code units on each side are examined. */
function findLetterStart(text: string, place: number, after: number): number {
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

function trimRange(text: string, range: Range): Range | undefined {
  let { start, end } = range
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  while (start < end && isSpace(text.charCodeAt(start))) start++
  return start === end ? undefined : { start, end }
}
