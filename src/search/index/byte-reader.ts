/** Reads what a `ByteWriter` wrote. Reading past the end gives zeros: the bytes were checked as a whole before. */
export type ByteReader = {
  at: number
  readonly bytes: Uint8Array
}

/** A number up to 2^53, as `number` wrote it. */
export function readNumber(reader: ByteReader): number {
  const bytes = reader.bytes
  let byte = bytes[reader.at++] ?? 0
  if (byte < 0x80) return byte
  let value = byte & 0x7f
  let scale = 0x80
  do {
    byte = bytes[reader.at++] ?? 0
    value += (byte & 0x7f) * scale
    scale *= 0x80
  } while (byte >= 0x80)
  return value
}

/** A number that may be negative, as `signed` wrote it. */
export function readSigned(reader: ByteReader): number {
  const value = readNumber(reader)
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2
}
