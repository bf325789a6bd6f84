import type { IndexReader } from '../index/index-reader.ts'
import { countTurnsAfter, countTurnsBefore, LINKED, type Neighbours } from '../index/neighbours.ts'
import { computeNeighbourShares, countMentionsIn, type FoldedMentions, foldMentions, OWN } from './folded-mentions.ts'
import { findLongTurns } from './long-turns.ts'
import { type MatchList, MENTION, seekDocument, type WeighedCue } from './match-list.ts'
import { RANKING } from './ranking-constants.ts'

export type Ground = { neighbours: Neighbours; factors: LengthFactors }

/**
 * Adds the contribution of a cue to the scores of some documents. `documents` are ascending; the scores are those of
 * all documents.
 */
export function addCueToDocuments(
  scores: Float64Array,
  documents: Uint32Array,
  { cue: { weight, lists }, ground }: { cue: WeighedCue; ground: Ground }
): void {
  const { lengths, base, slope } = ground.factors
  const mentions = countMentions(lists, documents, ground)
  for (let place = 0; place < documents.length; place++) {
    const sum = mentions[place] ?? 0
    if (sum === 0) continue
    const document = documents[place] ?? 0
    scores[document] = (scores[document] ?? 0) + (weight * sum) / (sum + (base + slope * (lengths[document] ?? 0)))
  }
}

/** Counts, in hundredths of a mention, how often each of some documents, ascending, has any of the lists' terms. */
export function countMentions(
  lists: readonly MatchList[],
  documents: Uint32Array,
  ground: Pick<Ground, 'neighbours'>
): Uint32Array {
  const mentions = new Uint32Array(documents.length)
  for (const list of lists) if (list.documents.length > 0) countListMentions(mentions, documents, { list, ground })
  return mentions
}

function countListMentions(
  mentions: Uint32Array,
  wanted: Uint32Array,
  { list, ground: { neighbours } }: { list: MatchList; ground: Pick<Ground, 'neighbours'> }
): void {
  const { documents, counts, worth, folds } = list
  const shares = computeNeighbourShares(worth, folds)
  let at = 0
  for (let place = 0; place < wanted.length; place++) {
    const document = wanted[place] ?? 0
    const around = folds ? (neighbours.reach[document] ?? 0) : 0
    if ((around & LINKED) !== 0) {
      mentions[place] = (mentions[place] ?? 0) + countMentionsIn(document, [list], neighbours)
      continue
    }
    const last = document + countTurnsAfter(around)
    at = seekDocument(documents, document - countTurnsBefore(around), at)
    let sum = 0
    for (let near = at; near < documents.length && (documents[near] ?? 0) <= last; near++) {
      sum += (shares[OWN + (documents[near] ?? 0) - document] ?? 0) * (counts?.[near] ?? 1)
    }
    mentions[place] = (mentions[place] ?? 0) + sum
  }
}

/** Bounds add many numbers in a different order than scores do. */
const ROUNDING = 1e-9

/** Returns, by position, the maximum that the cues from there on may give a document together. */
export function computeRestBounds(cues: readonly WeighedCue[], bound: (cue: WeighedCue) => number): Float64Array {
  const rest = new Float64Array(cues.length + 1)
  for (let place = cues.length - 1; place >= 0; place--) {
    const cue = cues[place]
    rest[place] = (rest[place + 1] ?? 0) + (cue === undefined ? 0 : bound(cue)) * (1 + ROUNDING)
  }
  return rest
}

/**
 * Creates a function that returns the maximum contribution of a cue to any document. For several lists, the bound is
 * the sum of their maxima. Each list is scanned once, so that some document attains its bound; the result is cached as
 * long as the list.
 */
export function createCueBound(ground: Ground, folded: FoldedMentions): (cue: WeighedCue) => number {
  const known = new WeakMap<Uint32Array, Map<number, number>>()
  const computePart = (list: MatchList): number => {
    if (list.documents.length === 0) return 0
    const parts = known.get(list.documents) ?? new Map<number, number>()
    known.set(list.documents, parts)
    const key = list.folds ? list.worth : -list.worth
    const part = parts.get(key) ?? findHighestPart(list, ground, folded)
    parts.set(key, part)
    return part
  }
  return ({ weight, lists }) =>
    weight *
    Math.min(
      1,
      lists.reduce((sum, list) => sum + computePart(list), 0)
    )
}

/** Returns the maximum for a weight of 1. */
function findHighestPart(list: MatchList, { neighbours, factors }: Ground, folded: FoldedMentions): number {
  foldMentions(folded, [list], neighbours)
  const { lengths, base, slope } = factors
  const { sums, documents, touched } = folded
  let highest = 0
  for (let at = 0; at < touched; at++) {
    const document = documents[at] ?? 0
    const mentions = sums[document] ?? 0
    sums[document] = 0
    const part = mentions / (mentions + (base + slope * (lengths[document] ?? 0)))
    if (part > highest) highest = part
  }
  return highest
}

/**
 * K1 times BM25's length normalisation, in the unit of mentions: `base + slope * lengths[document]`. A document with
 * this many mentions gets half of a cue's weight.
 */
export type LengthFactors = {
  /**
   * By document: hundredths of terms, including those of neighbouring turns in the same proportion as their mentions.
   */
  lengths: Uint32Array
  base: number
  slope: number
  /** The smallest of the lengths. */
  shortest: number
}

/** Computes BM25's part of a cue's weight for a document with this many mentions: from 0 towards 1. */
export function computePart(
  { weight, mentions, document }: { weight: number; mentions: number; document: number },
  { lengths, base, slope }: LengthFactors
): number {
  return (weight * mentions) / (mentions + (base + slope * (lengths[document] ?? 0)))
}

/**
 * Computes the factors of all documents. Lengths are integers, so that their mean does not depend on the order of
 * documents.
 */
export function computeLengthFactors(index: IndexReader): LengthFactors {
  const { K1, B, LENGTH_PRIOR } = RANKING
  const lengths = foldLengths(index.terms(), findLongTurns(index).neighbours)
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

function foldLengths(terms: Uint32Array, neighbours: Neighbours): Uint32Array {
  const { reach } = neighbours
  const shares = computeNeighbourShares(MENTION)
  const [farBefore = 0, before = 0, own = 0, after = 0, farAfter = 0] = shares
  const lengths = new Uint32Array(terms.length)
  for (let document = 0; document < terms.length; document++) {
    const around = reach[document] ?? 0
    let length = own * (terms[document] ?? 0)
    if (countTurnsBefore(around) > 0) length += before * (terms[document - 1] ?? 0)
    if (countTurnsBefore(around) > 1) length += farBefore * (terms[document - 2] ?? 0)
    if (countTurnsAfter(around) > 0) length += after * (terms[document + 1] ?? 0)
    if (countTurnsAfter(around) > 1) length += farAfter * (terms[document + 2] ?? 0)
    lengths[document] = (around & LINKED) === 0 ? length : computeLinkedLength(document, { terms, shares, neighbours })
  }
  return lengths
}

type Lengths = { terms: Uint32Array; shares: Uint32Array; neighbours: Neighbours }

function computeLinkedLength(document: number, { terms, shares, neighbours: { before, after } }: Lengths): number {
  const left = before(document)
  const right = after(document)
  const window = [left < 0 ? -1 : before(left), left, document, right, right < 0 ? -1 : after(right)]
  return window.reduce((sum, turn, place) => sum + (turn < 0 ? 0 : (terms[turn] ?? 0) * (shares[place] ?? 0)), 0)
}
