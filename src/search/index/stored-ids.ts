import { createByteCellReader, readIdHeads, type StoredSegments } from './column-reader.ts'
import { ID_BYTES } from './document-table.ts'
import { type MemoryRows, readMemoryRows } from './memory-rows.ts'

/** Rows of the stored segments by id. Its memory is what the first four bytes of each id take. */
export type StoredIds = {
  /** The first row of a memory. */
  find(id: Uint8Array): number | undefined
  idOf(row: number): Uint8Array
  rows(): MemoryRows
}

/** Ids that are looked for one by one among all; for more a table of places is worth its while. */
const SCANS_MAX = 64

/** Nothing is read before an id is looked for. */
export function createStoredIds(from: StoredSegments): StoredIds {
  const idOf = createByteCellReader(from, 'ids')
  const count = from.segments.reduce((sum, { documents }) => sum + documents, 0)
  let heads: Uint32Array | undefined
  let slots: Int32Array | undefined
  let scans = 0
  let known: MemoryRows | undefined
  const rows = (): MemoryRows => {
    known ??= readMemoryRows(from)
    return known
  }
  return {
    idOf,
    rows,
    find(id) {
      if (count === 0) return undefined
      heads ??= readIdHeads(from)
      if (scans++ >= SCANS_MAX) slots ??= placesOf(heads, rows().passages)
      const head = headOf(id)
      for (const row of slots === undefined ? scan(heads, head) : probe(slots, heads, head)) {
        if (Buffer.compare(idOf(row), id.subarray(0, ID_BYTES)) === 0) return rows().firstOf(row)
      }
      return undefined
    }
  }
}

function headOf(id: Uint8Array): number {
  return ((id[0] ?? 0) | ((id[1] ?? 0) << 8) | ((id[2] ?? 0) << 16) | ((id[3] ?? 0) << 24)) >>> 0
}

function* scan(heads: Uint32Array, head: number): Generator<number> {
  for (let row = heads.indexOf(head); row >= 0; row = heads.indexOf(head, row + 1)) yield row
}

const EMPTY = -1

/** Of first rows: open addressing over the heads' own bits, which are those of a hash already; at most half full. */
function placesOf(heads: Uint32Array, passages: Uint32Array | undefined): Int32Array {
  let room = 1024
  while (room < heads.length * 2) room *= 2
  const slots = new Int32Array(room).fill(EMPTY)
  for (let row = 0; row < heads.length; row++) {
    if (passages !== undefined && passages[row] !== 0) continue
    let slot = (heads[row] ?? 0) & (room - 1)
    while (slots[slot] !== EMPTY) slot = (slot + 1) & (room - 1)
    slots[slot] = row
  }
  return slots
}

function* probe(slots: Int32Array, heads: Uint32Array, head: number): Generator<number> {
  let slot = head & (slots.length - 1)
  for (let row = slots[slot] ?? EMPTY; row !== EMPTY; row = slots[slot] ?? EMPTY) {
    if (heads[row] === head) yield row
    slot = (slot + 1) & (slots.length - 1)
  }
}
