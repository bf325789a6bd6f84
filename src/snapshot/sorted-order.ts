import { createHash } from 'node:crypto'

/**
 * SHA-256 over `count` keys of `width` bytes in ascending order, as hex. The order of the keys given does not matter:
 * this is what `ids_hash` and `root_hash` are made by.
 */
export function hashOfSorted(keys: Buffer, count: number, width: number): string {
  const hash = createHash('sha256')
  const block = Buffer.alloc(width * BLOCK_KEYS)
  let used = 0
  for (const key of sortedOrder(keys, count, width)) {
    for (let from = key * width; from < key * width + width; from++) block[used++] = keys[from] as number
    if (used === block.length) {
      hash.update(block)
      used = 0
    }
  }
  return hash.update(block.subarray(0, used)).digest('hex')
}

const BLOCK_KEYS = 4096

/** A double holds the first 32 bits of a key and its number, so that the numbers are sorted natively. */
const PACKED_KEYS_MAX = 2 ** 21

/** The numbers of the keys, in ascending order of their bytes. */
function sortedOrder(keys: Buffer, count: number, width: number): Uint32Array {
  const compare = (a: number, b: number): number =>
    keys.compare(keys, b * width, b * width + width, a * width, a * width + width)
  if (count > PACKED_KEYS_MAX) return Uint32Array.from({ length: count }, (_, key) => key).sort(compare)
  const packed = new Float64Array(count)
  for (let key = 0; key < count; key++) packed[key] = keys.readUInt32BE(key * width) * PACKED_KEYS_MAX + key
  packed.sort()
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = (packed[i] as number) % PACKED_KEYS_MAX
  return sortTies(order, (a, b) => keys.readUInt32BE(a * width) === keys.readUInt32BE(b * width), compare)
}

type Compare = (a: number, b: number) => number

/** Sorts each run of keys whose first 32 bits are equal. */
function sortTies(order: Uint32Array, isTie: (a: number, b: number) => boolean, compare: Compare): Uint32Array {
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && isTie(order[start] as number, order[end] as number)) end++
    if (end - start > 1) order.subarray(start, end).sort(compare)
    start = end
  }
  return order
}
