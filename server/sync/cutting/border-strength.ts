/** How strong borders are. A heading stands above all; what is stronger is cut first. */
export const STRENGTH = {
  /** A heading and what it is of. */
  STICK: 0,
  /** Within a word. */
  LETTER: 1,
  WORD: 2,
  SENTENCE: 3,
  /** Items, rows, lines that stand for themselves. */
  LINE: 4,
  PARAGRAPH: 5,
  /** The weakest of seven levels. */
  HEADING: 6
} as const

/** The strength of the border before a heading of a level from 1 to 7. */
export function headingStrength(level: number): number {
  return STRENGTH.HEADING + 7 - level
}
