/** A growing byte buffer. Numbers are non-negative integers up to 2^53 in groups of seven bits, low first. */
export type ByteWriter = {
  readonly length: number
  writeNumber(value: number): void
  /** Writes a number from -2^53 to 2^53, with its sign in the lowest bit of the first byte. */
  writeSigned(value: number): void
  bytes(bytes: Uint8Array): void
  /** Returns the bytes so far as a view that is valid until the next write. */
  view(): Uint8Array
  clear(): void
}

/** Creates an empty writer; `capacity` is its initial size in bytes. */
export function createByteWriter(capacity = 256): ByteWriter {
  let buffer = new Uint8Array(capacity)
  let length = 0
  const reserve = (more: number): void => {
    if (length + more <= buffer.length) return
    const grown = new Uint8Array(Math.max(buffer.length * 2, length + more))
    grown.set(buffer.subarray(0, length))
    buffer = grown
  }
  const writeNumber = (value: number): void => {
    reserve(NUMBER_BYTES_MAX)
    let rest = value
    while (rest >= 0x80) {
      buffer[length++] = (rest % 0x80) | 0x80
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 0x80)
    }
    buffer[length++] = rest
  }
  const writeSigned = (value: number): void => {
    const size = Math.abs(value)
    reserve(1)
    buffer[length++] = (size < 0x40 ? 0 : 0x80) | ((size % 0x40) * 2) | (value < 0 ? 1 : 0)
    if (size >= 0x40) writeNumber(Math.floor(size / 0x40))
  }
  return {
    get length() {
      return length
    },
    writeNumber,
    writeSigned,
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

/**
 * Reads what a `ByteWriter` wrote. Reading past the end gives zeros, because the bytes were verified as a whole before.
 */
export type ByteReader = {
  at: number
  readonly bytes: Uint8Array
}

/** Reads a number up to 2^53. */
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

/** Reads a signed number, as `writeSigned` wrote it. */
export function readSigned(reader: ByteReader): number {
  const first = reader.bytes[reader.at++] ?? 0
  const low = (first & 0x7f) >> 1
  const size = first < 0x80 ? low : low + readNumber(reader) * 0x40
  return (first & 1) === 0 ? size : -size
}

/** Packs texts: the length in bytes and the UTF-8 of each. */
export function packTexts(texts: readonly string[]): Uint8Array {
  const writer = createByteWriter()
  for (const text of texts) {
    const bytes = Buffer.from(text, 'utf8')
    writer.writeNumber(bytes.length)
    writer.bytes(bytes)
  }
  return writer.view()
}

/** Unpacks the texts that `packTexts` packed. */
export function unpackTexts(bytes: Uint8Array): string[] {
  const reader = { bytes, at: 0 }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const texts: string[] = []
  while (reader.at < bytes.length) {
    const length = readNumber(reader)
    texts.push(buffer.toString('utf8', reader.at, reader.at + length))
    reader.at += length
  }
  return texts
}
