import { createByteWriter, readNumber } from './byte-writer.ts'
import { type DocumentTable, readRowId } from './document-table.ts'
import { locateLongTurns } from './index-store.ts'
import { readColumn, type StoredSegments } from './read-column.ts'

/** Maps rows of the stored segments to memories. A long text has one row per passage. */
export type MemoryRows = {
  /** By row: the index of its passage; undefined if every memory has a single row. */
  passages: Uint32Array | undefined
  /** Returns the first row of the memory that a row belongs to. */
  firstOf(row: number): number
  /** Returns all rows of the memory with this first row, in text order. */
  rowsOf(first: number): number[]
}

/**
 * Reads which rows belong to one memory. They are adjacent, except for a long turn: its first row is between the
 * neighbouring turns, and its other rows are together elsewhere. Reads nothing if no memory is long.
 */
export function readMemoryRows(from: StoredSegments): MemoryRows {
  const { segments, decoded } = from
  const count = segments.reduce((sum, { documents }) => sum + documents, 0)
  if (segments.every(({ documents, memories }) => documents === memories)) {
    return { passages: undefined, firstOf: (row) => row, rowsOf: (first) => [first] }
  }
  const passages = readColumn(from, 'passage', new Uint32Array(count))
  decoded.columns.set('passage', passages)
  const { firsts, others } = readLongTurns(from)
  return {
    passages,
    firstOf(row) {
      const passage = passages[row] ?? 0
      return passage === 0 ? row : (firsts.get(row - passage + 1) ?? row - passage)
    },
    rowsOf(first) {
      const rows = [first]
      let row = others.get(first) ?? (firsts.has(first + 1) ? count : first + 1)
      while (passages[row] === rows.length) rows.push(row++)
      return rows
    }
  }
}

/** Reads, for turns with several rows, the first row by the second and the second by the first. */
function readLongTurns({ store, segments }: StoredSegments): Record<'firsts' | 'others', Map<number, number>> {
  const firsts = new Map<number, number>()
  const others = new Map<number, number>()
  let base = 0
  for (const { segment, documents, memories } of segments) {
    const reader = { bytes: documents === memories ? NOTHING : store.chunk(locateLongTurns(segment)), at: 0 }
    while (reader.at < reader.bytes.length) {
      const first = base + readNumber(reader)
      const second = base + readNumber(reader)
      firsts.set(second, first)
      others.set(first, second)
    }
    base += documents
  }
  return { firsts, others }
}

const NOTHING: Uint8Array = new Uint8Array(0)

/** Packs what `readMemoryRows` needs about long turns in a segment. */
export function packLongTurns(table: DocumentTable, order: Uint32Array): Uint8Array {
  const seconds = new Map<string, number>()
  const toTurnKey = (place: number): string => Buffer.from(readRowId(table, order[place] ?? 0)).toString('latin1')
  for (let place = 0; place < order.length; place++) {
    if (table.passage[order[place] ?? 0] !== 1) continue
    const id = toTurnKey(place)
    const before = table.passage[order[place - 1] ?? 0]
    if (place === 0 || before !== 0 || toTurnKey(place - 1) !== id) seconds.set(id, place)
  }
  const writer = createByteWriter()
  for (let place = 0; place < order.length && seconds.size > 0; place++) {
    const row = order[place] ?? 0
    if (table.passage[row] !== 0 || table.conversation[row] === 0) continue
    const second = seconds.get(toTurnKey(place))
    if (second === undefined) continue
    writer.writeNumber(place)
    writer.writeNumber(second)
  }
  return writer.view()
}

/** Returns the number of memories that the rows belong to. */
export function countMemories(table: DocumentTable, rows: Uint32Array): number {
  return rows.reduce((sum, row) => sum + (table.passage[row] === 0 ? 1 : 0), 0)
}
