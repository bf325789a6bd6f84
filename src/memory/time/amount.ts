import type { Unit } from './calendar.ts'

/** An amount of a unit, between `least` and `most`. */
type Amount = { unit: Unit; least: number; most: number; isVague: boolean }

/** Parses the groups `number`, `half` and `unit` of a match (`half a year`, `a couple of weeks`, `few days`). */
export function parseAmount(groups: Readonly<Record<string, string | undefined>>): Amount | undefined {
  const unit = parseUnit(groups.unit ?? '')
  const word = (groups.number ?? '').toLowerCase()
  if (unit === undefined || word === '') return undefined
  const [least, most] = readSpan(word) ?? VAGUE_NUMBERS[word] ?? toBoth(NUMBERS[word] ?? Number(word))
  if (groups.half !== undefined) return createHalf(unit.name)
  return { unit: unit.name, least: least * unit.times, most: most * unit.times, isVague: least !== most }
}

/** Parses the name of a unit; a decade is ten years, a quarter three months. */
export function parseUnit(word: string): { name: Unit; times: number } | undefined {
  const lower = word.toLowerCase()
  return UNITS[lower] ?? UNITS[lower.replace(/s$/, '')]
}

const UNITS: Readonly<Record<string, { name: Unit; times: number }>> = {
  minute: { name: 'minute', times: 1 },
  min: { name: 'minute', times: 1 },
  hour: { name: 'hour', times: 1 },
  hr: { name: 'hour', times: 1 },
  day: { name: 'day', times: 1 },
  night: { name: 'day', times: 1 },
  week: { name: 'week', times: 1 },
  fortnight: { name: 'week', times: 2 },
  month: { name: 'month', times: 1 },
  quarter: { name: 'month', times: 3 },
  season: { name: 'season', times: 1 },
  year: { name: 'year', times: 1 },
  yr: { name: 'year', times: 1 },
  decade: { name: 'year', times: 10 }
}

/** Reads `4-5`, as in "4-5 months ago". */
function readSpan(word: string): [number, number] | undefined {
  const [, least, most] = /^(\d+)\s?[-–]\s?(\d+)$/.exec(word) ?? []
  return least === undefined || Number(least) > Number(most) ? undefined : [Number(least), Number(most)]
}

function createHalf(unit: Unit): Amount | undefined {
  if (unit === 'year') return { unit: 'month', least: 6, most: 6, isVague: false }
  if (unit === 'hour') return { unit: 'minute', least: 30, most: 30, isVague: false }
  return unit === 'day' ? { unit: 'hour', least: 12, most: 12, isVague: false } : undefined
}

function toBoth(count: number): [number, number] {
  return [count, count]
}

/** Time words as data: names with their numbers, and the same as parts of patterns. */

/** Months, from 1. */
export const MONTHS: Readonly<Record<string, number>> = {
  january: 1,
  february: 2,
  march: 3,
  april: 4,
  may: 5,
  june: 6,
  july: 7,
  august: 8,
  september: 9,
  october: 10,
  november: 11,
  december: 12,
  jan: 1,
  feb: 2,
  mar: 3,
  apr: 4,
  jun: 6,
  jul: 7,
  aug: 8,
  sep: 9,
  sept: 9,
  oct: 10,
  nov: 11,
  dec: 12
}

/** Months whose name is neither a verb nor a first name. */
export const PLAIN_MONTHS: ReadonlySet<string> = new Set([
  'january',
  'february',
  'july',
  'september',
  'october',
  'november',
  'december'
])

/** Days since Monday. */
export const WEEKDAYS: Readonly<Record<string, number>> = {
  monday: 0,
  tuesday: 1,
  wednesday: 2,
  thursday: 3,
  friday: 4,
  saturday: 5,
  sunday: 6,
  mon: 0,
  tue: 1,
  tues: 1,
  wed: 2,
  thu: 3,
  thur: 3,
  thurs: 3,
  fri: 4
}

/** First month of a season, from 1. */
export const SEASONS: Readonly<Record<string, number>> = { winter: 12, spring: 3, summer: 6, autumn: 9, fall: 9 }

const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  eighteen: 18,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  hundred: 100,
  couple: 2
}

/** Inexact numbers, as a range. */
const VAGUE_NUMBERS: Readonly<Record<string, readonly [number, number]>> = {
  few: [2, 5],
  several: [3, 7],
  some: [2, 7],
  many: [4, 20]
}

export const DECADES: Readonly<Record<string, number>> = {
  twenties: 20,
  thirties: 30,
  forties: 40,
  fifties: 50,
  sixties: 60,
  seventies: 70,
  eighties: 80,
  nineties: 90
}

export const MONTH = alternatives(MONTHS)
export const WEEKDAY = alternatives(WEEKDAYS)
export const SEASON = alternatives(SEASONS)
export const DECADE = alternatives(DECADES)
export const YEAR = '(?:1[0-9]|20)\\d\\d'
export const UNIT =
  'seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weekends?|weeks?|months?|quarters?|years?|yrs?|decades?'
export const PART_OF_DAY = 'morning|afternoon|evening|night'

/** Pattern for `two`, `a couple of`, `the few`, `15`. The group `number` holds the number, `half` the word half. */
export const AMOUNT = `(?:(?<half>half)\\s+)?(?:an?\\s+)?(?<number>\\d{1,2}\\s?[-–]\\s?\\d{1,2}|\\d{1,4}|${alternatives({ ...NUMBERS, ...VAGUE_NUMBERS })})(?:\\s+of)?`

function alternatives(words: Readonly<Record<string, unknown>>): string {
  return Object.keys(words)
    .sort((a, b) => b.length - a.length)
    .join('|')
}
