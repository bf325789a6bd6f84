import { DATA_NOTE } from './memory-lines.ts'

/** Leaves room for the first lines, which are our own. */
const HEAD_CHARACTERS = 400

/** Returns how many entries fit into an answer, at least one. An entry is a heading with marked text. */
export function countFitting(entries: readonly string[], maxChars: number): number {
  let left = maxChars - HEAD_CHARACTERS
  let count = 0
  for (const entry of entries) {
    left -= entry.length + 1
    if (left < 0 && count > 0) break
    count++
  }
  return count
}

/** The longest text of one entry that still fits into an answer by itself. */
export function longestText(maxChars: number): number {
  return Math.max(200, maxChars - 2 * HEAD_CHARACTERS)
}

/** Joins an answer: a first line, the note on stored data, the entries, and a last line. */
export function joinAnswer(first: string, entries: readonly string[], last?: string): string {
  return [first, ...(entries.length > 0 ? [DATA_NOTE] : []), ...entries, ...(last === undefined ? [] : [last])].join(
    '\n'
  )
}
