import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { Stored } from '../../device/device.ts'
import type { ResultWriter } from '../output/result-writer.ts'
import { shortTime } from '../output/short-forms.ts'
import type { Page, StyledLine } from '../output/styled-line.ts'
import { cutText } from '../output/wrap-text.ts'
import { RECORD_LIST, recordJson } from './record-list.ts'
import { understoodLines } from './understood-lines.ts'

/** Writes the result of storing a memory. */
export async function answerStored(answer: ResultWriter, stored: Stored): Promise<void> {
  const { id, at, record, notes } = stored
  await answer.object(
    { id, at, record: recordJson(record), notes },
    { lines: (page) => formatStored(stored, { page, verb: 'stored' }), rows: () => [[id, at]] }
  )
}

/** Writes the record that would be stored, exactly as in its line. */
export async function answerPreview(answer: ResultWriter, record: MemoryRecord): Promise<void> {
  if (answer.mode === 'jsonl') return await answer.jsonLine(record)
  await answer.object(recordJson(record), {
    lines: (page) => formatStored({ ...record, record, notes: [] }, { page, verb: 'would store' }),
    rows: () => [RECORD_LIST.columns.map((column) => column.value(record))]
  })
}

/** Renders a stored memory for a terminal: its id, and the extracted facts, procedures and events. */
function formatStored({ id, at, record }: Stored, { page, verb }: { page: Page; verb: string }): StyledLine[] {
  const { speaker, conversation, supersedes = [] } = record
  const parts = [
    shortTime(at),
    speaker === undefined ? '' : `by ${speaker}`,
    conversation === undefined ? '' : `in ${conversation}`
  ]
  const details = parts.filter((part) => part !== '').join(' ')
  const together = verb.length + 1 + id.length + 2 + page.width(details) <= page.columns
  const first: StyledLine = [`${verb} `, { text: id, look: 'bold' }]
  const lines: StyledLine[] = together
    ? [[...first, '  ', { text: details, look: 'dim' }]]
    : [first, ['  ', { text: cutText(details, page.columns - 2, page.width), look: 'dim' }]]
  const corrected = supersedes.map((one): StyledLine => [`  instead of ${String(one)}`])
  return [...lines, ...corrected, ...understoodLines(record, page)]
}
