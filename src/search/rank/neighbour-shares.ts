import { RANKING } from './ranking-constants.ts'

/** The places of a window of five turns: two before, the turn itself, two after. */
export const WINDOW = 5
export const OWN = 2

/**
 * What something worth so much counts for a turn, by where it stands: two turns before, the turn before, in the turn
 * itself, the turn after, two turns after. Whole numbers, so that they add up alike in any order.
 */
export function neighbourShares(worth: number, folds = true): Uint32Array {
  const { before, after } = RANKING.NEIGHBOUR_WEIGHTS
  const weights = folds ? [before[1], before[0], 1, after[0], after[1]] : [0, 0, 1, 0, 0]
  return Uint32Array.from(weights, (weight) => Math.round(worth * weight))
}
