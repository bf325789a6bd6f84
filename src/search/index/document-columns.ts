import {
  type NumberColumn,
  packBytes,
  packDeltas,
  packNumbers,
  packQuarters,
  packRuns,
  unpackBytes,
  unpackDeltas,
  unpackNumbers,
  unpackQuarters,
  unpackRuns
} from './column-codec.ts'
import { CHECK_BYTES, type DocumentTable, ID_BYTES } from './document-table.ts'

/** Rows that are packed together: so many are read to know one cell. */
export const CHUNK_ROWS = 8192

/** How each column of a segment is packed, by what its rows look like in conversation order. */
export const COLUMNS = {
  passage: { pack: packRuns, unpack: unpackRuns },
  terms: { pack: packNumbers, unpack: unpackNumbers },
  conversation: { pack: packRuns, unpack: unpackRuns },
  at: { pack: packDeltas, unpack: unpackDeltas },
  dated: { pack: packRuns, unpack: unpackRuns },
  asks: { pack: packQuarters, unpack: unpackQuarters },
  traits: { pack: packBytes, unpack: unpackBytes },
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

/** The cells of a column in the rows named, packed. */
export function packColumn(table: DocumentTable, name: ColumnName, rows: Uint32Array): Uint8Array {
  const from: NumberColumn = table[name]
  const Kind = from.constructor as new (size: number) => NumberColumn
  const cells = new Kind(rows.length)
  for (let cell = 0; cell < rows.length; cell++) cells[cell] = from[rows[cell] ?? 0] ?? 0
  return COLUMNS[name].pack(cells)
}

/** The cells of a byte column in the rows named, one after the other. */
export function packByteColumn(table: DocumentTable, name: ByteColumnName, rows: Uint32Array): Uint8Array {
  const width = BYTE_COLUMNS[name]
  const cells = new Uint8Array(rows.length * width)
  for (let cell = 0; cell < rows.length; cell++) {
    const from = (rows[cell] ?? 0) * width
    cells.set(table[name].subarray(from, from + width), cell * width)
  }
  return cells
}
