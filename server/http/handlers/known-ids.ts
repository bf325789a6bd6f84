import { ID_BYTES } from '../../storage/port/record-batch.ts'

/** The known ids of a collection at one moment, and which of them an export has delivered. */
export type KnownIds = {
  count: number
  /** Those that are not delivered yet. */
  readonly missing: number
  /** Notes that the id was delivered. Whether it is one of these and was not delivered before. */
  deliver(key: Uint8Array): boolean
}

/** `bytes`: ids of 16 bytes each, ascending. Five bytes of memory an id beside them. */
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

/** The first four bytes, the first one the highest: comparing numbers takes a tenth of comparing bytes. */
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
