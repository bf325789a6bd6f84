import type { ExportEnd, LeftOut } from '../../../src/contract/endpoints/device-memory.ts'
import type { RecordPage } from '../../storage/record-batch.ts'

/** What an export says at its end. `leftOut` where damaged lines were to be skipped. */
export type FrameEnd = { records: number; rootHash: string; leftOut: LeftOut | undefined }

/** What stands around and between the lines of an export. */
export type ExportFrame = {
  before: string
  /** Before the first line. */
  first: string
  /** Before every other one. */
  between: string
  after(end: FrameEnd): string
}

/** By form. `header` is the header's line, without LF. */
export const EXPORT_FRAMES: Readonly<Record<'jsonl' | 'json', (header: string) => ExportFrame>> = {
  jsonl: (header) => ({
    before: header,
    first: '\n',
    between: '\n',
    after: (end) => `\n${JSON.stringify(endLine(end))}\n`
  }),
  // The members of the header follow the records: `{"snapshot":{"records":[…],"check":…},"root_hash":…}`.
  json: (header) => ({
    before: '{"snapshot":{"records":[',
    first: '\n',
    between: ',\n',
    after: ({ rootHash, leftOut }) => {
      const about = JSON.stringify({ root_hash: rootHash, left_out: leftOut })
      return `],${header.slice(1)},${about.slice(1)}\n`
    }
  })
}

function endLine({ records, rootHash, leftOut }: FrameEnd): ExportEnd {
  return { type: 'end', records, root_hash: rootHash, left_out: leftOut }
}

type Rows = { page: RecordPage; rows: Uint32Array; isFirst: boolean }

/** The lines of some rows of a page with what stands between them. */
export function framedLines({ first, between }: ExportFrame, { page, rows, isFirst }: Rows): Uint8Array {
  const start = (row: number): number => (row === 0 ? 0 : (page.ends[row - 1] as number))
  const marks = [Buffer.from(isFirst ? first : between), Buffer.from(between)] as const
  let size = marks[0].length + (rows.length - 1) * marks[1].length
  for (const row of rows) size += (page.ends[row] as number) - start(row)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const row of rows) {
    at += marks[at === 0 ? 0 : 1].copy(bytes, at)
    bytes.set(page.lines.subarray(start(row), page.ends[row]), at)
    at += (page.ends[row] as number) - start(row)
  }
  return bytes
}
