/** Bytes that grow as they are written; numbers are non-negative integers up to 2^53 in groups of seven bits, low first. */
export type ByteWriter = {
  readonly length: number
  number(value: number): void
  /** A number that may be negative: its sign goes into the lowest bit. */
  signed(value: number): void
  bytes(bytes: Uint8Array): void
  /** The bytes so far. Valid until the next write: it is a view. */
  view(): Uint8Array
  clear(): void
}

/** An empty writer; `capacity` is the room it begins with, in bytes. */
export function createByteWriter(capacity = 256): ByteWriter {
  let buffer = new Uint8Array(capacity)
  let length = 0
  const reserve = (more: number): void => {
    if (length + more <= buffer.length) return
    const grown = new Uint8Array(Math.max(buffer.length * 2, length + more))
    grown.set(buffer.subarray(0, length))
    buffer = grown
  }
  const number = (value: number): void => {
    reserve(NUMBER_BYTES_MAX)
    let rest = value
    while (rest >= 0x80) {
      buffer[length++] = (rest % 0x80) | 0x80
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 0x80)
    }
    buffer[length++] = rest
  }
  return {
    get length() {
      return length
    },
    number,
    signed: (value) => number(value < 0 ? -value * 2 - 1 : value * 2),
    bytes(bytes) {
      reserve(bytes.length)
      buffer.set(bytes, length)
      length += bytes.length
    },
    view: () => buffer.subarray(0, length),
    clear() {
      length = 0
    }
  }
}

/** A 54-bit number in groups of seven bits. */
const NUMBER_BYTES_MAX = 8
