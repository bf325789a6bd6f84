import { type DocumentTable, ID_BYTES } from './document-table.ts'
import { type MemoryRows, readMemoryRows } from './memory-rows.ts'
import { createByteCellReader, readIdHeads, type StoredSegments } from './read-column.ts'

/** Finds rows of a table by id, with open addressing over the bits of the ids, which are bits of a hash. */
export type IdLookup = {
  find(id: Uint8Array): number | undefined
  add(row: number): void
  remove(row: number): void
}

/** Creates a lookup of the current rows of the table. */
export function createIdLookup(table: DocumentTable): IdLookup {
  let slots = fillSlots(table, SLOTS_MIN)
  let used = table.count
  const add = (row: number): void => {
    if ((used + 1) * 2 > slots.length) {
      slots = fillSlots(table, slots.length * 2, slots)
      used = slots.reduce((sum, slot) => sum + (slot === EMPTY ? 0 : 1), 0)
    }
    putRow(slots, table.ids, row)
    used++
  }
  const findSlot = (ids: Uint8Array, start: number): number => {
    let slot = toFirstSlot(ids, start, slots.length)
    for (let row = slots[slot] ?? EMPTY; row !== EMPTY; row = slots[slot] ?? EMPTY) {
      if (row !== REMOVED && isSameId(table.ids, row * ID_BYTES, { ids, start })) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
    return -1
  }
  return {
    find(id) {
      const slot = findSlot(id, 0)
      return slot < 0 ? undefined : slots[slot]
    },
    add,
    remove(row) {
      const slot = findSlot(table.ids, row * ID_BYTES)
      if (slot >= 0) slots[slot] = REMOVED
    }
  }
}

const EMPTY = -1

/** Keeps the probe chain intact at a slot whose row was removed. */
const REMOVED = -2
const SLOTS_MIN = 1024

/**
 * Fills slots for `rows`, or for all rows of the table, at most half full. The number of slots is a power of two, at
 * least `size`.
 */
function fillSlots(table: DocumentTable, size: number, rows?: Int32Array): Int32Array {
  let room = size
  while (room < table.count * 2) room *= 2
  const slots = new Int32Array(room).fill(EMPTY)
  if (rows === undefined) for (let row = 0; row < table.count; row++) putRow(slots, table.ids, row)
  else for (const row of rows) if (row >= 0) putRow(slots, table.ids, row)
  return slots
}

function putRow(slots: Int32Array, ids: Uint8Array, row: number): void {
  let slot = toFirstSlot(ids, row * ID_BYTES, slots.length)
  while (slots[slot] !== EMPTY) slot = (slot + 1) & (slots.length - 1)
  slots[slot] = row
}

function toFirstSlot(ids: Uint8Array, start: number, slots: number): number {
  const bits =
    (ids[start] ?? 0) | ((ids[start + 1] ?? 0) << 8) | ((ids[start + 2] ?? 0) << 16) | ((ids[start + 3] ?? 0) << 24)
  return bits & (slots - 1)
}

function isSameId(ids: Uint8Array, start: number, other: { ids: Uint8Array; start: number }): boolean {
  for (let byte = 0; byte < ID_BYTES; byte++) {
    if (ids[start + byte] !== other.ids[other.start + byte]) return false
  }
  return true
}

/** Finds rows of the stored segments by id. Uses memory for the first four bytes of each id only. */
export type StoredIds = {
  /** Returns the first row of a memory. */
  find(id: Uint8Array): number | undefined
  idOf(row: number): Uint8Array
  rows(): MemoryRows
}

/** Number of ids that are found by a linear scan; after that, a hash table is built. */
const SCANS_MAX = 64

/** Creates the lookup; reads nothing before the first call. */
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
      if (scans++ >= SCANS_MAX) slots ??= buildPlaces(heads, rows().passages)
      const head = readHead(id)
      for (const row of slots === undefined ? scanHeads(heads, head) : probeSlots(slots, heads, head)) {
        if (Buffer.compare(idOf(row), id.subarray(0, ID_BYTES)) === 0) return rows().firstOf(row)
      }
      return undefined
    }
  }
}

function readHead(id: Uint8Array): number {
  return ((id[0] ?? 0) | ((id[1] ?? 0) << 8) | ((id[2] ?? 0) << 16) | ((id[3] ?? 0) << 24)) >>> 0
}

function* scanHeads(heads: Uint32Array, head: number): Generator<number> {
  for (let row = heads.indexOf(head); row >= 0; row = heads.indexOf(head, row + 1)) yield row
}

/** Builds a table of first rows with open addressing over the id heads, which are bits of a hash; at most half full. */
function buildPlaces(heads: Uint32Array, passages: Uint32Array | undefined): Int32Array {
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

function* probeSlots(slots: Int32Array, heads: Uint32Array, head: number): Generator<number> {
  let slot = head & (slots.length - 1)
  for (let row = slots[slot] ?? EMPTY; row !== EMPTY; row = slots[slot] ?? EMPTY) {
    if (heads[row] === head) yield row
    slot = (slot + 1) & (slots.length - 1)
  }
}
