import {
  type NumberColumn,
  packDeltas,
  packNumbers,
  packRuns,
  unpackDeltas,
  unpackNumbers,
  unpackRuns
} from './column-codec.ts'
import { CHECK_BYTES, type DocumentTable, growDocumentTable, ID_BYTES } from './document-table.ts'

/** How each column of a segment is packed, by what its rows look like in conversation order. */
export const COLUMNS = {
  terms: { pack: packNumbers, unpack: unpackNumbers },
  conversation: { pack: packRuns, unpack: unpackRuns },
  at: { pack: packDeltas, unpack: unpackDeltas },
  dated: { pack: packRuns, unpack: unpackRuns },
  asks: { pack: packRuns, unpack: unpackRuns },
  position: { pack: packRuns, unpack: unpackRuns },
  offset: { pack: packDeltas, unpack: unpackDeltas },
  length: { pack: packNumbers, unpack: unpackNumbers },
  extractor: { pack: packRuns, unpack: unpackRuns }
} as const

export type ColumnName = keyof typeof COLUMNS

/** Columns of so many bytes a row, kept as they are. */
export const BYTE_COLUMNS = { ids: ID_BYTES, checks: CHECK_BYTES } as const

export type ByteColumnName = keyof typeof BYTE_COLUMNS

export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[]
export const BYTE_COLUMN_NAMES = Object.keys(BYTE_COLUMNS) as ByteColumnName[]

/** A column of the rows of `order`, packed. */
export function packColumn(table: DocumentTable, name: ColumnName, order: Uint32Array): Uint8Array {
  const from: NumberColumn = table[name]
  const Kind = from.constructor as new (size: number) => NumberColumn
  const rows = new Kind(order.length)
  for (let row = 0; row < order.length; row++) rows[row] = from[order[row] ?? 0] ?? 0
  return COLUMNS[name].pack(rows)
}

export function packByteColumn(table: DocumentTable, name: ByteColumnName, order: Uint32Array): Uint8Array {
  const width = BYTE_COLUMNS[name]
  const rows = new Uint8Array(order.length * width)
  for (let row = 0; row < order.length; row++) {
    const from = (order[row] ?? 0) * width
    rows.set(table[name].subarray(from, from + width), row * width)
  }
  return rows
}

/** Adds the rows of a segment to the end of a table, column by column. */
export function appendSegmentRows(table: DocumentTable, documents: number, column: (name: string) => Uint8Array): void {
  growDocumentTable(table, table.count + documents)
  for (const name of COLUMN_NAMES) {
    COLUMNS[name].unpack(column(name), table[name], { at: table.count, count: documents })
  }
  for (const name of BYTE_COLUMN_NAMES) table[name].set(column(name), table.count * BYTE_COLUMNS[name])
  table.count += documents
}
