import { sha256 } from '../record/compute-check.ts'

/**
 * A set of byte strings of equal length, numbered in order of insertion: ids (16 bytes) and checks (32 bytes) of a
 * whole file, in a fifth of the memory of a Map of strings. The keys are parts of SHA-256 values, so their first bytes
 * serve as the hash (open addressing, linear probing, at most two thirds full).
 */
export type ByteTable = {
  readonly size: number
  /** All keys in order; valid for `size * width` bytes. */
  readonly keys: Buffer
  /** Returns the number of the key at `bytes[at…]`, or -1. */
  find(bytes: Uint8Array, at: number): number
  /** Returns the number of the key, adding it if it is new. It was new if the number equals the previous `size`. */
  add(bytes: Uint8Array, at: number): number
}

/** Creates an empty table for keys of `width` bytes. `expected` keys fit without growing. */
export function createByteTable(width: number, expected = 0): ByteTable {
  let room = KEYS_MIN
  while (room <= expected) room *= 2
  let keys = Buffer.alloc(width * room)
  let slots = new Int32Array(room * 2).fill(-1)
  let size = 0
  let isStrong = false

  const findSlot = (bytes: Uint8Array, at: number): number => {
    const mask = slots.length - 1
    let slot = (isStrong ? hashKeyStrongly(bytes.subarray(at, at + width)) : hashKey(bytes, at)) & mask
    for (let steps = 0; ; steps++) {
      const key = slots[slot] as number
      if (key < 0 || isKey(key, bytes, at)) return slot
      if (steps === STEPS_MAX && !isStrong) break
      slot = (slot + 1) & mask
    }
    isStrong = true
    fillSlots(slots.length)
    return findSlot(bytes, at)
  }

  const isKey = (key: number, bytes: Uint8Array, at: number): boolean => {
    const start = key * width
    for (let i = 0; i < width; i++) if (keys[start + i] !== bytes[at + i]) return false
    return true
  }

  const fillSlots = (room: number): void => {
    slots = new Int32Array(room).fill(-1)
    for (let key = 0; key < size; key++) slots[findSlot(keys, key * width)] = key
  }

  const grow = (): void => {
    keys = Buffer.concat([keys, Buffer.alloc(keys.length)])
    fillSlots(slots.length * 2)
  }

  return {
    get size() {
      return size
    },
    get keys() {
      return keys
    },
    find: (bytes, at) => slots[findSlot(bytes, at)] as number,
    add(bytes, at) {
      const slot = findSlot(bytes, at)
      const known = slots[slot] as number
      if (known >= 0) return known
      slots[slot] = size
      for (let i = 0; i < width; i++) keys[size * width + i] = bytes[at + i] as number
      size++
      if (size * width === keys.length) grow()
      return size - 1
    }
  }
}

const KEYS_MIN = 256

/** Among keys that are parts of hashes, a search takes fewer than half as many steps. */
const STEPS_MAX = 256

/** For keys that an attacker chose to collide, such as targets of forget lines: hashes the keys themselves. */
function hashKeyStrongly(key: Uint8Array): number {
  return Buffer.from(sha256(key).slice(0, 8), 'hex').readInt32LE()
}

function hashKey(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  )
}
