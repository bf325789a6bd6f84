import { readNumber } from './byte-reader.ts'
import { createByteWriter } from './byte-writer.ts'

/** Texts in a row as bytes: length in bytes and UTF-8 of each. */
export function packTexts(texts: readonly string[]): Uint8Array {
  const writer = createByteWriter()
  for (const text of texts) {
    const bytes = Buffer.from(text, 'utf8')
    writer.number(bytes.length)
    writer.bytes(bytes)
  }
  return writer.view()
}

/** The texts that `packTexts` packed. */
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
