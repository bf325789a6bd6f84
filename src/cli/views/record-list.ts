import type { MemoryRecord } from '../../contract/snapshot.ts'
import { quoteLine } from '../output/card-lines.ts'
import type { ListView } from '../output/result-writer.ts'
import { shortId, shortTime } from '../output/short-forms.ts'
import type { StyledLine } from '../output/styled-line.ts'
import { toPlainLine } from '../output/to-plain-text.ts'

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

/** Renders a memory on two lines, for a question about it. */
export function memoryLines({ id, at, speaker, text }: MemoryRecord): StyledLine[] {
  return [[`  ${shortId(id)}  ${shortTime(at)}`], quoteLine([formatSpokenText({ speaker, text })], 2)]
}

/** Maximum length of the text shown for a memory, in UTF-16 code units. */
const SHOWN_CHARACTERS_MAX = 200

/** Returns the speaker and the text of a memory on one line. */
export function formatSpokenText({ speaker, text }: Pick<MemoryRecord, 'speaker' | 'text'>): string {
  const line = `${speaker === undefined ? '' : `${toPlainLine(speaker)}: `}${toPlainLine(text)}`
  return line.length <= SHOWN_CHARACTERS_MAX ? line : `${line.slice(0, SHOWN_CHARACTERS_MAX)}…`
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
