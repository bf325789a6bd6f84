import type { IndexReader } from '../index/index-reader.ts'
import { RANKING } from './ranking-constants.ts'
import { FAR_TENTHS, NEAR_TENTHS, SELF_TENTHS } from './folded-mentions.ts'

/**
 * K1 times BM25's length normalisation, by document. A length takes in the neighbours as their mentions are taken in.
 * Lengths are whole tenths while they are summed, so that the mean does not depend on how documents are numbered.
 */
export function lengthFactors(index: IndexReader): Float64Array {
  const { K1, B, LENGTH_PRIOR } = RANKING
  const lengths = foldedLengths(index)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(index.count, 1) + LENGTH_PRIOR * SELF_TENTHS
  return lengths.map((length) => K1 * (1 - B + (B * (length + LENGTH_PRIOR * SELF_TENTHS)) / mean))
}

/** Tenths of terms. */
function foldedLengths(index: IndexReader): Float64Array {
  const terms = index.termsOf()
  const { next, previous } = index.neighbours()
  const lengths = new Float64Array(index.count)
  const around = (document: number, ways: Int32Array): number => {
    const near = ways[document] ?? -1
    if (near < 0) return 0
    const far = ways[near] ?? -1
    return NEAR_TENTHS * (terms[near] ?? 0) + (far < 0 ? 0 : FAR_TENTHS * (terms[far] ?? 0))
  }
  for (let document = 0; document < index.count; document++) {
    lengths[document] = SELF_TENTHS * (terms[document] ?? 0) + around(document, next) + around(document, previous)
  }
  return lengths
}
