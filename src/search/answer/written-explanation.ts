import type { MemoryRecord } from '../../contract/snapshot.ts'
import { writtenTerms } from '../analyse/written-terms.ts'
import type { Explanation } from '../rank/explain.ts'

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
