import { DATA_NOTE } from './mark-text.ts'

/** Leaves room for the first lines and the last ones, which are our own. */
const HEAD_CHARACTERS = 600

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

/** Returns the length of the longest text that still fits into an answer with its heading. */
export function findLongestText(maxChars: number, heading: string): number {
  return Math.max(200, maxChars - HEAD_CHARACTERS - heading.length - CUT_NOTE_CHARACTERS)
}

/** The note on a cut text follows its heading. */
const CUT_NOTE_CHARACTERS = 120

/** Joins the first of some ids, each cut to the length of one, with the number of the others. */
export function joinIds(ids: readonly string[]): string {
  const shown = ids.slice(0, IDS_SHOWN).map((id) => JSON.stringify(id.slice(0, ID_CHARACTERS)))
  return [...shown, ...(ids.length > IDS_SHOWN ? [`and ${ids.length - IDS_SHOWN} more`] : [])].join(', ')
}

const IDS_SHOWN = 4
const ID_CHARACTERS = 36

/** Composes an answer of a first line, the note on stored data, the entries, and a last line. */
export function composeAnswer(first: string, entries: readonly string[], last?: string): string {
  return [first, ...(entries.length > 0 ? [DATA_NOTE] : []), ...entries, ...(last === undefined ? [] : [last])].join(
    '\n'
  )
}
