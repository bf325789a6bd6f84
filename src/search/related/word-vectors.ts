import type { Assets } from '../../ports.ts'

/** Number of coordinates of a word's vector. */
export const DIMENSIONS = 64

/**
 * The layout of the file of word vectors. Numbers are little-endian.
 *
 *     magic u32 · version u32 · file size in bytes u32 · number of terms u32
 *     for each term: its hash u32, ascending
 *     for each term in the same order: its vector, 64 × i8
 *
 * Terms are stored by hash only: one unknown word in 100,000 gets the vector of another word, in every search alike.
 */
export const VECTORS_LAYOUT = { MAGIC: 0x7664776d, VERSION: 1, HEADER_BYTES: 16, HASH_BYTES: 4 } as const

/**
 * Vectors of words, by term of the analyser. Words with similar meanings have similar directions; rare words have longer
 * vectors. All numbers are integers, so that sums do not depend on their order or on the machine.
 */
export type WordVectors = {
  /** Returns the row of a term; -1 for an unknown one. */
  findRow(term: string): number
  /** Adds a multiple of a row's vector to a sum of vectors. */
  add(sum: Int32Array, row: number, times: number): void
}

/**
 * Reads word vectors directly from the bytes of their file, which are not copied. Throws an `Error` if
 * the bytes are not such a file or are truncated.
 */
export function createWordVectors(bytes: Uint8Array): WordVectors {
  const terms = countTerms(bytes)
  const hashes = readHashes(bytes, terms)
  const vectors = new Int8Array(
    bytes.buffer,
    bytes.byteOffset + VECTORS_LAYOUT.HEADER_BYTES + VECTORS_LAYOUT.HASH_BYTES * terms,
    DIMENSIONS * terms
  )
  return {
    findRow: (term) => findHash(hashes, hashTerm(term)),
    add(sum, row, times) {
      const from = row * DIMENSIONS
      for (let axis = 0; axis < DIMENSIONS; axis++) {
        sum[axis] = (sum[axis] ?? 0) + times * (vectors[from + axis] ?? 0)
      }
    }
  }
}

/** Opens the word vectors that come with the program, once, at first use. */
export function openWordVectors(assets: Assets): WordVectors {
  opened ??= createWordVectors(assets.wordVectors())
  return opened
}

let opened: WordVectors | undefined

function countTerms(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < VECTORS_LAYOUT.HEADER_BYTES || view.getUint32(0, true) !== VECTORS_LAYOUT.MAGIC) {
    throw new Error('not a file of word vectors: expected it to start with the magic number of the format')
  }
  const version = view.getUint32(4, true)
  if (version !== VECTORS_LAYOUT.VERSION)
    throw new Error(`unsupported version ${version} of the file of word vectors: expected ${VECTORS_LAYOUT.VERSION}`)
  const terms = view.getUint32(12, true)
  const size = VECTORS_LAYOUT.HEADER_BYTES + (VECTORS_LAYOUT.HASH_BYTES + DIMENSIONS) * terms
  if (view.getUint32(8, true) !== bytes.length || size !== bytes.length) {
    throw new Error(`the file of word vectors is truncated: received ${bytes.length} bytes`)
  }
  return terms
}

function readHashes(bytes: Uint8Array, terms: number): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const hashes = new Uint32Array(terms)
  for (let row = 0; row < terms; row++)
    hashes[row] = view.getUint32(VECTORS_LAYOUT.HEADER_BYTES + VECTORS_LAYOUT.HASH_BYTES * row, true)
  return hashes
}

/** Returns the hash of a term: FNV-1a over its UTF-16 code units. */
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

function findHash(hashes: Uint32Array, wanted: number): number {
  let low = 0
  let high = hashes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return hashes[low] === wanted ? low : -1
}
