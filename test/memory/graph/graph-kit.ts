import type { FactRecord, MemoryRecord } from '../../../src/contract/snapshot.ts'
import type { FactOverTime, FactSource, StatedFact } from '../../../src/memory/graph/fact-over-time.ts'

/** Creates a fact of three words in the shape of a record. */
function fact(
  [subject, predicate, value]: readonly [string, string, string],
  more: Partial<FactRecord> = {}
): FactRecord {
  return { subject, predicate, value, rule: 'test.fact', span: [0, 4], confidence: 0.8, ...more }
}

/** Completes `2026-03-01` or a longer prefix to a time of a record. */
export function timeOf(day: string): string {
  return new Date(day).toISOString()
}

/**
 * Creates the fact as a memory of that day states it. By default, the memory's id is derived from its day and words.
 */
export function stated(
  day: string,
  words: readonly [string, string, string],
  more: Partial<FactSource> & { fact?: Partial<FactRecord> } = {}
): StatedFact {
  const { fact: extra, ...source } = more
  return { fact: fact(words, extra), source: { id: `${day} ${words.join(' ')}`, at: timeOf(day), ...source } }
}

/** Creates a memory that states facts. */
export function memory(
  n: number,
  facts: readonly (readonly [string, string, string])[],
  more: Partial<MemoryRecord> = {}
): MemoryRecord {
  const id = `mem_${n.toString(16).padStart(32, '0')}`
  const at = new Date(Date.UTC(2026, 0, n)).toISOString()
  return {
    type: 'memory',
    id,
    at,
    text: 'text',
    extractor: 1,
    facts: facts.map((words) => ({ ...fact(words) })) as MemoryRecord['facts'],
    ...more
  }
}

/** Formats a fact with its period: `lives in Oslo 2026-01-01 to 2026-02-01`. */
export function told({ predicate, value, valid_from, valid_to }: FactOverTime): string {
  return `${predicate} ${value} ${valid_from?.slice(0, 10) ?? 'ever'} to ${valid_to?.slice(0, 10) ?? 'now'}`
}
