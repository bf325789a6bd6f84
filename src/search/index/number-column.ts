import { createByteWriter, readNumber, readSigned } from './byte-writer.ts'
import { CHECK_HEAD_BYTES, type DocumentTable, ID_BYTES, MEANING_BYTES } from './document-table.ts'

/** Types of arrays that a column is packed from and read into. */
export type NumberColumn = Uint8Array | Uint32Array | Int32Array | Float64Array

/** Packs a column of small independent numbers: one number each. */
export function packNumbers(values: NumberColumn): Uint8Array {
  const writer = createByteWriter(values.length * 2)
  for (let row = 0; row < values.length; row++) writer.writeNumber(values[row] ?? 0)
  return writer.view()
}

/** Reads packed numbers into `into`, from row `at` on. */
export function unpackNumbers(bytes: Uint8Array, into: NumberColumn, rows: { at: number; count: number }): void {
  const reader = { bytes, at: 0 }
  for (let row = rows.at; row < rows.at + rows.count; row++) into[row] = readNumber(reader)
}

/** Packs a column of cells from 0 to 255: one byte each, which is read as fast as bytes are copied. */
export function packBytes(values: NumberColumn): Uint8Array {
  return Uint8Array.from(values)
}

/** Reads packed bytes into `into`, from row `at` on. */
export function unpackBytes(bytes: Uint8Array, into: NumberColumn, rows: { at: number; count: number }): void {
  into.set(bytes.subarray(0, rows.count), rows.at)
}

/** Packs a column of cells from 0 to 3: four per byte. */
export function packQuarters(values: NumberColumn): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 4))
  for (let row = 0; row < values.length; row++)
    bytes[row >> 2] = (bytes[row >> 2] ?? 0) | ((values[row] ?? 0) << ((row & 3) * 2))
  return bytes
}

/** Reads packed quarters into `into`, from row `at` on. */
export function unpackQuarters(bytes: Uint8Array, into: NumberColumn, rows: { at: number; count: number }): void {
  for (let row = 0; row < rows.count; row++) into[rows.at + row] = ((bytes[row >> 2] ?? 0) >> ((row & 3) * 2)) & 3
}

/** Packs a column whose neighbouring rows have close values: the differences. */
export function packDeltas(values: NumberColumn): Uint8Array {
  const writer = createByteWriter(values.length * 2)
  let before = 0
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0
    writer.writeSigned(value - before)
    before = value
  }
  return writer.view()
}

/** Reads packed differences into `into`, from row `at` on. */
export function unpackDeltas(bytes: Uint8Array, into: NumberColumn, rows: { at: number; count: number }): void {
  const reader = { bytes, at: 0 }
  let value = 0
  for (let row = rows.at; row < rows.at + rows.count; row++) {
    value += readSigned(reader)
    into[row] = value
  }
}

/** Packs a column of long runs or repeated steps (1, 2, 3, …): each difference with its number of repetitions. */
export function packRuns(values: NumberColumn): Uint8Array {
  const writer = createByteWriter()
  let before = 0
  for (let row = 0; row < values.length; ) {
    const step = (values[row] ?? 0) - before
    let times = 0
    while (row < values.length && (values[row] ?? 0) - before === step) {
      before = values[row] ?? 0
      times++
      row++
    }
    writer.writeSigned(step)
    writer.writeNumber(times)
  }
  return writer.view()
}

/** Reads packed runs into `into`, from row `at` on. */
export function unpackRuns(bytes: Uint8Array, into: NumberColumn, rows: { at: number; count: number }): void {
  const reader = { bytes, at: 0 }
  let value = 0
  for (let row = rows.at; row < rows.at + rows.count; ) {
    const step = readSigned(reader)
    const end = Math.min(row + readNumber(reader), rows.at + rows.count)
    if (end === row) return
    if (step === 0) into.fill(value, row, end)
    else for (let at = row; at < end; at++) into[at] = value += step
    row = end
  }
}

/** Number of rows packed together, which are all read for a single cell. */
export const CHUNK_ROWS = 8192

/** How each column of a segment is packed, according to its values in conversation order. */
export const COLUMNS = {
  passage: { pack: packRuns, unpack: unpackRuns },
  terms: { pack: packNumbers, unpack: unpackNumbers },
  conversation: { pack: packRuns, unpack: unpackRuns },
  at: { pack: packDeltas, unpack: unpackDeltas },
  earlier: { pack: packRuns, unpack: unpackRuns },
  dated: { pack: packRuns, unpack: unpackRuns },
  asks: { pack: packQuarters, unpack: unpackQuarters },
  traits: { pack: packBytes, unpack: unpackBytes },
  position: { pack: packRuns, unpack: unpackRuns },
  offset: { pack: packDeltas, unpack: unpackDeltas },
  length: { pack: packNumbers, unpack: unpackNumbers },
  extractor: { pack: packRuns, unpack: unpackRuns }
} as const

export type ColumnName = keyof typeof COLUMNS

/** Columns with a fixed number of bytes per row, stored unpacked. */
export const BYTE_COLUMNS = { ids: ID_BYTES, checks: CHECK_HEAD_BYTES, meanings: MEANING_BYTES } as const

export type ByteColumnName = keyof typeof BYTE_COLUMNS

export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[]
export const BYTE_COLUMN_NAMES = Object.keys(BYTE_COLUMNS) as ByteColumnName[]

/** Packs the cells of a column in the given rows. */
export function packColumn(table: DocumentTable, name: ColumnName, rows: Uint32Array): Uint8Array {
  const from: NumberColumn = table[name]
  const Kind = from.constructor as new (size: number) => NumberColumn
  const cells = new Kind(rows.length)
  for (let cell = 0; cell < rows.length; cell++) cells[cell] = from[rows[cell] ?? 0] ?? 0
  return COLUMNS[name].pack(cells)
}

/** Concatenates the cells of a byte column in the given rows. */
export function packByteColumn(table: DocumentTable, name: ByteColumnName, rows: Uint32Array): Uint8Array {
  const width = BYTE_COLUMNS[name]
  const cells = new Uint8Array(rows.length * width)
  for (let cell = 0; cell < rows.length; cell++) {
    const from = (rows[cell] ?? 0) * width
    cells.set(table[name].subarray(from, from + width), cell * width)
  }
  return cells
}
