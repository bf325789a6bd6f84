import { classOfCodePoint, DENSE, UNSPACED } from './walk-terms.ts'
import { widenToLetters } from './widen-to-letters.ts'

/** A part of a text: half-open, in UTF-16 code units. */
export type Passage = { start: number; end: number }

/**
 * How long texts are cut. Measured on abstracts that were strung together, twenty and a hundred in a row, among single
 * ones, and on whole talks among single turns: pieces of 600 to 1,500 do alike, against none MAP rises by 6 to 11.
 */
export const PASSAGE = {
  /** Letters and signs of a passage, about a hundred terms. A text of less than twice as many is one passage. */
  SIZE: 1000,
  /** A letter of a script without spaces is as much as so many others: it is nearly a word. */
  DENSE_SIZE: 4,
  /** A cut is moved by at most this part of a passage to where the text pauses. */
  SLACK: 0.2
} as const

/**
 * Cuts a text into passages of about equal size, at ends of paragraphs, lines, sentences or words where there are some
 * near by. They follow each other without gaps and depend on the text alone; the time is linear in its length.
 */
export function splitPassages(text: string): Passage[] {
  if (text.length * PASSAGE.DENSE_SIZE <= 2 * PASSAGE.SIZE) return [{ start: 0, end: text.length }]
  const sizeOf = createSizeCounter(text)
  const size = sizeOf(text.length)
  if (size <= 2 * PASSAGE.SIZE) return [{ start: 0, end: text.length }]
  const count = Math.round(size / PASSAGE.SIZE)
  const even = cutEvenly({ text, sizeOf, size, count })
  const passages: Passage[] = []
  let start = 0
  even.forEach((cut, place) => {
    const room = Math.min(cut - (even[place - 1] ?? 0), (even[place + 1] ?? text.length) - cut)
    const end = findPauseNear(text, cut, Math.floor(room * PASSAGE.SLACK))
    if (end > start) passages.push({ start, end })
    start = Math.max(start, end)
  })
  passages.push({ start, end: text.length })
  return passages
}

const ASCII_ONLY = /^[\0-\x7f]*$/

/** How much text stands before a place. To be asked with rising places. */
function createSizeCounter(text: string): (place: number) => number {
  if (ASCII_ONLY.test(text)) return (place) => place
  const sizes = new Float64Array(text.length + 1)
  for (let at = 0; at < text.length; at++) {
    const kind = classOfCodePoint(text.charCodeAt(at))
    sizes[at + 1] = (sizes[at] ?? 0) + (kind === DENSE || kind === UNSPACED ? PASSAGE.DENSE_SIZE : 1)
  }
  return (place) => sizes[place] ?? 0
}

type Sizes = { text: string; sizeOf: (place: number) => number; size: number; count: number }

/** The places before which a half, a third, … of all stands. */
function cutEvenly({ text, sizeOf, size, count }: Sizes): number[] {
  const cuts: number[] = []
  let place = 0
  for (let cut = 1; cut < count; cut++) {
    const wanted = Math.round((cut * size) / count)
    while (place < text.length && sizeOf(place) < wanted) place++
    cuts.push(place)
  }
  return cuts
}

/** The place within reach where the text pauses most; of equal ones the nearest, then the earlier. */
function findPauseNear(text: string, cut: number, slack: number): number {
  let best = -1
  let most = 0
  for (let away = 0; away <= slack; away++) {
    for (const place of away === 0 ? [cut] : [cut - away, cut + away]) {
      const pause = ratePause(text, place)
      if (pause > most) {
        best = place
        most = pause
      }
    }
  }
  return best < 0 ? widenToLetters(text, cut, cut).start : best
}

const PARAGRAPH = 4
const LINE = 3
const SENTENCE = 2
const SPACE = 1

const PAUSE = /[\s。！？｡]/
const BLANK_LINE = /\n[^\S\n]*\n$/
const SENTENCE_END = /[.!?…][\p{Pe}\p{Pf}"']*\s$|[。！？｡]$/u
/** Code units before a place that tell what pause it is. */
const LOOK_BACK = 4

/** Whether a text pauses before a place, so that no word lies over it. */
export function endsInPause(text: string, place: number): boolean {
  return ratePause(text, place) > 0
}

/** How much of a pause a text makes before a place. */
function ratePause(text: string, place: number): number {
  if (place <= 0 || !PAUSE.test(text.charAt(place - 1))) return 0
  const before = text.slice(Math.max(0, place - LOOK_BACK), place)
  if (before.endsWith('\n')) return BLANK_LINE.test(before) ? PARAGRAPH : LINE
  return SENTENCE_END.test(before) ? SENTENCE : SPACE
}
