import type { IndexReader } from '../index/index-reader.ts'
import { LINKED, type Neighbours, turnsAfter, turnsBefore } from '../index/neighbours.ts'
import { MENTION } from './match-list.ts'
import { neighbourShares, OWN } from './neighbour-shares.ts'
import { RANKING } from './ranking-constants.ts'

/**
 * K1 times BM25's length normalisation, in the unit of mentions: `base + slope * lengths[document]`. A document with as
 * many mentions as that gets half a cue's weight.
 */
export type LengthFactors = {
  /** By document: hundredths of terms, with those of its neighbours folded in as their mentions are. */
  lengths: Uint32Array
  base: number
  slope: number
  /** The smallest of the lengths. */
  shortest: number
}

/** BM25's part of a cue's weight for a document with so many mentions: from nothing towards all of it. */
export function partOf(
  { weight, mentions, document }: { weight: number; mentions: number; document: number },
  { lengths, base, slope }: LengthFactors
): number {
  return (weight * mentions) / (mentions + (base + slope * (lengths[document] ?? 0)))
}

/** The factors of all documents. Lengths are whole, so that their mean does not depend on how documents are numbered. */
export function lengthFactors(index: IndexReader): LengthFactors {
  const { K1, B, LENGTH_PRIOR } = RANKING
  const lengths = foldedLengths(index.terms(), index.neighbours())
  let sum = 0
  let shortest = Infinity
  for (let document = 0; document < lengths.length; document++) {
    const length = lengths[document] ?? 0
    sum += length
    if (length < shortest) shortest = length
  }
  const prior = LENGTH_PRIOR * MENTION
  const mean = sum / Math.max(lengths.length, 1) + prior
  const slope = (MENTION * K1 * B) / mean
  return { lengths, base: MENTION * K1 * (1 - B) + slope * prior, slope, shortest }
}

function foldedLengths(terms: Uint32Array, neighbours: Neighbours): Uint32Array {
  const { reach, before, after } = neighbours
  const shares = neighbourShares(MENTION)
  const lengths = new Uint32Array(terms.length)
  for (let document = 0; document < terms.length; document++) {
    const around = reach[document] ?? 0
    let length = 0
    if ((around & LINKED) === 0) {
      const first = document - turnsBefore(around)
      const last = document + turnsAfter(around)
      for (let turn = first; turn <= last; turn++) length += (terms[turn] ?? 0) * (shares[OWN + turn - document] ?? 0)
    } else {
      const left = before(document)
      const right = after(document)
      const window = [left < 0 ? -1 : before(left), left, document, right, right < 0 ? -1 : after(right)]
      window.forEach((turn, place) => {
        if (turn >= 0) length += (terms[turn] ?? 0) * (shares[place] ?? 0)
      })
    }
    lengths[document] = length
  }
  return lengths
}
