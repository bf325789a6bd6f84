import type { Source } from '../../../src/snapshot/file/source.ts'
import { serializeRecord } from '../../../src/snapshot/record/check.ts'
import type { RecordTable } from '../../../src/snapshot/table/record-table.ts'
import { createRowReader } from '../../../src/snapshot/table/row-reader.ts'

/** Gives the line of a row as memctl writes it, without LF: a copy of its bytes where they are that already. */
export function createCanonicalLines(table: RecordTable, source: Source): (row: number) => Uint8Array {
  const { columns } = table.part
  const reader = createRowReader(source)
  return (row) => {
    const place = { offset: columns.offset[row] as number, length: columns.length[row] as number }
    if (columns.canonical[row] !== 1) return new TextEncoder().encode(serializeRecord(reader.record(place)))
    const line = new Uint8Array(place.length)
    source.read(line, place.offset)
    return line
  }
}
