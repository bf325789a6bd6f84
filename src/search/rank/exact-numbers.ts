/**
 * Rounds a score to 12 significant digits, before scores are compared. Versions of Node differ in the last digits of some
 * functions, and equal scores have to stay equal for the same order everywhere.
 */
export function roundScore(score: number): number {
  return Number(score.toPrecision(SIGNIFICANT_DIGITS))
}

const SIGNIFICANT_DIGITS = 12

/**
 * Raises a number of 0 or more to a power. V8 changed the last digits of `**` in Node 24, but not those of `exp` and
 * `log`; the result is rounded anyway.
 */
export function raiseToPower(base: number, power: number): number {
  return power === 0 ? 1 : roundScore(Math.exp(power * Math.log(base)))
}
