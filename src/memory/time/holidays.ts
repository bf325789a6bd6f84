import { YEAR } from './amount.ts'
import { findUnit, getWeekday, getYear, shiftTime, toDay } from './calendar.ts'
import { type Moment, type TimeReading, type TimeRule, toUnitReading } from './time-expression.ts'

/** A feast: a fixed month and day, the nth (or last, -1) weekday of a month, or a number of days from Easter. */
type Feast = { day: [number, number] } | { nth: number; weekday: number; month: number } | { easter: number }

/** Feasts with a single day, by pattern. Those that differ between countries are the American ones. */
const FEASTS: readonly (readonly [string, Feast])[] = [
  ['christmas eve', { day: [12, 24] }],
  ['christmas(?: day)?|xmas', { day: [12, 25] }],
  ['boxing day', { day: [12, 26] }],
  ["new year['’]?s? eve|nye", { day: [12, 31] }],
  ["new year['’]?s?(?: day)?", { day: [1, 1] }],
  ["valentine['’]?s?(?: day)?", { day: [2, 14] }],
  ["st\\.? patrick['’]?s day", { day: [3, 17] }],
  ['juneteenth', { day: [6, 19] }],
  ['(?:the )?(?:fourth|4th) of july|independence day', { day: [7, 4] }],
  ['halloween', { day: [10, 31] }],
  ['veterans day', { day: [11, 11] }],
  ['good friday', { easter: -2 }],
  ['easter(?: sunday)?', { easter: 0 }],
  ['easter monday', { easter: 1 }],
  ["mother['’]?s['’]? day", { nth: 2, weekday: 6, month: 5 }],
  ['memorial day', { nth: -1, weekday: 0, month: 5 }],
  ["father['’]?s['’]? day", { nth: 3, weekday: 6, month: 6 }],
  ['labou?r day', { nth: 1, weekday: 0, month: 9 }],
  ['thanksgiving(?: day)?', { nth: 4, weekday: 3, month: 11 }]
]

const WHICH = '(?:(?<which>last|past|this past|this coming|this|next|coming|following) )?'

const THINGS =
  'tree|part(?:y|ies)|cards?|carols?|gifts?|presents?|dinner|songs?|movies?|lights|decorations?|markets?|eggs?|costumes?|resolutions?|shopping|spirit'

/**
 * A feast counts as a time only with a marker (`at Christmas`, `Easter 2019`), because of phrases like Christmas tree.
 */
export const holidays: readonly TimeRule[] = [
  // "At Christmas we flew home.", "Last Halloween he dressed up.", "on New Year's Eve 1999"
  {
    pattern: new RegExp(
      String.raw`\b${WHICH}(?<name>${FEASTS.map(([name]) => name).join('|')})(?![\w'’])(?:,? (?:of |in )?(?<year>${YEAR})\b)?(?! (?:${THINGS})\b)`,
      'gi'
    ),
    read: (match, moment) =>
      isMeant(match) ? resolveFeast(findFeast(match.groups?.name ?? ''), match, moment) : undefined
  }
]

const NAMES = FEASTS.map(([name, feast]) => ({ name: new RegExp(`^(?:${name})$`, 'i'), feast }))

function findFeast(text: string): Feast | undefined {
  return NAMES.find(({ name }) => name.test(text))?.feast
}

function isMeant({ groups, input, index }: RegExpExecArray): boolean {
  if (groups?.which !== undefined || groups?.year !== undefined || /(?:day|eve|july|teenth)$/i.test(groups?.name ?? ''))
    return true
  return /\b(?:at|on|for|over|during|since|until|till|before|after|by|around|every|each|was|is) $/i.test(
    input.slice(Math.max(0, index - 8), index)
  )
}

type Match = { groups?: Record<string, string> | undefined }

function resolveFeast(feast: Feast | undefined, { groups }: Match, { at, tense }: Moment): TimeReading | undefined {
  if (feast === undefined) return undefined
  if (groups?.year !== undefined) return toDayReading(findDayIn(feast, Number(groups.year)))
  if (at === undefined) return undefined
  const today = findUnit('day', at).from
  const days = [-1, 0, 1].map((away) => findDayIn(feast, getYear(at) + away))
  const which = groups?.which?.toLowerCase() ?? ''
  if (which === 'this') return toDayReading(days[1])
  const isGone = /last|past/.test(which) || (!/next|coming|following/.test(which) && tense !== 'future')
  const gone = days.findLast((day) => day < today || (which === '' && day === today))
  return toDayReading(isGone ? gone : days.find((day) => day >= today))
}

function toDayReading(day: number | undefined): TimeReading | undefined {
  return day === undefined ? undefined : toUnitReading('day', day)
}

function findDayIn(feast: Feast, year: number): number {
  if ('easter' in feast) return shiftTime('day', computeEaster(year), feast.easter)
  if ('day' in feast) return toDay(year, feast.day[0], feast.day[1]) ?? 0
  const { from, to } = findUnit('month', toDay(year, feast.month, 1) ?? 0)
  if (feast.nth < 0) return shiftTime('day', to, -1 - ((getWeekday(shiftTime('day', to, -1)) - feast.weekday + 7) % 7))
  return shiftTime('day', from, ((feast.weekday - getWeekday(from) + 7) % 7) + 7 * (feast.nth - 1))
}

/**
 * Computes Easter Sunday of the Gregorian calendar: the Sunday after the first full moon of spring,
 * https://en.wikipedia.org/wiki/Date_of_Easter
 */
function computeEaster(year: number): number {
  const century = Math.floor(year / 100)
  const corrected = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25)
  const age = (corrected + 19 * (year % 19) + 15) % 30
  const moon = age - (age === 29 || (age === 28 && year % 19 > 10) ? 1 : 0)
  const fullMoon = shiftTime('day', toDay(year, 3, 21) ?? 0, moon)
  return shiftTime('day', fullMoon, 7 - ((getWeekday(fullMoon) + 1) % 7))
}
