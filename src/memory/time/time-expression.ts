import type { EventRecord } from '../../contract/snapshot.ts'
import { findUnit, type Stretch, type Unit } from './calendar.ts'

/** How exactly a text says when: the size of the stretch it names. */
export type Precision = NonNullable<EventRecord['precision']>

/**
 * A stretch of text that says when, or how often, or for how long. `start` and `end` are UTF-16 code units of the text.
 * `startedAt` and `endedAt` are UTC texts, half-open; one of them is absent where the text leaves that side open
 * (`since 2016`), both are where it names no point in time (`every Tuesday`, `for an hour`).
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

/** What counts as before and after: when the text was said (ms since 1970, undefined where nobody knows), and its tense. */
export type Moment = { at: number | undefined; tense: Tense | undefined }

export type Tense = 'past' | 'future'

/** What a rule makes of its match. Times in ms since 1970, half-open. */
export type TimeReading = {
  from?: number | undefined
  to?: number | undefined
  precision: Precision
  kind: TimeExpression['kind']
  relation?: Relation
  /** A time of day that names no day: it is the given day's, or that of the day beside it. */
  clockOnly?: true
}

/** A pattern with the flags `gi`, and what one match of it says; undefined where it says nothing. */
export type TimeRule = {
  pattern: RegExp
  read: (match: RegExpExecArray, moment: Moment) => TimeReading | undefined
}

/** A reading with its place in the text. */
export type FoundTime = TimeReading & { start: number; end: number }

/** A reading of one stretch of the calendar. */
export function toReading(stretch: Stretch, precision: Precision): TimeReading {
  return { ...stretch, precision, kind: 'instant' }
}

/** The unit that lies so many units away from the one that holds `ms`. */
export function toUnitReading(unit: Unit, ms: number, away = 0): TimeReading {
  return toReading(findUnit(unit, ms, away), unit)
}

/** The next coarser word for when: how exact `a few days ago` is. */
export const COARSER: Readonly<Record<Unit, Precision>> = {
  minute: 'hour',
  hour: 'day',
  day: 'week',
  week: 'month',
  month: 'season',
  season: 'year',
  year: 'year'
}
