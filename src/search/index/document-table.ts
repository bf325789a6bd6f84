import { DIMENSIONS } from '../related/word-vectors.ts'

export const ID_BYTES = 16

/** Number of bytes of a row's meaning: half a byte for each coordinate (see `meaning.ts`). */
export const MEANING_BYTES = DIMENSIONS / 2

/** Number of bytes of a line's check that decide which of two lines of one memory wins. */
export const CHECK_HEAD_BYTES = 8

/** Positions are clamped to this bound, which keeps the difference of two exact. */
export const POSITION_BOUND = 2 ** 50

/** Absent positions sort before all others. */
export const POSITION_ABSENT = -POSITION_BOUND - 1

/**
 * Memories as columns, with one row each; a long text has one row per passage. `conversation` counts from 1; 0 is none.
 * Times are ms since 1970, sizes bytes.
 */
export type DocumentTable = {
  count: number
  ids: Uint8Array
  checks: Uint8Array
  /** The direction of the sum of its words' vectors. */
  meanings: Uint8Array
  offset: Float64Array
  length: Uint32Array
  /** Index of the memory's passage in the row. Rows after the first belong to no conversation. */
  passage: Uint32Array
  /** Number of terms in the text and title. */
  terms: Uint32Array
  at: Float64Array
  /** How much earlier than `at` something holds or happened that the memory states; 0 if nothing did. */
  earlier: Float64Array
  /** 1 if the source gave the time, 0 if only the time of storing is known. */
  dated: Uint8Array
  /** How much of a question the text is: see `gradeQuestion`. */
  asks: Uint8Array
  /** Which kinds of questions it may answer: see `detectTraits`. */
  traits: Uint8Array
  position: Float64Array
  conversation: Uint32Array
  extractor: Float64Array
}

/** Creates a table without rows and with capacity for `rows`. */
export function createDocumentTable(rows = 0): DocumentTable {
  return {
    count: 0,
    ids: new Uint8Array(rows * ID_BYTES),
    checks: new Uint8Array(rows * CHECK_HEAD_BYTES),
    meanings: new Uint8Array(rows * MEANING_BYTES),
    offset: new Float64Array(rows),
    length: new Uint32Array(rows),
    passage: new Uint32Array(rows),
    terms: new Uint32Array(rows),
    at: new Float64Array(rows),
    earlier: new Float64Array(rows),
    dated: new Uint8Array(rows),
    asks: new Uint8Array(rows),
    traits: new Uint8Array(rows),
    position: new Float64Array(rows),
    conversation: new Uint32Array(rows),
    extractor: new Float64Array(rows)
  }
}

/** Increases the capacity to `rows`; new rows are zero. */
export function growDocumentTable(table: DocumentTable, rows: number): void {
  if (rows <= table.offset.length) return
  const room = Math.max(rows, 2 * table.offset.length, 64)
  table.ids = growArray(table.ids, room * ID_BYTES)
  table.checks = growArray(table.checks, room * CHECK_HEAD_BYTES)
  table.meanings = growArray(table.meanings, room * MEANING_BYTES)
  table.offset = growArray(table.offset, room)
  table.length = growArray(table.length, room)
  table.passage = growArray(table.passage, room)
  table.terms = growArray(table.terms, room)
  table.at = growArray(table.at, room)
  table.earlier = growArray(table.earlier, room)
  table.dated = growArray(table.dated, room)
  table.asks = growArray(table.asks, room)
  table.traits = growArray(table.traits, room)
  table.position = growArray(table.position, room)
  table.conversation = growArray(table.conversation, room)
  table.extractor = growArray(table.extractor, room)
}

/** Appends a copy of a row of another table. */
export function addRow(into: DocumentTable, table: DocumentTable, row: number): void {
  const to = into.count++
  growDocumentTable(into, into.count)
  into.ids.set(readRowId(table, row), to * ID_BYTES)
  into.checks.set(table.checks.subarray(row * CHECK_HEAD_BYTES, (row + 1) * CHECK_HEAD_BYTES), to * CHECK_HEAD_BYTES)
  into.meanings.set(table.meanings.subarray(row * MEANING_BYTES, (row + 1) * MEANING_BYTES), to * MEANING_BYTES)
  into.offset[to] = table.offset[row] ?? 0
  into.length[to] = table.length[row] ?? 0
  into.passage[to] = table.passage[row] ?? 0
  into.terms[to] = table.terms[row] ?? 0
  into.at[to] = table.at[row] ?? 0
  into.earlier[to] = table.earlier[row] ?? 0
  into.dated[to] = table.dated[row] ?? 0
  into.asks[to] = table.asks[row] ?? 0
  into.traits[to] = table.traits[row] ?? 0
  into.position[to] = table.position[row] ?? 0
  into.conversation[to] = table.conversation[row] ?? 0
  into.extractor[to] = table.extractor[row] ?? 0
}

/** Returns the id of a row as a view. */
export function readRowId(table: DocumentTable, row: number): Uint8Array {
  return table.ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES)
}

/** Orders two rows of one conversation by time, then position, then id. */
export function compareTurns(table: DocumentTable, left: number, right: number): number {
  return (
    (table.at[left] ?? 0) - (table.at[right] ?? 0) ||
    (table.position[left] ?? 0) - (table.position[right] ?? 0) ||
    compareIds(table, left, right)
  )
}

function compareIds(table: DocumentTable, left: number, right: number): number {
  for (let byte = 0; byte < ID_BYTES; byte++) {
    const difference = (table.ids[left * ID_BYTES + byte] ?? 0) - (table.ids[right * ID_BYTES + byte] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Returns an array with capacity for `size` items: the same one, or a copy at least twice as large. */
export function growArray<A extends Uint8Array | Uint32Array | Float64Array>(array: A, size: number): A {
  if (size <= array.length) return array
  const Kind = array.constructor as new (size: number) => A
  const grown = new Kind(Math.max(array.length * 2, size, 64))
  grown.set(array)
  return grown
}
