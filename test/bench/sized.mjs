/**
 * Whether the bench runs with tiny numbers: `BENCH_TINY=1`. Then each section runs one small round with meaningless
 * figures, and RESULTS.md is unchanged.
 */
export const IS_TINY = process.env.BENCH_TINY === '1'

/** Returns the number for a measurement, or the minimum for running all the code. */
export function sized(full, tiny) {
  return IS_TINY ? tiny : full
}
