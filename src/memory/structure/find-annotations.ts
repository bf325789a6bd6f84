import type { FactRecord } from '../../contract/snapshot.ts'
import type { TextSource } from '../language/text-source.ts'
import { FACT_CONFIDENCE } from './make-fact.ts'

/** A remark of a program in square brackets, `[image: a dog on a beach]`. Offsets are UTF-16 code units of the whole text. */
type Annotation = { start: number; end: number; label: string; content: { start: number; end: number } }

/** Annotations of a stretch of text, in its order. They are nobody's sentences: what a picture shows is not what is said. */
export function findAnnotations(text: string, from: number, to: number): Annotation[] {
  // In the stretch alone: who asks for one stretch after the other must not look through the whole text each time.
  return Array.from(text.slice(from, to).matchAll(PATTERN), (match) => {
    const [whole, label = '', content = ''] = match
    const start = from + match.index
    const end = start + whole.length
    return { start, end, label: label.toLowerCase(), content: { start: end - 1 - content.length, end: end - 1 } }
  })
}

/** The text with blanks in the place of its annotations: what else stands there keeps its offsets. */
export function blankAnnotations(text: string): string {
  return text.includes('[') ? text.replace(PATTERN, (whole) => ' '.repeat(whole.length)) : text
}

/** Whether a fact's predicate is that of an annotation: it tells what a picture shows, not what somebody says. */
export function isAnnotation(predicate: string): boolean {
  return predicate.startsWith(SHARED) && LABELS.includes(predicate.slice(SHARED.length))
}

/** How such predicates begin; the label follows. */
const SHARED = 'shared '

const LABELS = [
  'image',
  'picture',
  'photo',
  'gif',
  'video',
  'audio',
  'voice message',
  'sticker',
  'file',
  'attachment',
  'link'
]

/** What may stand before the colon; the rest runs to the bracket, at most so far. */
const PATTERN = new RegExp(`\\[(${LABELS.join('|')}): ?([^[\\]\\n]{1,2000})\\]`, 'gi')

/** So many facts of this kind are taken from one text. */
const FACTS_MAX = 50

/** Who shared what beside their words: "[image: a dog on a beach]" said by Ada: (Ada, shared image, a dog on a beach). */
export function buildAnnotationFacts({ text, speaker }: TextSource): FactRecord[] {
  if (speaker === undefined || !text.includes('[')) return []
  return findAnnotations(text, 0, text.length)
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
