import type { FactRecord } from '../../contract/snapshot.ts'
import type { TextSource } from '../language/text-source.ts'
import { FACT_CONFIDENCE } from './make-fact.ts'

/**
 * A remark by a program in square brackets, `[image: a dog on a beach]`. Offsets are UTF-16 code units of the whole
 * text.
 */
type Annotation = { start: number; end: number; label: string; content: { start: number; end: number } }

/** Finds the annotations in a section of text, in order. They are not sentences: they describe a picture, not what a person says. */
export function findAnnotations(text: string, from: number, to: number): Annotation[] {
  // Search the section alone, so that callers who read one section after another do not scan the whole text each time.
  const section = text.slice(from, to)
  if (!section.includes('[')) return []
  return Array.from(section.matchAll(PATTERN), (match) => {
    const [whole, label = '', content = ''] = match
    const start = from + match.index
    const end = start + whole.length
    return { start, end, label: label.toLowerCase(), content: { start: end - 1 - content.length, end: end - 1 } }
  })
}

/** Replaces annotations by spaces, so that the offsets of the other text stay the same. */
export function blankAnnotations(text: string): string {
  return text.includes('[') ? text.replace(PATTERN, (whole) => ' '.repeat(whole.length)) : text
}

/** Checks whether a predicate is that of an annotation, which states what a picture shows. */
export function isAnnotation(predicate: string): boolean {
  return predicate.startsWith(SHARED) && LABELS.includes(predicate.slice(SHARED.length))
}

/** Prefix of such predicates; the label follows. */
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

/** Matches a label, a colon and the content up to the bracket, with a maximum length. */
const PATTERN = new RegExp(`\\[(${LABELS.join('|')}): ?([^[\\]\\n]{1,2000})\\]`, 'gi')

/** Maximum number of such facts per text. */
const FACTS_MAX = 50

/**
 * Builds facts about shared content: "[image: a dog on a beach]" by Ada gives (Ada, shared image, a dog on a beach).
 */
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
