import type { IndexReader } from '../index/index-reader.ts'
import { LINKED, type Neighbours, turnsAfter, turnsBefore } from '../index/neighbours.ts'
import { MENTION } from './match-list.ts'
import { neighbourShares } from './neighbour-shares.ts'
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
  const { reach } = neighbours
  const shares = neighbourShares(MENTION)
  const [farBefore = 0, before = 0, own = 0, after = 0, farAfter = 0] = shares
  const lengths = new Uint32Array(terms.length)
  for (let document = 0; document < terms.length; document++) {
    const around = reach[document] ?? 0
    let length = own * (terms[document] ?? 0)
    if (turnsBefore(around) > 0) length += before * (terms[document - 1] ?? 0)
    if (turnsBefore(around) > 1) length += farBefore * (terms[document - 2] ?? 0)
    if (turnsAfter(around) > 0) length += after * (terms[document + 1] ?? 0)
    if (turnsAfter(around) > 1) length += farAfter * (terms[document + 2] ?? 0)
    lengths[document] = (around & LINKED) === 0 ? length : linkedLength(document, { terms, shares, neighbours })
  }
  return lengths
}

type Lengths = { terms: Uint32Array; shares: Uint32Array; neighbours: Neighbours }

function linkedLength(document: number, { terms, shares, neighbours: { before, after } }: Lengths): number {
  const left = before(document)
  const right = after(document)
  const window = [left < 0 ? -1 : before(left), left, document, right, right < 0 ? -1 : after(right)]
  return window.reduce((sum, turn, place) => sum + (turn < 0 ? 0 : (terms[turn] ?? 0) * (shares[place] ?? 0)), 0)
}
