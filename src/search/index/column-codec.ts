import { readNumber, readSigned } from './byte-reader.ts'
import { createByteWriter } from './byte-writer.ts'

/** What a column may be made of and read into. */
export type NumberColumn = Uint8Array | Uint32Array | Int32Array | Float64Array

/** A column of small numbers that do not depend on each other: one number each. */
export function packNumbers(values: NumberColumn): Uint8Array {
  const writer = createByteWriter(values.length * 2)
  for (let row = 0; row < values.length; row++) writer.number(values[row] ?? 0)
  return writer.view()
}

/** Reads packed numbers into `into`, from row `at` on. */
export function unpackNumbers(bytes: Uint8Array, into: NumberColumn, rows: { at: number; count: number }): void {
  const reader = { bytes, at: 0 }
  for (let row = rows.at; row < rows.at + rows.count; row++) into[row] = readNumber(reader)
}

/** A column of cells from 0 to 255: a byte each, which is read as fast as bytes are copied. */
export function packBytes(values: NumberColumn): Uint8Array {
  return Uint8Array.from(values)
}

/** Reads packed bytes into `into`, from row `at` on. */
export function unpackBytes(bytes: Uint8Array, into: NumberColumn, rows: { at: number; count: number }): void {
  into.set(bytes.subarray(0, rows.count), rows.at)
}

/** A column of cells from 0 to 3: four to a byte. */
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

/** A column whose neighbouring rows are near each other: the differences. */
export function packDeltas(values: NumberColumn): Uint8Array {
  const writer = createByteWriter(values.length * 2)
  let before = 0
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0
    writer.signed(value - before)
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

/** A column of long runs, or of steps that repeat (1, 2, 3, …): each difference with how often it follows itself. */
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
    writer.signed(step)
    writer.number(times)
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
