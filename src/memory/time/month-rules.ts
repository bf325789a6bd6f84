import { AMOUNT, amountOf, DECADE, DECADES, MONTH, MONTHS, PLAIN_MONTHS, SEASON, SEASONS, YEAR } from './amount.ts'
import { monthStart, type Stretch, shift, unitAt, yearOf } from './calendar.ts'
import { instantOf, type Moment, type Precision, type Reading, type TimeRule } from './time-expression.ts'

const WHICH = '(?:(?:the )?(?<which>last|past|this past|previous|this coming|this|next|coming|following) )?'
const PARTS = '(?:early|late|mid|(?:beginning|end|start|middle) of)'
const PART = `(?:(?:the )?(?<part>${PARTS})[ -]+)?`
const OF_YEAR = `(?:,? (?:of |in )?(?<year>${YEAR})\\b| (?:of )?(?<near>last|this|next) year)?`

/** Months and seasons: those of a year that is named, else the last or the next ones, as words or tense have it. */
export const monthsAndSeasons: readonly TimeRule[] = [
  // "We wed in May.", "Last October it flooded.", "The sale is in early June 2026."
  {
    pattern: new RegExp(String.raw`\b${PART}${WHICH}(?<month>${MONTH})\b\.?${OF_YEAR}(?!\.?,? ?\d)(?!['’]?s\b)`, 'gi'),
    read: (match, moment) => (isMonth(match) ? month(match, moment) : undefined)
  },
  // "Two summers ago we sailed."
  {
    pattern: new RegExp(String.raw`\b${AMOUNT} (?<season>${SEASON})s? (?:ago|back)\b`, 'gi'),
    read: ({ groups }, { at }) => (at === undefined ? undefined : seasonsAgo(groups ?? {}, at))
  },
  // "Last summer we sailed.", "It opened in spring 2019.", "We met in the winter of 2001."
  {
    pattern: new RegExp(String.raw`\b${PART}${WHICH}(?:the )?(?<season>${SEASON})\b${OF_YEAR}`, 'gi'),
    read: (match, moment) => (isSeason(match) ? season(match, moment) : undefined)
  }
]

/** A month needs a word beside it that says so, unless its name is nothing else. With its day it is a date, not a month. */
function isMonth(match: RegExpExecArray): boolean {
  const { month = '', part, which, year, near } = match.groups ?? {}
  const preceding = before(match)
  if (DAY_BEFORE.test(preceding)) return false
  if (part !== undefined || year !== undefined || near !== undefined) return true
  if (which !== undefined) return month !== 'may' || which.toLowerCase() !== 'this'
  if (PLAIN_MONTHS.has(month.toLowerCase()) || WITHIN.test(preceding)) return true
  return BESIDE.test(preceding) && !/^ma/.test(month)
}

const DAY_BEFORE = /\b\d{1,2}(?:st|nd|rd|th)?(?: of)? +$/i
const WITHIN = /\b(?:in|since|until|till|by|during|around|through|throughout|every|each) +$/i
const BESIDE = /\b(?:between|before|after|from|and|to|of|for) +$/i

function before({ input, index }: RegExpExecArray): string {
  return input.slice(Math.max(0, index - 16), index)
}

function month({ groups }: RegExpExecArray, moment: Moment): Reading | undefined {
  const number = MONTHS[(groups?.month ?? '').toLowerCase()]
  return number === undefined ? undefined : nearest({ ...groups, first: number, months: 1, precision: 'month' }, moment)
}

/** A season alone is one only where a word before says so: `spring` and `fall` are verbs too. */
function isSeason(match: RegExpExecArray): boolean {
  const { part, which, year, near } = match.groups ?? {}
  if (part !== undefined || which !== undefined || year !== undefined || near !== undefined) return true
  return /\b(?:in|during|over|since|until|till|this|for) $/i.test(before(match))
}

function season({ groups }: RegExpExecArray, moment: Moment): Reading | undefined {
  const first = SEASONS[(groups?.season ?? '').toLowerCase()]
  return first === undefined ? undefined : nearest({ ...groups, first, months: 3, precision: 'season' }, moment)
}

function seasonsAgo(groups: Record<string, string | undefined>, at: number): Reading | undefined {
  const first = SEASONS[(groups.season ?? '').toLowerCase()]
  const count = amountOf({ ...groups, unit: 'year' })?.least
  if (first === undefined || count === undefined) return undefined
  const [last, before] = [0, -1].map((away) => monthsFrom(yearOf(at) + away, first, 3))
  const gone = last !== undefined && last.to <= at ? last : before
  return gone && instantOf(monthsFrom(yearOf(gone.from) - count + 1, first, 3), 'season')
}

type Named = {
  /** Its first month, from 1, and how many it has. */
  first: number
  months: number
  precision: Precision
  which?: string | undefined
  year?: string | undefined
  near?: string | undefined
}

function nearest({ first, months, precision, which, year, near }: Named, { at, tense }: Moment): Reading | undefined {
  const inYear = (number: number) => instantOf(monthsFrom(number, first, months), precision)
  if (year !== undefined) return inYear(Number(year))
  if (at === undefined) return undefined
  const now = yearOf(at)
  if (near !== undefined) return inYear(now + ({ last: -1, next: 1 }[near.toLowerCase()] ?? 0))
  const all = [-2, -1, 0, 1, 2].map((away) => monthsFrom(now + away, first, months))
  const stretch = choose(all, { at, tense, which: which?.toLowerCase() })
  return stretch && instantOf(stretch, precision)
}

/** Which one of several in a row: the one gone, the one under way, or the one to come. */
function choose(all: Stretch[], { at, tense, which }: Moment & { at: number; which: string | undefined }) {
  const gone = all.findLast(({ to }) => to <= at)
  const coming = all.find(({ from }) => from > at)
  const current = all.find(({ from, to }) => from <= at && at < to)
  if (which !== undefined && /last|past|previous/.test(which)) return gone
  if (which !== undefined && /next|coming|following/.test(which)) return coming
  if (which === 'this') return current ?? (tense === 'future' ? coming : sameYear(all, at))
  return current ?? (tense === 'future' ? coming : gone)
}

/** `this summer`, said when it is not summer: that of the same calendar year. */
function sameYear(all: Stretch[], at: number) {
  const year = unitAt('year', at)
  return all.find(({ from }) => from >= year.from && from < year.to)
}

/** Winter lies in two years: it is that in which it begins. */
function monthsFrom(year: number, first: number, months: number): Stretch {
  const from = monthStart(year * 12 + first - 1)
  return { from, to: shift('month', from, months) }
}

/** Years and decades by their number. */
export const years: readonly TimeRule[] = [
  // "From 2016 to 2019 I lived abroad.", "the 2016-2019 plan"
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:from|between) )?(?<first>${YEAR})(?: to | and | through | until |-| - |–| – )(?<last>${YEAR})\b(?![-/.:]\d)`,
      'gi'
    ),
    read: ({ groups }) => between(Number(groups?.first), Number(groups?.last))
  },
  // "In 2019 we moved.", "It was back in late 1998.", "since 2016"
  {
    pattern: new RegExp(
      String.raw`(?<=\b(?:in|since|until|till|by|during|before|after|of|from|around|circa|through|throughout|early|late|mid|year|to|summer|spring|winter|autumn|fall)[ -])(?:the )?(?:(?:early|late|mid|year|end of|start of|beginning of)[ -])?(?<year>${YEAR})\b(?![-/.:,]?\d|s\b|%| ?(?:people|dollars|euros|miles|km|meters|metres|feet|steps|words|users|hours|years|days))`,
      'gi'
    ),
    read: ({ groups }) => yearsFrom(Number(groups?.year), 1)
  },
  // "He toured in the 90s.", "the early 1980s", "the seventies"
  {
    pattern: new RegExp(
      String.raw`\bthe (?:early |late |mid[ -])?['’]?(?:(?<century>1[0-9]|20)?(?<digits>\d0)['’]?s|(?<word>${DECADE}))\b`,
      'gi'
    ),
    read: ({ groups }, { at }) => decade(groups ?? {}, at)
  }
]

function between(first: number, last: number): Reading | undefined {
  return first < last ? { ...yearsFrom(first, last - first + 1), kind: 'range' } : undefined
}

function yearsFrom(year: number, count: number): Reading {
  return instantOf({ from: monthStart(year * 12), to: monthStart((year + count) * 12) }, 'year')
}

/** Without a century: the latest such decade that has begun. */
function decade(groups: Record<string, string | undefined>, at: number | undefined): Reading {
  const short = Number(groups.digits ?? DECADES[(groups.word ?? '').toLowerCase()])
  const latest = at === undefined || yearOf(at) < 2000 + short ? 1900 : 2000
  const year = groups.century === undefined ? latest + short : Number(groups.century) * 100 + short
  return { ...yearsFrom(year, 10), kind: 'range' }
}
