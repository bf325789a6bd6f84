import { DIMENSIONS, hashTerm, VECTORS_LAYOUT } from '../../src/search/related/word-vectors.ts'

/** A term of the analyser with its vector of bytes from -127 to 127. */
export type TermVector = { name: string; vector: readonly number[] }

/** Encodes vectors, most frequent terms first. Of several terms with one hash, only the first is kept. */
export function encodeWordVectors(terms: readonly TermVector[]): Uint8Array {
  const byHash = new Map<number, readonly number[]>()
  for (const { name, vector } of terms) {
    const hash = hashTerm(name)
    if (!byHash.has(hash)) byHash.set(hash, vector)
  }
  const sorted = [...byHash].sort(([left], [right]) => left - right)
  const vectorsAt = VECTORS_LAYOUT.HEADER_BYTES + VECTORS_LAYOUT.HASH_BYTES * sorted.length
  const bytes = new Uint8Array(vectorsAt + DIMENSIONS * sorted.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, VECTORS_LAYOUT.MAGIC, true)
  view.setUint32(4, VECTORS_LAYOUT.VERSION, true)
  view.setUint32(8, bytes.length, true)
  view.setUint32(12, sorted.length, true)
  for (const [row, [hash, vector]] of sorted.entries()) {
    view.setUint32(VECTORS_LAYOUT.HEADER_BYTES + VECTORS_LAYOUT.HASH_BYTES * row, hash, true)
    bytes.set(Int8Array.from(vector), vectorsAt + DIMENSIONS * row)
  }
  return bytes
}
