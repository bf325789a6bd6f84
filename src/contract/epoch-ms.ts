/**
 * Times and durations as whole milliseconds. A plain number does not type-check where one of these is wanted: PostgreSQL keeps
 * them as `bigint` and refuses a fraction, and the clock of the machine, a provider and a setting may each give one.
 */

declare const KIND: unique symbol

/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z, within what a `Date` can show. */
export type EpochMs = number & { readonly [KIND]: 'time' }

/** A duration: whole milliseconds, never negative. */
export type Millis = number & { readonly [KIND]: 'duration' }

/** The last time that a `Date` can show (ECMA-262, section 21.4.1.1). */
export const EPOCH_MS_MAX = 8_640_000_000_000_000

/**
 * Rounds a time to the nearest millisecond.
 *
 * @throws RangeError for NaN, an infinite number, and a time that a `Date` cannot show.
 */
export function toEpochMs(value: number): EpochMs {
  const rounded = Math.round(value)
  if (!(Math.abs(rounded) <= EPOCH_MS_MAX))
    throw new RangeError(`${value} is not a time: expected milliseconds since 1970 of at most ${EPOCH_MS_MAX}`)
  // A rounded number is whole, which is all that the type says. Adding 0 turns -0 into 0.
  return (rounded + 0) as EpochMs
}

/**
 * Rounds a duration up to a whole millisecond, so that nobody acts before its end.
 *
 * @throws RangeError for NaN, an infinite number, and a negative one.
 */
export function toMillis(value: number): Millis {
  const rounded = Math.ceil(value)
  if (!(rounded >= 0 && rounded <= EPOCH_MS_MAX))
    throw new RangeError(`${value} is not a duration: expected milliseconds from 0 to ${EPOCH_MS_MAX}`)
  return (rounded + 0) as Millis
}

/** Returns the time of a clock, which may run in fractions. */
export function epochNow(clock: { now(): number }): EpochMs {
  return toEpochMs(clock.now())
}

/** Writes a time as the wire has it: ISO 8601 in UTC, to the millisecond. `ms`: milliseconds since 1970. */
export function toWireTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** Returns the time that lies `ms` after another one, or before it where `ms` is negative. */
export function addMillis(time: EpochMs, ms: number): EpochMs {
  return toEpochMs(time + ms)
}
