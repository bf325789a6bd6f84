import type { ParsedComponents, ParsedResult } from 'chrono-node'
import { strict } from 'chrono-node/en'
import { DAY_MS, findUnit, getYear, HOUR_MS, MINUTE_MS, toDay } from './calendar.ts'
import type { FoundTime, Moment, Precision } from './time-expression.ts'

/**
 * Finds dates with a day of the month, and times of day, in any form that chrono-node
 * (https://github.com/wanasit/chrono) reads: `May 5th, 2021`, `5 May`, `2021-05-06 10:00`, `05/06/2021` (month first if
 * ambiguous, except for `5.6.2021`), `5pm`, `May 5-7`. What chrono only guesses, such as a missing year, is resolved
 * here by the tense.
 */
export function findCalendarDates(text: string, moment: Moment): FoundTime[] {
  if (!SHAPE.test(text)) return []
  return parseDates(text).flatMap((result) => (isDate(result, text) ? toFound(result, moment) : undefined) ?? [])
}

/**
 * The most recently parsed text with its dates. A clause is often parsed twice, to find its tense and then its time.
 */
let lastParse: { text: string; results: readonly ParsedResult[] } | undefined

function parseDates(text: string): readonly ParsedResult[] {
  if (lastParse?.text !== text)
    lastParse = { text, results: strict.parse(text.replace(HIDDEN, hide).replace(DOTTED, swap), REFERENCE) }
  return lastParse.results
}

/** Only matching text is given to chrono, which is ten times slower. */
const SHAPE =
  /\d[-/.]\d{1,2}[-/.]\d|\d\/\d|\d:\d\d|\d ?[ap]\.?m\b|o['’]clock|\d (?:in the|at night)|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?,? ?(?:the )?\d|\d(?:st|nd|rd|th)? ?(?:of )?[- ]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/**
 * Removed before parsing: chrono drops the time next to a weekday, and our own rules read weekdays. It also reads `from
 * 9` in `from 9 May` as a time of day.
 */
const HIDDEN =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bfrom(?= \d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/gi

function hide(word: string): string {
  return '_'.repeat(word.length)
}

/** Dates with dots have the day first; chrono reads the month first, as with slashes. */
const DOTTED = /(?<![\d.])(\d{1,2})\.(\d{1,2})(?=\.(?:\d\d|\d{4})(?!\.?\d))/g

function swap(both: string, day: string, month: string): string {
  return Number(day) <= 12 && Number(month) <= 12 ? `${month}.${day}` : both
}

/**
 * The reference date for chrono, which works in the zone of the machine. It is always the same noon in a leap year,
 * when no zone changes its clocks; results relative to it are discarded.
 */
const REFERENCE = { instant: new Date('2024-07-01T12:00:00.000Z'), timezone: 0 }

/**
 * Rejects fractions (`1/2 cup`, `24/7`) and versions. A day and month without a year need a preceding word that marks a
 * date.
 */
function isDate(result: ParsedResult, input: string): boolean {
  const { start, text, index } = result
  if (!/\d/.test(text) || result.tags().has('result/relativeDate')) return false
  const preceding = input.slice(Math.max(0, index - 8), index)
  if (/^\d+\.\d+\.\d+$/.test(text) && /(?:\bv|version|release|\bnode) ?$/i.test(preceding)) return false
  if (!/^\d{1,2}[/.]\d{1,2}$/.test(text)) return start.isCertain('day') || start.isCertain('hour')
  if (/\d[/.]\d{1,2} to $/i.test(preceding)) return true
  if (/\bfrom $/i.test(preceding)) return /^ (?:to|until|till) \d/.test(input.slice(index + text.length))
  return /\b(?:on|by|since|until|till|before|after|due) $/i.test(preceding)
}

function toFound({ index, text, start, end }: ParsedResult, moment: Moment): FoundTime | undefined {
  const isYearGiven = start.isCertain('year') || end?.isCertain('year') === true
  const from = toInstant(start, moment, isYearGiven)
  if (from === undefined) return undefined
  const to = end ? toInstant(end, { at: moment.at && from, tense: 'future' }, isYearGiven) : undefined
  const precision = findPrecision(end ?? start, text)
  const last = to !== undefined && to > from ? to : from
  return {
    start: index,
    end: index + text.length,
    from,
    to: last + SIZES_MS[precision],
    precision,
    kind: last === from ? 'instant' : 'range',
    ...(start.isCertain('day') ? {} : { clockOnly: true as const })
  }
}

const SIZES_MS = { day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS }

function findPrecision(components: ParsedComponents, text: string): Precision & keyof typeof SIZES_MS {
  if (!components.isCertain('hour')) return 'day'
  return /:\d\d/.test(text) ? 'minute' : 'hour'
}

function toInstant(components: ParsedComponents, moment: Moment, isYearGiven: boolean): number | undefined {
  const day = components.isCertain('day') ? findDay(components, moment, isYearGiven) : findDayHolding(moment.at)
  if (day === undefined || !components.isCertain('hour')) return day
  const minutes = (components.get('hour') ?? 0) * 60 + (components.get('minute') ?? 0)
  return day + (minutes - (components.get('timezoneOffset') ?? 0)) * MINUTE_MS
}

function findDayHolding(at: number | undefined): number | undefined {
  return at === undefined ? undefined : findUnit('day', at).from
}

/**
 * Returns the day in its year. Without a year, it is the last such day, or the next one if the text refers to the
 * future or the next one is much nearer: after a past tense ("I signed up for 9 May") within 45 days. Undefined if the
 * text refers to the future and the day has just passed: in nine months, the writer would name the year.
 */
function findDay(components: ParsedComponents, { at, tense }: Moment, isYearGiven: boolean): number | undefined {
  const [month, day] = [components.get('month') ?? 0, components.get('day') ?? 0]
  if (isYearGiven) return toDay(components.get('year') ?? 0, month, day)
  const today = findDayHolding(at)
  if (at === undefined || today === undefined) return undefined
  const days = NEAR_YEARS.map((away) => toDay(getYear(at) + away, month, day)).filter((ms) => ms !== undefined)
  const next = days.find((ms) => ms >= today)
  const last = days.findLast((ms) => ms <= today)
  if (next === undefined || last === undefined) return tense === 'future' ? next : last
  if (tense === 'future' && today - last < SOON_MS && next - today > SOON_MS)
    return today - last < MONTH_MS ? last : undefined
  if (tense === 'future') return next
  const near = tense === 'past' ? NEAR_MS : SOON_MS
  return next - today < Math.min(near, today - last) ? next : last
}

/** "I'm nervous about the exam on 9 May", said in April, refers to the next 9 May. */
const SOON_MS = 92 * DAY_MS
const MONTH_MS = 31 * DAY_MS
const NEAR_MS = 45 * DAY_MS

/** Enough years to reach a 29 February. */
const NEAR_YEARS = [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8]
