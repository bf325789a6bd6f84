import type { FactRecord } from '../../../src/contract/snapshot.ts'
import { findFacts } from '../../../src/memory/facts/find-facts.ts'
import { readSentences } from '../../../src/memory/language/read-sentences.ts'

/** Returns the facts of a text as records. */
export function recordsIn(text: string, speaker?: string): FactRecord[] {
  return findFacts(readSentences(text), { text, at: undefined, speaker, title: undefined })
}

/** Returns the facts of a text as `subject | predicate | value`. */
export function factsIn(text: string, speaker?: string): string[] {
  return recordsIn(text, speaker).map(({ subject, predicate, value }) => `${subject} | ${predicate} | ${value}`)
}
