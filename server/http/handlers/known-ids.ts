import { ID_BYTES } from '../../storage/port/record-batch.ts'

/** The known ids of a collection at one moment, with a record of those that an export has delivered. */
export type KnownIds = {
  count: number
  /** The number of ids that are not delivered yet. */
  readonly missing: number
  /** Marks an id as delivered. Returns true if it is a known id that was not delivered before. */
  deliver(key: Uint8Array): boolean
}

/**
 * Creates a tracker for `bytes`, which holds ids of 16 bytes each in ascending order. It needs five more bytes of
 * memory for each id.
 */
export function trackKnownIds(bytes: Uint8Array): KnownIds {
  const ids = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = ids.length / ID_BYTES
  const heads = Uint32Array.from({ length: count }, (_, id) => ids.readUInt32BE(id * ID_BYTES))
  const delivered = new Uint8Array(count)
  let missing = count
  return {
    count,
    get missing() {
      return missing
    },
    deliver(key) {
      const id = find(key)
      if (id === undefined || delivered[id] === 1) return false
      delivered[id] = 1
      missing--
      return true
    }
  }

  function find(key: Uint8Array): number | undefined {
    const head = readHead(key)
    for (let id = firstNotBelow(heads, head); heads[id] === head; id++) {
      if (ids.compare(key, 0, ID_BYTES, id * ID_BYTES, (id + 1) * ID_BYTES) === 0) return id
    }
    return undefined
  }
}

/** Reads the first four bytes, big-endian. Comparing numbers takes a tenth of the time of comparing bytes. */
function readHead(key: Uint8Array): number {
  return new DataView(key.buffer, key.byteOffset, key.length).getUint32(0)
}

function firstNotBelow(sorted: Uint32Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
