import type { MemoryRecord } from '../../contract/snapshot.ts'
import { termSpans } from '../analyse/term-spans.ts'
import type { Explanation } from '../rank/explain.ts'

/** How a text first writes each of some terms: `Flights` for `flight`. Terms that it does not have are left out. */
export function writtenTerms(text: string, terms: Iterable<string>): Map<string, string> {
  const wanted = new Set(terms)
  const written = new Map<string, string>()
  if (wanted.size === 0) return written
  for (const { term, start, end } of termSpans(text, wanted)) {
    if (!written.has(term)) written.set(term, text.slice(start, end))
  }
  return written
}

/** An explanation with the words as the memory writes them, those of its speaker's name too. */
export function writtenExplanation(
  explanation: Explanation,
  record: Pick<MemoryRecord, 'text' | 'speaker'> | undefined
): Explanation {
  if (record === undefined) return explanation
  const inside = explanation.cues.flatMap(({ said }) => said.filter(({ turn }) => turn === 0))
  const words = inside.map(({ word }) => word)
  const inText = writtenTerms(record.text, words)
  const inName = writtenTerms(record.speaker ?? '', words)
  const cues = explanation.cues.map((cue) => ({
    ...cue,
    said: cue.said.map((one) => {
      const written = one.turn === 0 ? (one.as === 'speaker' ? inName : inText).get(one.word) : undefined
      return written === undefined ? one : { ...one, written }
    })
  }))
  return { ...explanation, cues }
}
