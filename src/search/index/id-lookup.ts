import { type DocumentTable, ID_BYTES } from './document-table.ts'

/** Rows of a table by id: open addressing over the ids' own bits, which are those of a hash already. */
export type IdLookup = {
  find(id: Uint8Array): number | undefined
  add(row: number): void
  remove(row: number): void
}

/** A look-up that knows the rows which the table has by now. */
export function createIdLookup(table: DocumentTable): IdLookup {
  let slots = filledSlots(table, SLOTS_MIN)
  let used = table.count
  const add = (row: number): void => {
    if ((used + 1) * 2 > slots.length) {
      slots = filledSlots(table, slots.length * 2, slots)
      used = slots.reduce((sum, slot) => sum + (slot === EMPTY ? 0 : 1), 0)
    }
    putRow(slots, table.ids, row)
    used++
  }
  const slotOf = (ids: Uint8Array, start: number): number => {
    let slot = firstSlot(ids, start, slots.length)
    for (let row = slots[slot] ?? EMPTY; row !== EMPTY; row = slots[slot] ?? EMPTY) {
      if (row !== REMOVED && sameId(table.ids, row * ID_BYTES, { ids, start })) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
    return -1
  }
  return {
    find(id) {
      const slot = slotOf(id, 0)
      return slot < 0 ? undefined : slots[slot]
    },
    add,
    remove(row) {
      const slot = slotOf(table.ids, row * ID_BYTES)
      if (slot >= 0) slots[slot] = REMOVED
    }
  }
}

const EMPTY = -1
/** Keeps the chain through a slot whose row is gone. */
const REMOVED = -2
const SLOTS_MIN = 1024

/** Slots for `rows`, or for all rows of the table, at most half full: a power of two from `size` on. */
function filledSlots(table: DocumentTable, size: number, rows?: Int32Array): Int32Array {
  let room = size
  while (room < table.count * 2) room *= 2
  const slots = new Int32Array(room).fill(EMPTY)
  if (rows === undefined) for (let row = 0; row < table.count; row++) putRow(slots, table.ids, row)
  else for (const row of rows) if (row >= 0) putRow(slots, table.ids, row)
  return slots
}

function putRow(slots: Int32Array, ids: Uint8Array, row: number): void {
  let slot = firstSlot(ids, row * ID_BYTES, slots.length)
  while (slots[slot] !== EMPTY) slot = (slot + 1) & (slots.length - 1)
  slots[slot] = row
}

function firstSlot(ids: Uint8Array, start: number, slots: number): number {
  const bits =
    (ids[start] ?? 0) | ((ids[start + 1] ?? 0) << 8) | ((ids[start + 2] ?? 0) << 16) | ((ids[start + 3] ?? 0) << 24)
  return bits & (slots - 1)
}

function sameId(ids: Uint8Array, start: number, other: { ids: Uint8Array; start: number }): boolean {
  for (let byte = 0; byte < ID_BYTES; byte++) {
    if (ids[start + byte] !== other.ids[other.start + byte]) return false
  }
  return true
}
