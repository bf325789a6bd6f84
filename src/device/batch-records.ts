import type { MemoryRecord } from '../contract/snapshot.ts'
import type { Fields } from '../memory/fields.ts'
import { timeText } from '../memory/iso-time.ts'
import { createByteTable } from '../snapshot/table/byte-table.ts'
import type { BatchLine } from './batch-lines.ts'
import { makeRecord } from './make-record.ts'

/**
 * Makes the records of one batch, in the order of its lines: an undated line is stored as of the run's start plus its
 * number in milliseconds; lines of a conversation are numbered unless they say their position; a line that equals an
 * earlier one in text, speaker, time and conversation becomes its next copy. So the same input gives the same ids again.
 */
export function createBatchRecords(startMs: number): (line: BatchLine) => MemoryRecord {
  const positions = new Map<string, number>()
  const firsts = createByteTable(16)
  const copies: number[] = []
  const id16 = Buffer.alloc(16)

  const positionOf = ({ conversation, position }: Fields): number | undefined => {
    if (conversation === undefined) return position
    const number = (positions.get(conversation) ?? 0) + 1
    positions.set(conversation, number)
    return position ?? number
  }

  return ({ tested: { text, metadata, fields }, number }) => {
    const { at, speaker, conversation } = fields
    const plan = {
      text,
      metadata,
      fields: { at, speaker, conversation, position: positionOf(fields) },
      now: () => timeText(startMs + number) ?? timeText(number) ?? '',
      undated: true
    }
    const record = makeRecord(plan)
    id16.write(record.id.slice(4), 'hex')
    const first = firsts.add(id16, 0)
    const copy = (copies[first] ?? 0) + 1
    copies[first] = copy
    return copy === 1 ? record : makeRecord({ ...plan, copy })
  }
}
