import type { Ground } from './candidate-scores.ts'
import { type FoldedMentions, foldMentions } from './folded-mentions.ts'
import type { MatchList, WeighedCue } from './match-list.ts'

/** Bounds are sums of many numbers in another order than scores are. */
const ROUNDING = 1e-9

/** By place: the most that the cues from there on may give a document together. */
export function restBounds(cues: readonly WeighedCue[], bound: (cue: WeighedCue) => number): Float64Array {
  const rest = new Float64Array(cues.length + 1)
  for (let place = cues.length - 1; place >= 0; place--) {
    const cue = cues[place]
    rest[place] = (rest[place + 1] ?? 0) + (cue === undefined ? 0 : bound(cue)) * (1 + ROUNDING)
  }
  return rest
}

/**
 * The most that a cue gives to any document. What several lists give together is at most the sum of what each gives. A
 * list is gone through once for it, so that the bound is what some document has; it is remembered as long as the list is.
 */
export function createCueBound(ground: Ground, folded: FoldedMentions): (cue: WeighedCue) => number {
  const known = new WeakMap<Uint32Array, Map<number, number>>()
  const partOf = (list: MatchList): number => {
    if (list.documents.length === 0) return 0
    const parts = known.get(list.documents) ?? new Map<number, number>()
    known.set(list.documents, parts)
    const key = list.folds ? list.worth : -list.worth
    const part = parts.get(key) ?? highestPart(list, ground, folded)
    parts.set(key, part)
    return part
  }
  return ({ weight, lists }) =>
    weight *
    Math.min(
      1,
      lists.reduce((sum, list) => sum + partOf(list), 0)
    )
}

/** Of a weight of 1. */
function highestPart(list: MatchList, { neighbours, factors }: Ground, folded: FoldedMentions): number {
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
