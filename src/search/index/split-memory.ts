import type { EventRecord, FactRecord } from '../../contract/snapshot.ts'
import { endsInPause, type Passage, splitPassages } from '../analyse/split-passages.ts'
import { TERM_CODE_POINTS_MAX } from '../analyse/to-term.ts'
import { classOfCodePoint, DENSE } from '../analyse/walk-terms.ts'
import { widenToLetters } from '../analyse/widen-to-letters.ts'

/** The content of one index row: a whole memory, or one passage of a long text. */
export type MemoryPart = {
  /** Index of the passage, from 0. */
  passage: number
  /** The passage, extended to the end of a word that crosses its end. */
  text: string
  /** The facts that begin in the passage. */
  facts: readonly FactRecord[]
  events: readonly EventRecord[]
}

/** The content of a memory that is divided among passages. */
export type MemoryContent = {
  text: string
  facts?: readonly FactRecord[] | undefined
  events?: readonly EventRecord[] | undefined
}

/** Splits a memory into parts in text order, one per passage. */
export function splitMemory({ text, facts = [], events = [] }: MemoryContent): MemoryPart[] {
  const passages = splitPassages(text)
  if (passages.length === 1) return [{ passage: 0, text, facts, events }]
  const factsOf = groupByPassage(facts, passages)
  const eventsOf = groupByPassage(events, passages)
  return passages.map(({ start, end }, place) => ({
    passage: place,
    text: text.slice(start, findWordsEnd(text, end)),
    facts: factsOf[place] ?? [],
    events: eventsOf[place] ?? []
  }))
}

/**
 * Returns where words end that begin before a cut, so that the parts together have the same terms as the whole text.
 */
function findWordsEnd(text: string, cut: number): number {
  if (cut === text.length || endsInPause(text, cut)) return cut
  const units = classOfCodePoint(text.codePointAt(cut) ?? 0) === DENSE ? 1 : 2 * TERM_CODE_POINTS_MAX
  return widenToLetters(text, cut, Math.min(text.length, cut + units)).end
}

function groupByPassage<E extends { span: FactRecord['span'] }>(
  entries: readonly E[],
  passages: readonly Passage[]
): E[][] {
  const found: E[][] = passages.map(() => [])
  for (const entry of entries) found[findPassageAt(passages, entry.span[0])]?.push(entry)
  return found
}

/** Returns the index of the passage that contains a position; the last one for positions beyond the text. */
function findPassageAt(passages: readonly Passage[], at: number): number {
  let low = 0
  let high = passages.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((passages[middle]?.end ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}
