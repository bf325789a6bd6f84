import type { MemoryRecord } from '../../contract/snapshot.ts'

/** A record as answers have it: what its line leaves out is null, and a list that is left out is empty. */
export function recordJson(record: MemoryRecord): Record<string, unknown> {
  return {
    ...record,
    speaker: record.speaker ?? null,
    conversation: record.conversation ?? null,
    position: record.position ?? null,
    metadata: record.metadata ?? null,
    facts: record.facts ?? [],
    procedures: record.procedures ?? [],
    events: record.events ?? []
  }
}

/** Fields of a record that no column shows. */
export const RECORD_FIELDS = [
  'type',
  'extractor',
  'copy',
  'undated',
  'metadata',
  'facts',
  'procedures',
  'events',
  'check'
]
