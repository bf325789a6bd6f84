import type { IndexReader } from '../index/index-reader.ts'
import { FAR_TENTHS, NEAR_TENTHS, SELF_TENTHS } from './folded-mentions.ts'
import { RANKING } from './ranking-constants.ts'

/**
 * K1 times BM25's length normalisation, by document. A length takes in the neighbours as their mentions are taken in.
 * Lengths are whole tenths of terms while they are summed, so that they do not depend on how documents are numbered.
 */
export function lengthFactors(index: IndexReader): Float64Array {
  const { K1, B, LENGTH_PRIOR } = RANKING
  const terms = index.terms()
  const lengths = new Float64Array(index.count)
  for (let document = 0; document < lengths.length; document++) lengths[document] = SELF_TENTHS * (terms[document] ?? 0)
  const { after, before } = index.neighbours()
  addAround(lengths, terms, after)
  addAround(lengths, terms, before)
  const { own, near, far } = index.windowLengths()
  const prior = LENGTH_PRIOR * SELF_TENTHS
  const mean = (SELF_TENTHS * own + NEAR_TENTHS * near + FAR_TENTHS * far) / Math.max(index.count, 1) + prior
  for (let document = 0; document < lengths.length; document++) {
    lengths[document] = K1 * (1 - B + (B * ((lengths[document] ?? 0) + prior)) / mean)
  }
  return lengths
}

function addAround(lengths: Float64Array, terms: Uint32Array, way: Int32Array): void {
  for (let document = 0; document < lengths.length; document++) {
    const near = way[document] ?? -1
    if (near < 0) continue
    const far = way[near] ?? -1
    const around = NEAR_TENTHS * (terms[near] ?? 0) + (far < 0 ? 0 : FAR_TENTHS * (terms[far] ?? 0))
    lengths[document] = (lengths[document] ?? 0) + around
  }
}
