import type { Range } from '../../memory/structure/block.ts'

/**
 * Measures a part of a text in letters: a letter of a script without spaces between words is nearly a word, and counts as four. A search
 * counts like that, too.
 */
export function measureLetters(text: string, { start, end }: Range): number {
  let size = 0
  for (let at = start; at < end; at++) size += measureUnit(text.charCodeAt(at))
  return size
}

/** Finds the end of the longest start of a part of a text that measures at most `size`. */
export function findEndOfSize(text: string, { start, end }: Range, size: number): number {
  let at = start
  for (let left = size; at < end; at++) {
    left -= measureUnit(text.charCodeAt(at))
    if (left < 0) break
  }
  return at
}

/** The value of a letter of such a script. */
export const DENSE_SIZE = 4

/** Ranges of scripts without spaces between words: Thai and Lao, Myanmar, Hangul's parts, Khmer, Han with its neighbours. */
const DENSE: readonly (readonly [first: number, last: number])[] = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1100, 0x11ff],
  [0x1780, 0x19ff],
  [0x2e80, 0xd7ff],
  [0xf900, 0xfaff],
  [0xff66, 0xffdc]
]

/** Returns the value of a UTF-16 code unit. */
export function measureUnit(unit: number): number {
  if (unit < FIRST_DENSE) return 1
  return DENSE.some(([first, last]) => unit >= first && unit <= last) ? DENSE_SIZE : 1
}

const FIRST_DENSE = 0x0e00
