import { isCut } from '../analyse/text-pieces.ts'

/**
 * What tells at once that two texts do not say the same. Texts of the same words have the same `whole`; those of nearly
 * the same words have much the same length and share most of the `marks`.
 */
export type TextSketch = { whole: number; words: number; marks: ReadonlySet<number> }

/** Reads a text once, letter by letter: nothing is made of it but numbers. Case, spaces and signs do not count. */
export function sketchOf(text: string): TextSketch {
  const plain = (ASCII_ONLY.test(text) ? text : text.normalize('NFKC')).toLowerCase()
  const marks = new Set<number>()
  let whole = 0
  let words = 0
  let before = 0
  let word = 0
  let inside = false
  for (let at = 0; at <= plain.length; at++) {
    const unit = at < plain.length ? plain.charCodeAt(at) : SPACE
    if (unit === STRAIGHT || unit === CURLY) continue
    if (!isCut(unit)) {
      word = Math.imul(word ^ unit, MIXER)
      inside = true
    } else if (inside) {
      whole = Math.imul(whole ^ word, MIXER)
      const pair = Math.imul(before ^ word, MIXER) >>> 0
      if (pair >>> MARK_SHIFT === 0) marks.add(pair)
      before = word
      words++
      word = 0
      inside = false
    }
  }
  return { whole, words, marks }
}

/** False where they certainly differ by more than a few words. Says little of texts of a dozen words. */
export function mayBeAlike(left: TextSketch, right: TextSketch): boolean {
  if (left.whole === right.whole) return true
  const [shorter, longer] = left.words < right.words ? [left, right] : [right, left]
  if (shorter.words < LENGTH_ALIKE * longer.words) return false
  let shared = 0
  for (const mark of shorter.marks) if (longer.marks.has(mark)) shared++
  return shared >= MARKS_ALIKE * Math.max(shorter.marks.size, longer.marks.size)
}

const ASCII_ONLY = /^[\0-\x7f]*$/
const SPACE = 0x20
const STRAIGHT = 0x27
const CURLY = 0x2019
/** The prime of FNV-1a, which mixes the bits of a hash. */
const MIXER = 0x01000193
/** One pair of neighbouring words in eight is a mark: those whose hash begins with three zeros. */
const MARK_SHIFT = 29
/** Less than what is asked of the texts themselves: a sketch is a sample. */
const LENGTH_ALIKE = 0.85
const MARKS_ALIKE = 0.5
