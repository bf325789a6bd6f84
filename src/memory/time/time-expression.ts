import type { EventRecord } from '../../contract/snapshot.ts'
import { findUnit, type Stretch, type Unit } from './calendar.ts'

/** Precision of a time: the size of the period it names. */
export type Precision = NonNullable<EventRecord['precision']>

/**
 * An expression of a time, a frequency or a duration. `start` and `end` are UTF-16 code units of the text. `startedAt`
 * and `endedAt` are UTC, half-open. One of them is absent if that side is open (`since 2016`); both are absent without
 * a point in time (`every Tuesday`, `for an hour`).
 */
export type TimeExpression = {
  start: number
  end: number
  startedAt?: string
  endedAt?: string
  precision: Precision
  kind: 'instant' | 'range' | 'recurring' | 'duration'
  relation?: Relation
}

export type Relation = 'before' | 'after' | 'since' | 'until' | 'during'

/** The reference of relative times: the time of the text (ms since 1970, undefined if unknown) and its tense. */
export type Moment = { at: number | undefined; tense: Tense | undefined }

/** `either`: the tense is known to say nothing, so that the nearer of two days is meant. */
export type Tense = 'past' | 'future' | 'either'

/** The result of a rule for one match. Times in ms since 1970, half-open. */
export type TimeReading = {
  from?: number | undefined
  to?: number | undefined
  precision: Precision
  kind: TimeExpression['kind']
  relation?: Relation
  /** A time of day without a day: it belongs to the day beside it, or to the day of the text. */
  clockOnly?: true
}

/** A pattern with the flags `gi`, and a function that reads one match; undefined if it is not a time. */
export type TimeRule = {
  pattern: RegExp
  read: (match: RegExpExecArray, moment: Moment) => TimeReading | undefined
}

/** A reading with its range in the text. */
export type FoundTime = TimeReading & { start: number; end: number }

/** Creates the reading of one calendar period. */
export function toReading(stretch: Stretch, precision: Precision): TimeReading {
  return { ...stretch, precision, kind: 'instant' }
}

/** Creates the reading of the unit that is `away` units after the one containing `ms`. */
export function toUnitReading(unit: Unit, ms: number, away = 0): TimeReading {
  return toReading(findUnit(unit, ms, away), unit)
}

/** The next coarser precision, used for inexact amounts such as `a few days ago`. */
export const COARSER: Readonly<Record<Unit, Precision>> = {
  minute: 'hour',
  hour: 'day',
  day: 'week',
  week: 'month',
  month: 'season',
  season: 'year',
  year: 'year'
}
