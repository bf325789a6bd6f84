/** Bytes that grow as they are written; numbers are non-negative integers up to 2^53 in groups of seven bits, low first. */
export type ByteWriter = {
  readonly length: number
  number(value: number): void
  /** A number from -2^53 to 2^53: its sign goes into the lowest bit of the first byte. */
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
  const signed = (value: number): void => {
    const size = Math.abs(value)
    reserve(1)
    buffer[length++] = (size < 0x40 ? 0 : 0x80) | ((size % 0x40) * 2) | (value < 0 ? 1 : 0)
    if (size >= 0x40) number(Math.floor(size / 0x40))
  }
  return {
    get length() {
      return length
    },
    number,
    signed,
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

/** A 53-bit number in groups of seven bits. */
const NUMBER_BYTES_MAX = 8
