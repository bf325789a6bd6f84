import { packNumbers, unpackNumbers } from './column-codec.ts'
import type { Neighbours } from './neighbours.ts'

/**
 * Terms in all documents together, in all their next neighbours, and in all their neighbours but one: whatever weights
 * ranking gives to neighbours, the mean length follows from these. Whole numbers, so that they sum up alike in any order.
 */
export type WindowLengths = { own: number; near: number; far: number }

/** The sums over all documents, whose terms and neighbours are given. */
export function windowLengths(terms: Uint32Array, { after, before }: Neighbours): WindowLengths {
  const sums = { own: 0, near: 0, far: 0 }
  for (let document = 0; document < terms.length; document++) {
    sums.own += terms[document] ?? 0
    for (const way of [after, before]) {
      const near = way[document] ?? -1
      if (near < 0) continue
      sums.near += terms[near] ?? 0
      const far = way[near] ?? -1
      if (far >= 0) sums.far += terms[far] ?? 0
    }
  }
  return sums
}

/** The sums as bytes. */
export function packWindowLengths({ own, near, far }: WindowLengths): Uint8Array {
  return packNumbers(Float64Array.of(own, near, far))
}

/** The sums from bytes; zeros from none. */
export function unpackWindowLengths(bytes: Uint8Array): WindowLengths {
  const sums = new Float64Array(3)
  unpackNumbers(bytes, sums, { at: 0, count: sums.length })
  const [own = 0, near = 0, far = 0] = sums
  return { own, near, far }
}
