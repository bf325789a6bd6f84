/**
 * Whether the bench runs with tiny numbers: `BENCH_TINY=1`. Then each section runs one small round, its figures mean nothing,
 * and RESULTS.md stays as it is.
 */
export const IS_TINY = process.env.BENCH_TINY === '1'

/** The number that a section measures with, or the one that is just enough for all its code to run. */
export function sized(full, tiny) {
  return IS_TINY ? tiny : full
}
