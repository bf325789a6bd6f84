import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { ListView } from '../output/answer.ts'
import { shortId, shortTime } from '../output/short-forms.ts'
import { RECORD_FIELDS, recordJson } from './record-json.ts'

/** Memories as a list. */
export const RECORD_LIST: ListView<MemoryRecord> = {
  columns: [
    { name: 'id', value: (record) => record.id, shown: (record) => shortId(record.id), look: 'dim' },
    { name: 'at', value: (record) => record.at, shown: (record) => shortTime(record.at), leaves: 3 },
    { name: 'speaker', value: (record) => record.speaker, flexible: true, leaves: 2 },
    { name: 'conversation', value: (record) => record.conversation, flexible: true, leaves: 4 },
    { name: 'position', value: (record) => record.position, pipeOnly: true },
    { name: 'text', value: (record) => record.text, flexible: true }
  ],
  json: recordJson,
  fields: RECORD_FIELDS
}
