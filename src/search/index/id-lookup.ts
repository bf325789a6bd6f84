import { type DocumentTable, ID_BYTES } from './document-table.ts'

/** Rows of a table by id: open addressing over the ids' own bits, which are those of a hash already. */
export type IdLookup = {
  find(id: Uint8Array): number | undefined
  add(row: number): void
  remove(row: number): void
}

/** A look-up that knows the rows which the table has by now. */
export function createIdLookup(table: DocumentTable): IdLookup {
  let slots = new Int32Array(1024).fill(EMPTY)
  let used = 0
  const add = (row: number): void => {
    if ((used + 1) * 2 > slots.length) {
      const rows = slots.filter((slot) => slot >= 0)
      slots = new Int32Array(slots.length * 2).fill(EMPTY)
      used = 0
      for (const known of rows) add(known)
    }
    let slot = firstSlot(table.ids, row * ID_BYTES, slots.length)
    while (slots[slot] !== EMPTY) slot = (slot + 1) & (slots.length - 1)
    slots[slot] = row
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
  for (let row = 0; row < table.count; row++) add(row)
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
