import type { FactRecord } from '../../contract/snapshot.ts'
import type { Range } from './block.ts'
import { toPlainWords } from './topic.ts'

export type FactParts = { subject: string; predicate: string; value: string; rule: FactRule; span: Range }

/**
 * Makes a fact without marks of layout; undefined if a part is empty or too long for a name or a value. Predicates
 * become lower case except words in capitals: `Phone` becomes `phone`, `IBAN` stays.
 */
export function makeFact({ subject, predicate, value, rule, span }: FactParts): FactRecord | undefined {
  if (subject.length > NAME_UNITS_MAX || predicate.length > NAME_UNITS_MAX || value.length > VALUE_UNITS_MAX)
    return undefined
  const parts = {
    subject: toPlainWords(subject),
    predicate: toSmallLetters(toPlainWords(predicate)),
    value: toPlainWords(value)
  }
  if (!HAS_WORD.test(parts.subject) || !HAS_WORD.test(parts.predicate) || !HAS_WORD.test(parts.value)) return undefined
  return { ...parts, rule, span: [span.start, span.end], confidence: FACT_CONFIDENCE[rule] }
}

/** In UTF-16 code units. A longer value is a text, which search finds anyway. */
const NAME_UNITS_MAX = 120
const VALUE_UNITS_MAX = 400

const HAS_WORD = /[\p{L}\p{N}]/u

function toSmallLetters(words: string): string {
  return words.replace(/\p{Lu}[\p{L}\p{N}-]*/gu, (word) =>
    /^[\p{Lu}\p{N}-]{2,}$/u.test(word) ? word : word.toLowerCase()
  )
}

/** Confidence of each rule: the share of its facts that are true to their text. */
export const FACT_CONFIDENCE = {
  'mail.header': 0.95,
  'mail.address': 0.95,
  'front-matter.key-value': 0.95,
  'field.named-key': 0.95,
  'field.key-value': 0.9,
  'field.assignment': 0.8,
  'table.cell': 0.85,
  'table.key-value': 0.85,
  'list.member': 0.8,
  'list.value': 0.9,
  'list.part': 0.8,
  'list.labelled': 0.85,
  'list.property': 0.8,
  'list.task': 0.95,
  'list.due': 0.95,
  'heading.value': 0.7,
  'annotation.shared': 0.9
} as const

export type FactRule = keyof typeof FACT_CONFIDENCE
