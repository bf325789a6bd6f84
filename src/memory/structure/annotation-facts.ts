import type { FactRecord } from '../../contract/snapshot.ts'
import type { TextSource } from '../text-source.ts'
import { annotationsIn, SHARED } from './annotations.ts'
import { FACT_CONFIDENCE } from './fact-confidence.ts'

/** So many facts of this kind are taken from one text. */
const FACTS_MAX = 50

/** Who shared what beside their words: "[image: a dog on a beach]" said by Ada: (Ada, shared image, a dog on a beach). */
export function annotationFacts({ text, speaker }: TextSource): FactRecord[] {
  if (speaker === undefined || !text.includes('[')) return []
  return annotationsIn(text, 0, text.length)
    .slice(0, FACTS_MAX)
    .map(({ start, end, label, content }) => ({
      subject: speaker,
      predicate: `${SHARED}${label}`,
      value: text.slice(content.start, content.end).trim(),
      rule: 'annotation.shared',
      span: [start, end] as [number, number],
      confidence: FACT_CONFIDENCE['annotation.shared']
    }))
    .filter(({ value }) => value !== '')
}
