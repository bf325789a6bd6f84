import fc from 'fast-check'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import type { JsonObject } from '../../src/snapshot/json/json.ts'
import { serializeRecord } from '../../src/snapshot/record/compute-check.ts'
import { computeMemoryId } from '../../src/snapshot/record/identity.ts'

/** Lines of memories with facts and procedures, as an extractor would write them. */

export type Said = {
  subject: string
  predicate: string
  value: string
  /** A day of 2024, from 1. */
  day: number
  conversation?: string | undefined
  speaker?: string | undefined
  /** The text has a pronoun, and the fact has the name. */
  hidden?: boolean
}

/** Creates the record of one statement, with its fact and a rule to remember it. */
export function saidRecord({
  subject,
  predicate,
  value,
  day,
  conversation,
  speaker,
  hidden = false
}: Said): MemoryRecord {
  const text = `${hidden ? 'She' : subject} ${predicate} ${value}.`
  const at = new Date(Date.UTC(2024, 0, day)).toISOString()
  const who = { ...(conversation === undefined ? {} : { conversation }), ...(speaker === undefined ? {} : { speaker }) }
  const extracted = { rule: 'clause.plain', span: [0, text.length], confidence: 0.8 }
  return {
    type: 'memory',
    id: computeMemoryId({ text, at, speaker, conversation }),
    at,
    text,
    extractor: 1,
    ...who,
    facts: [{ ...extracted, subject, predicate, value }],
    procedures: [{ ...extracted, kind: 'rule', statement: `Remember that ${subject} ${predicate} ${value}` }]
  }
}

export function saidLine(said: Said): string {
  return serializeRecord(saidRecord(said) as JsonObject)
}

/** Statements from few words, so that they supersede, repeat and contradict each other. */
export const someSaid: fc.Arbitrary<Said[]> = fc.uniqueArray(
  fc.record({
    subject: fc.constantFrom('Ada', 'Bo', 'Ada Stone'),
    predicate: fc.constantFrom('lives in', 'moved to', 'likes', 'works at', 'left'),
    value: fc.constantFrom('Oslo', 'Lisbon', 'Acme'),
    day: fc.integer({ min: 1, max: 9 }),
    conversation: fc.constantFrom(undefined, 'c', 'd'),
    speaker: fc.constantFrom(undefined, 'Ada', 'Bo'),
    hidden: fc.boolean()
  }),
  { minLength: 1, maxLength: 30, selector: (said) => saidRecord(said).id }
)
