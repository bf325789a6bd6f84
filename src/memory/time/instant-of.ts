import { type Stretch, type Unit, unitAt } from './calendar.ts'
import type { Precision, Reading } from './time-expression.ts'

/** A reading of one stretch of the calendar. */
export function instantOf(stretch: Stretch, precision: Precision): Reading {
  return { ...stretch, precision, kind: 'instant' }
}

/** The unit that lies so many units away from the one that holds `ms`. */
export function unitReading(unit: Unit, ms: number, away = 0): Reading {
  return instantOf(unitAt(unit, ms, away), unit)
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
