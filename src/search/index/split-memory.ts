import type { EventRecord, FactRecord } from '../../contract/snapshot.ts'
import { endsInPause, type Passage, splitPassages } from '../analyse/split-passages.ts'
import { TERM_CODE_POINTS_MAX } from '../analyse/to-term.ts'
import { classOfCodePoint, DENSE } from '../analyse/walk-terms.ts'
import { widenToLetters } from '../analyse/widen-to-letters.ts'

/** What one row of the index says of a memory: all of it, or of a long text one passage. */
export type MemoryPart = {
  /** Its place among the passages, from 0 on. */
  passage: number
  /** The words of the passage, with the rest of one that it cuts. */
  text: string
  /** Those that begin in the passage. */
  facts: readonly FactRecord[]
  events: readonly EventRecord[]
}

/** What a memory is made of, as far as it can be told apart by passages. */
export type MemoryContent = {
  text: string
  facts?: readonly FactRecord[] | undefined
  events?: readonly EventRecord[] | undefined
}

/** The parts of a memory in the order of its text, one for each of its passages. */
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

/** Where the words end that begin before a cut: all that is found of a text at once is found of one of its parts. */
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

/** The place of the passage that a place of the text is in; the last for what is beyond the text. */
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
