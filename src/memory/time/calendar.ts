/**
 * The calendar in UTC, on ms since 1970. Weeks begin on Monday; seasons are those of the northern hemisphere, and
 * winter begins in December.
 */
export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'season' | 'year'

/** A half-open period in ms since 1970. */
export type Stretch = { from: number; to: number }

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Returns the unit that is `away` units after the one containing `ms`, or before it if negative. */
export function findUnit(unit: Unit, ms: number, away = 0): Stretch {
  const start = findUnitStart(unit, ms)
  return { from: shiftTime(unit, start, away), to: shiftTime(unit, start, away + 1) }
}

/** Moves `ms` by whole units; in a shorter month, to its last day. */
export function shiftTime(unit: Unit, ms: number, away: number): number {
  const size = SIZES_MS[unit]
  if (size !== undefined) return ms + away * size
  const date = new Date(ms)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + away * (MONTHS[unit] ?? 1)
  const first = toMonthStart(month)
  const days = (toMonthStart(month + 1) - first) / DAY_MS
  return first + (Math.min(date.getUTCDate(), days) - 1) * DAY_MS + modulo(ms, DAY_MS)
}

/** Returns the start of a day given by numbers, months from 1; undefined if the day does not exist. */
export function toDay(year: number, month: number, day: number): number | undefined {
  const first = toMonthStart(year * 12 + month - 1)
  const date = new Date(first + (day - 1) * DAY_MS)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

/** Returns the start of a month counted from the start of the year 0. */
export function toMonthStart(month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), modulo(month, 12), 1)
  return date.getTime()
}

/** Returns the year that contains a time. */
export function getYear(ms: number): number {
  return new Date(ms).getUTCFullYear()
}

/** Returns days since Monday. */
export function getWeekday(ms: number): number {
  return modulo(Math.floor(ms / DAY_MS) + 3, 7)
}

const SIZES_MS: Readonly<Partial<Record<Unit, number>>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS
}

const MONTHS: Readonly<Partial<Record<Unit, number>>> = { month: 1, season: 3, year: 12 }

function findUnitStart(unit: Unit, ms: number): number {
  if (unit === 'week') return Math.floor(ms / DAY_MS) * DAY_MS - getWeekday(ms) * DAY_MS
  const size = SIZES_MS[unit]
  if (size !== undefined) return Math.floor(ms / size) * size
  const date = new Date(ms)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
  if (unit === 'month') return toMonthStart(month)
  return unit === 'year' ? toMonthStart(date.getUTCFullYear() * 12) : toMonthStart(Math.floor((month + 1) / 3) * 3 - 1)
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
