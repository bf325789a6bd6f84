import { BLOCK_BYTES } from '../file/limits.ts'
import type { Source } from '../file/source.ts'
import type { JsonObject } from '../json/json.ts'
import type { RecordRow } from './record-table.ts'

/** Reads the bytes of records by their place. Consecutive rows are read a block at a time. */
export type RowReader = {
  /** Returns the line without LF. Valid until the next call. */
  bytes(row: Pick<RecordRow, 'offset' | 'length'>): Buffer
  record(row: Pick<RecordRow, 'offset' | 'length'>): JsonObject
}

/** Creates a reader of one source's rows. */
export function createRowReader(source: Source): RowReader {
  let buffer: Buffer = Buffer.alloc(0)
  let base = 0
  let filled = 0
  let lastEnd = -1

  const bytes = ({ offset, length }: Pick<RecordRow, 'offset' | 'length'>): Buffer => {
    const isInside = offset >= base && offset + length <= base + filled
    if (!isInside) {
      const goesOn = lastEnd >= 0 && offset >= lastEnd && offset - lastEnd < BLOCK_BYTES
      const wanted = Math.max(length, goesOn ? BLOCK_BYTES : 0)
      if (buffer.length < wanted) buffer = Buffer.allocUnsafe(wanted)
      base = offset
      filled = source.read(buffer.subarray(0, wanted), offset)
    }
    lastEnd = offset + length
    return buffer.subarray(offset - base, offset - base + length)
  }

  return { bytes, record: (row) => JSON.parse(bytes(row).toString('utf8')) }
}
