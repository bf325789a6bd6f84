import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { ListView } from '../output/result-writer.ts'
import { shortId, shortTime } from '../output/short-forms.ts'

/** Converts a record to its JSON output: absent values become null, and absent lists become empty. */
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

/** Fields of a record without a column. */
const RECORD_FIELDS = [
  'type',
  'extractor',
  'copy',
  'undated',
  'metadata',
  'facts',
  'procedures',
  'events',
  'given',
  'supersedes',
  'check'
]

/** The list view of memories. */
export const RECORD_LIST: ListView<MemoryRecord> = {
  columns: [
    { name: 'id', value: (record) => record.id, format: (record) => shortId(record.id), look: 'dim' },
    { name: 'at', value: (record) => record.at, format: (record) => shortTime(record.at), leaves: 3 },
    { name: 'speaker', value: (record) => record.speaker, flexible: true, leaves: 2 },
    { name: 'conversation', value: (record) => record.conversation, flexible: true, leaves: 4 },
    { name: 'position', value: (record) => record.position, pipeOnly: true },
    { name: 'text', value: (record) => record.text, flexible: true }
  ],
  json: recordJson,
  fields: RECORD_FIELDS
}
