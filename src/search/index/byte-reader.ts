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
  const first = reader.bytes[reader.at++] ?? 0
  const low = (first & 0x7f) >> 1
  const size = first < 0x80 ? low : low + readNumber(reader) * 0x40
  return (first & 1) === 0 ? size : -size
}
