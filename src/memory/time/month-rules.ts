import { AMOUNT, DECADE, DECADES, MONTH, MONTHS, PLAIN_MONTHS, parseAmount, SEASON, SEASONS, YEAR } from './amount.ts'
import { findUnit, getYear, type Stretch, shiftTime, toMonthStart } from './calendar.ts'
import { type Moment, type Precision, type TimeReading, type TimeRule, toReading } from './time-expression.ts'

const WHICH = '(?:(?:the )?(?<which>last|past|this past|previous|this coming|this|next|coming|following) )?'
const PARTS = '(?:early|late|mid|(?:beginning|end|start|middle) of)'
const PART = `(?:(?:the )?(?<part>${PARTS})[ -]+)?`
const OF_YEAR = `(?:,? (?:of |in )?(?<year>${YEAR})\\b| (?:of )?(?<near>last|this|next) year)?`

/** Months and seasons: of the named year, otherwise the last or the next one, depending on words or tense. */
export const monthsAndSeasons: readonly TimeRule[] = [
  // "We wed in May.", "Last October it flooded.", "The sale is in early June 2026."
  {
    pattern: new RegExp(String.raw`\b${PART}${WHICH}(?<month>${MONTH})\b\.?${OF_YEAR}(?!\.?,? ?\d)(?!['’]?s\b)`, 'gi'),
    read: (match, moment) => (isMonth(match) ? resolveMonth(match, moment) : undefined)
  },
  // "Two summers ago we sailed."
  {
    pattern: new RegExp(String.raw`\b${AMOUNT} (?<season>${SEASON})s? (?:ago|back)\b`, 'gi'),
    read: ({ groups }, { at }) => (at === undefined ? undefined : resolveSeasonsAgo(groups ?? {}, at))
  },
  // "Last summer we sailed.", "It opened in spring 2019.", "We met in the winter of 2001."
  {
    pattern: new RegExp(String.raw`\b${PART}${WHICH}(?:the )?(?<season>${SEASON})\b${OF_YEAR}`, 'gi'),
    read: (match, moment) => (isSeason(match) ? resolveSeason(match, moment) : undefined)
  }
]

/**
 * Checks that a month has a marker beside it, unless its name has no other meaning. With a day it is a date instead.
 */
function isMonth(match: RegExpExecArray): boolean {
  const { month = '', part, which, year, near } = match.groups ?? {}
  const preceding = readBefore(match)
  if (DAY_BEFORE.test(preceding)) return false
  if (part !== undefined || year !== undefined || near !== undefined) return true
  if (which !== undefined) return month !== 'may' || which.toLowerCase() !== 'this'
  if (PLAIN_MONTHS.has(month.toLowerCase()) || WITHIN.test(preceding)) return true
  return BESIDE.test(preceding) && !/^ma/.test(month)
}

const DAY_BEFORE = /\b\d{1,2}(?:st|nd|rd|th)?(?: of)? +$/i
const WITHIN = /\b(?:in|since|until|till|by|during|around|through|throughout|every|each) +$/i
const BESIDE = /\b(?:between|before|after|from|and|to|of|for) +$/i

function readBefore({ input, index }: RegExpExecArray): string {
  return input.slice(Math.max(0, index - 16), index)
}

function resolveMonth({ groups }: RegExpExecArray, moment: Moment): TimeReading | undefined {
  const number = MONTHS[(groups?.month ?? '').toLowerCase()]
  return number === undefined
    ? undefined
    : findNearest({ ...groups, first: number, months: 1, precision: 'month' }, moment)
}

/** Checks that a season has a marker before it, because `spring` and `fall` are also verbs. */
function isSeason(match: RegExpExecArray): boolean {
  const { part, which, year, near } = match.groups ?? {}
  if (part !== undefined || which !== undefined || year !== undefined || near !== undefined) return true
  return /\b(?:in|during|over|since|until|till|this|for) $/i.test(readBefore(match))
}

function resolveSeason({ groups }: RegExpExecArray, moment: Moment): TimeReading | undefined {
  const first = SEASONS[(groups?.season ?? '').toLowerCase()]
  return first === undefined ? undefined : findNearest({ ...groups, first, months: 3, precision: 'season' }, moment)
}

function resolveSeasonsAgo(groups: Record<string, string | undefined>, at: number): TimeReading | undefined {
  const first = SEASONS[(groups.season ?? '').toLowerCase()]
  const count = parseAmount({ ...groups, unit: 'year' })?.least
  if (first === undefined || count === undefined) return undefined
  const [last, before] = [0, -1].map((away) => toMonths(getYear(at) + away, first, 3))
  const gone = last !== undefined && last.to <= at ? last : before
  return gone && toReading(toMonths(getYear(gone.from) - count + 1, first, 3), 'season')
}

type Named = {
  /** First month, from 1, and number of months. */
  first: number
  months: number
  precision: Precision
  which?: string | undefined
  year?: string | undefined
  near?: string | undefined
}

function findNearest(
  { first, months, precision, which, year, near }: Named,
  { at, tense }: Moment
): TimeReading | undefined {
  const inYear = (number: number) => toReading(toMonths(number, first, months), precision)
  if (year !== undefined) return inYear(Number(year))
  if (at === undefined) return undefined
  const now = getYear(at)
  if (near !== undefined) return inYear(now + ({ last: -1, next: 1 }[near.toLowerCase()] ?? 0))
  const all = [-2, -1, 0, 1, 2].map((away) => toMonths(now + away, first, months))
  const stretch = chooseSection(all, { at, tense, which: which?.toLowerCase() })
  return stretch && toReading(stretch, precision)
}

/** Chooses among successive periods: the past, the current or the next one. */
function chooseSection(all: Stretch[], { at, tense, which }: Moment & { at: number; which: string | undefined }) {
  const gone = all.findLast(({ to }) => to <= at)
  const coming = all.find(({ from }) => from > at)
  const current = all.find(({ from, to }) => from <= at && at < to)
  if (which !== undefined && /last|past|previous/.test(which)) return gone
  if (which !== undefined && /next|coming|following/.test(which)) return coming
  if (which === 'this' && current === undefined && tense === 'past') return gone
  if (which === 'this') return current ?? (tense === 'future' ? coming : findSameYear(all, at))
  return current ?? (tense === 'future' ? coming : gone)
}

/** Finds the period of the same calendar year, for `this summer` outside summer. */
function findSameYear(all: Stretch[], at: number) {
  const year = findUnit('year', at)
  return all.find(({ from }) => from >= year.from && from < year.to)
}

/** Returns the months of a season. Winter belongs to the year in which it begins. */
function toMonths(year: number, first: number, months: number): Stretch {
  const from = toMonthStart(year * 12 + first - 1)
  return { from, to: shiftTime('month', from, months) }
}

/** Years and decades by number. */
export const years: readonly TimeRule[] = [
  // "From 2016 to 2019 I lived abroad.", "the 2016-2019 plan"
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:from|between) )?(?<first>${YEAR})(?: to | and | through | until |-| - |–| – )(?<last>${YEAR})\b(?![-/.:]\d)`,
      'gi'
    ),
    read: ({ groups }) => toYears(Number(groups?.first), Number(groups?.last))
  },
  // "In 2019 we moved.", "It was back in late 1998.", "since 2016"
  {
    pattern: new RegExp(
      String.raw`(?<=\b(?:in|since|until|till|by|during|before|after|of|from|around|circa|through|throughout|early|late|mid|year|to|summer|spring|winter|autumn|fall)[ -])(?:the )?(?:(?:early|late|mid|year|end of|start of|beginning of)[ -])?(?<year>${YEAR})\b(?![-/.:,]?\d|s\b|%| ?(?:people|dollars|euros|miles|km|meters|metres|feet|steps|words|users|hours|years|days))`,
      'gi'
    ),
    read: ({ groups }) => toYearsFrom(Number(groups?.year), 1)
  },
  // "He toured in the 90s.", "the early 1980s", "the seventies"
  {
    pattern: new RegExp(
      String.raw`\bthe (?:early |late |mid[ -])?['’]?(?:(?<century>1[0-9]|20)?(?<digits>\d0)['’]?s|(?<word>${DECADE}))\b`,
      'gi'
    ),
    read: ({ groups }, { at }) => resolveDecade(groups ?? {}, at)
  }
]

function toYears(first: number, last: number): TimeReading | undefined {
  return first < last ? { ...toYearsFrom(first, last - first + 1), kind: 'range' } : undefined
}

function toYearsFrom(year: number, count: number): TimeReading {
  return toReading({ from: toMonthStart(year * 12), to: toMonthStart((year + count) * 12) }, 'year')
}

/** Resolves a decade without a century to the latest one that has begun. */
function resolveDecade(groups: Record<string, string | undefined>, at: number | undefined): TimeReading {
  const short = Number(groups.digits ?? DECADES[(groups.word ?? '').toLowerCase()])
  const latest = at === undefined || getYear(at) < 2000 + short ? 1900 : 2000
  const year = groups.century === undefined ? latest + short : Number(groups.century) * 100 + short
  return { ...toYearsFrom(year, 10), kind: 'range' }
}
