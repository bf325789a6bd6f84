/**
 * Times and durations as whole milliseconds. A plain number does not type-check as one of them: PostgreSQL stores them
 * as `bigint` and rejects a fraction, and clocks, providers and settings may return fractions.
 */

declare const KIND: unique symbol

/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z, within the range of a `Date`. */
export type EpochMs = number & { readonly [KIND]: 'time' }

/** A duration: whole milliseconds, never negative. */
export type Millis = number & { readonly [KIND]: 'duration' }

/** The latest time that a `Date` can represent (ECMA-262, section 21.4.1.1). */
export const EPOCH_MS_MAX = 8_640_000_000_000_000

/**
 * Rounds a time to the nearest millisecond.
 *
 * @throws RangeError for NaN, an infinite number, or a time outside the range of a `Date`.
 */
export function toEpochMs(value: number): EpochMs {
  const rounded = Math.round(value)
  if (!(Math.abs(rounded) <= EPOCH_MS_MAX))
    throw new RangeError(`${value} is not a time: expected milliseconds since 1970 of at most ${EPOCH_MS_MAX}`)
  // The type promises a whole number, which rounding ensures. Adding 0 turns -0 into 0.
  return (rounded + 0) as EpochMs
}

/**
 * Rounds a duration up to a whole millisecond, so that a wait never ends early.
 *
 * @throws RangeError for NaN, an infinite number, or a negative one.
 */
export function toMillis(value: number): Millis {
  const rounded = Math.ceil(value)
  if (!(rounded >= 0 && rounded <= EPOCH_MS_MAX))
    throw new RangeError(`${value} is not a duration: expected milliseconds from 0 to ${EPOCH_MS_MAX}`)
  return (rounded + 0) as Millis
}

/** Returns the time of a clock, which may have fractions. */
export function epochNow(clock: { now(): number }): EpochMs {
  return toEpochMs(clock.now())
}

/** Formats a time for the wire: ISO 8601 in UTC, with milliseconds. `ms`: milliseconds since 1970. */
export function toWireTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** Returns the time `ms` milliseconds after another one; before it if `ms` is negative. */
export function addMillis(time: EpochMs, ms: number): EpochMs {
  return toEpochMs(time + ms)
}
