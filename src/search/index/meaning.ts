import { DIMENSIONS, type WordVectors } from '../related/word-vectors.ts'
import { growArray, MEANING_BYTES } from './document-table.ts'
import type { TermStream } from './term-collector.ts'

/**
 * The meaning of a text is the direction of the sum of its words' vectors. It is stored as one number from -7 to 7 for each
 * coordinate, two per byte. Eight bits change no figure of ranking by more than .3 points.
 */
const HIGHEST = 7

/** Coordinates are stored in steps of this part of their mean size; about one in 200 is too large and is clamped. */
const STEPS_PER_MEAN = 2.5

/** Writes the meaning of the last document of a stream into a byte column. */
export type MeaningWriter = (stream: TermStream, into: Uint8Array, row: number) => void

/** Creates a writer of meanings. The terms of streams are numbered by `names`; marks have no vectors. */
export function createMeaningWriter(vectors: () => WordVectors, names: readonly string[]): MeaningWriter {
  /** By term: its row of the vectors plus 1; 0 if it has not been looked up, and `UNKNOWN` if it has none. */
  let rows: Uint32Array = new Uint32Array(0)
  const sum = new Int32Array(DIMENSIONS)
  return (stream, into, row) => {
    const { add, findRow } = vectors()
    rows = growArray(rows, names.length)
    sum.fill(0)
    const end = stream.starts[stream.documents] ?? 0
    for (let entry = stream.starts[stream.documents - 1] ?? 0; entry < end; entry++) {
      const term = stream.terms[entry] ?? 0
      const found = rows[term] || findRow(names[term] ?? '') + 1 || UNKNOWN
      rows[term] = found
      if (found !== UNKNOWN) add(sum, found - 1, stream.counts[entry] ?? 0)
    }
    packMeaning(sum, into, row * MEANING_BYTES)
  }
}

const UNKNOWN = 0xffff_ffff

/** Packs the direction of a sum of vectors into bytes; all are 0 for a sum of 0. */
function packMeaning(sum: Int32Array, into: Uint8Array, at: number): void {
  const length = Math.sqrt(sum.reduce((squares, x) => squares + x * x, 0))
  const scale = length === 0 ? 0 : (STEPS_PER_MEAN * Math.sqrt(DIMENSIONS)) / length
  const step = (axis: number): number =>
    Math.max(-HIGHEST, Math.min(HIGHEST, Math.round((sum[axis] ?? 0) * scale))) & 0xf
  for (let byte = 0; byte < MEANING_BYTES; byte++) into[at + byte] = step(2 * byte) | (step(2 * byte + 1) << 4)
}

/** Gives all these rows of a byte column the meaning of the whole text, of which each has a passage. */
export function shareMeaning(meanings: Uint8Array, rows: { from: number; to: number }): void {
  const sum = new Int32Array(DIMENSIONS)
  for (let row = rows.from; row < rows.to; row++) addMeaning(sum, meanings.subarray(row * MEANING_BYTES), 1)
  for (let row = rows.from; row < rows.to; row++) packMeaning(sum, meanings, row * MEANING_BYTES)
}

/** Adds a multiple of a packed meaning to a sum. */
export function addMeaning(sum: Int32Array, meaning: Uint8Array, times: number): void {
  for (let byte = 0; byte < MEANING_BYTES; byte++) {
    const two = meaning[byte] ?? 0
    // Shifts extend the sign of four bits.
    sum[2 * byte] = (sum[2 * byte] ?? 0) + times * ((two << 28) >> 28)
    sum[2 * byte + 1] = (sum[2 * byte + 1] ?? 0) + times * ((two << 24) >> 28)
  }
}

/** Returns the cosine of two sums, at least 0; 0 if one is zero. The sums are integers, so that it is the same everywhere. */
export function computeSimilarity(left: Int32Array, right: Int32Array): number {
  let product = 0
  let squares = 0
  let others = 0
  for (let axis = 0; axis < DIMENSIONS; axis++) {
    const x = left[axis] ?? 0
    const y = right[axis] ?? 0
    product += x * y
    squares += x * x
    others += y * y
  }
  return product <= 0 ? 0 : product / Math.sqrt(squares * others)
}
