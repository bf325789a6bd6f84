import { AMOUNT, parseAmount, parseUnit, UNIT } from './amount.ts'
import { DAY_MS, findUnit, shiftTime, type Unit } from './calendar.ts'
import { COARSER, type Moment, type TimeReading, type TimeRule, toReading, toUnitReading } from './time-expression.ts'

const NEAR = 'last|past|this past|previous|this coming|this|current|next|coming|following|upcoming'

/** Days, weeks, months and years relative to the time of the text. */
export const relativeUnits: readonly TimeRule[] = [
  // "We met the week before last.", "The fair is the month after next."
  {
    pattern: /\b(?:the )?(?<unit>week|weekend|month|year) (?:(?<last>before last)|after next)\b/gi,
    read: ({ groups }, { at }) => resolveAway(at, groups?.unit ?? '', groups?.last === undefined ? 2 : -2)
  },
  // "Two weeks ago the roof leaked.", "I sat down half an hour ago."
  {
    pattern: new RegExp(
      String.raw`\b(?:about |around |almost |over |like )?${AMOUNT} (?<unit>${UNIT}) (?:ago|back)\b`,
      'gi'
    ),
    read: (match, { at }) => resolveCount(match, at, -1)
  },
  // "The lease ends in three months.", "Two days from now we fly."
  {
    pattern: new RegExp(
      String.raw`\b(?:in|within) (?:about |around )?${AMOUNT} (?<unit>${UNIT})(?:'s?)?(?: time)?\b(?! (?:of|before|after|prior|early|earlier|late|later)\b)`,
      'gi'
    ),
    read: (match, { at, tense }) => (tense === 'past' ? undefined : resolveCount(match, at, 1))
  },
  {
    pattern: new RegExp(String.raw`\b${AMOUNT} (?<unit>${UNIT}) from (?:now|today)\b`, 'gi'),
    read: (match, { at }) => resolveCount(match, at, 1)
  },
  // "The last three months were hard.", "Over the past year we grew.", "In the next few days …", "in the coming weeks"
  {
    pattern: new RegExp(
      String.raw`\b(?<lasting>for )?(?:the|these|this|my|our) (?:(?<last>last|past)|next|coming) (?:(?<number>\d{1,3}|[a-z]{2,7})(?: of)? )?(?<unit>${UNIT})\b(?! of\b)`,
      'gi'
    ),
    read: resolveRolling
  },
  // "Last month I quit.", "Next year she retires.", "This weekend we paint."
  {
    pattern: new RegExp(String.raw`\b(?<which>${NEAR}) (?<unit>week|month|quarter|year|decade)\b`, 'gi'),
    read: ({ groups }, { at }) => resolveAway(at, groups?.unit ?? '', parseSide(groups?.which ?? ''))
  },
  // "It rained all last weekend.", "At the weekend we hiked."
  {
    pattern: new RegExp(String.raw`\b(?:(?<which>${NEAR})|(?:over|at|on|during|for) (?:the|my|our)) weekend\b`, 'gi'),
    read: ({ groups }, moment) => resolveWeekend(groups?.which, moment)
  }
]

function parseSide(which: string): number {
  const word = which.toLowerCase()
  if (/last|past|previous/.test(word)) return -1
  return /next|coming|following/.test(word) ? 1 : 0
}

function resolveAway(at: number | undefined, word: string, units: number): TimeReading | undefined {
  if (at === undefined) return undefined
  if (word.toLowerCase() === 'weekend') return toReading(findWeekend(at, units), 'day')
  const unit = parseUnit(word)
  if (unit === undefined) return undefined
  return unit.times === 1 ? toUnitReading(unit.name, at, units) : resolveBlock(at, units, unit)
}

/** Returns the quarter or decade that is `away` blocks from the current one. */
function resolveBlock(at: number, away: number, { name, times }: { name: Unit; times: number }): TimeReading {
  const year = findUnit('year', at).from
  const passed = name === 'year' ? new Date(at).getUTCFullYear() % times : new Date(at).getUTCMonth()
  const from =
    name === 'year'
      ? shiftTime('year', year, away * times - passed)
      : shiftTime('month', year, Math.floor(passed / times) * times + away * times)
  return toReading({ from, to: shiftTime(name, from, times) }, name === 'year' ? 'year' : 'season')
}

/**
 * Resolves an amount of units before (-1) or after (1) the time. A vague number gives its whole range, at lower
 * precision.
 */
function resolveCount({ groups }: RegExpExecArray, at: number | undefined, side: 1 | -1): TimeReading | undefined {
  if (at === undefined || groups === undefined) return undefined
  if (/^weekends?$/i.test(groups.unit ?? ''))
    return resolveAway(at, 'weekend', side * (parseAmount({ ...groups, unit: 'week' })?.least ?? 1))
  const amount = parseAmount(groups)
  if (amount === undefined) return undefined
  const { unit, least, most, isVague } = amount
  if (!isVague) return toReading(findAround(unit, at, side * least), unit)
  const [first, last] = side < 0 ? [-most, -least] : [least, most]
  return toReading({ from: findAround(unit, at, first).from, to: findAround(unit, at, last).to }, COARSER[unit])
}

/**
 * Returns the unit around the time that is `units` away, keeping the day of the month where possible (31 March minus a
 * month is in February).
 */
function findAround(unit: Unit, at: number, units: number) {
  return findUnit(unit, shiftTime(unit, at, units))
}

/** Returns a period that ends, or begins, at the time of the text. What has lasted for it continues. */
function resolveRolling({ groups, input, index }: RegExpExecArray, { at }: Moment): TimeReading | undefined {
  if (at === undefined || groups === undefined || /^weekends?$/i.test(groups.unit ?? '')) return undefined
  // "She left the next day" counts from a day that the story names.
  if (groups.last === undefined && groups.number === undefined && groups.unit?.toLowerCase() === 'day') return undefined
  const count = /s$/i.test(groups.unit ?? '') ? 'few' : 'one'
  const amount = parseAmount({ ...groups, number: groups.number ?? count })
  if (amount === undefined || !(amount.most > 0)) return undefined
  const isPast = groups.last !== undefined
  const far = shiftTime(amount.unit, at, isPast ? -amount.most : amount.most)
  if (isPast && groups.lasting !== undefined && isPerfect(input, index))
    return { from: far, precision: amount.unit, kind: 'range', relation: 'since' }
  return { ...(isPast ? { from: far, to: at } : { from: at, to: far }), precision: amount.unit, kind: 'range' }
}

function resolveWeekend(which: string | undefined, { at, tense }: Moment): TimeReading | undefined {
  if (at === undefined) return undefined
  if (which !== undefined && parseSide(which) !== 0) return resolveAway(at, 'weekend', parseSide(which))
  const current = findWeekend(at, 0)
  return tense === 'past' && current.from > at ? resolveAway(at, 'weekend', -1) : toReading(current, 'day')
}

/**
 * Returns Saturday and Sunday of the week `weeks` away. On a weekend, the last weekend is that of the previous week.
 */
function findWeekend(at: number, weeks: number) {
  const { from, to } = findUnit('week', at, weeks)
  return { from: from + 5 * DAY_MS, to }
}

/** Durations. One that still continues began that long before the time of the text. */
export const durations: readonly TimeRule[] = [
  // "He slept for nine hours.", "I have lived here for seven years.", "for a few months now"
  {
    pattern: new RegExp(
      String.raw`\bfor (?:about |around |almost |nearly |over |more than |at least |like )?${AMOUNT}\+? (?<unit>${UNIT})\b(?<now> now)?(?! ago\b)`,
      'gi'
    ),
    read: resolveLasting
  },
  // "It's been two years since the flood.", "Two months into the job …"
  {
    pattern: new RegExp(
      String.raw`\b(?:it['’]s|it has|has|have) been (?:about |around |almost |nearly |over )?${AMOUNT} (?<unit>${UNIT})(?: now)?\b(?= since\b| now\b)`,
      'gi'
    ),
    read: ({ groups }, moment) => resolveSince(groups ?? {}, moment)
  }
]

function resolveLasting(match: RegExpExecArray, moment: Moment): TimeReading | undefined {
  const { groups, input, index } = match
  const amount = parseAmount(groups ?? {})
  if (amount === undefined) return undefined
  // "I have practised for four hours" says how long, not since when.
  const isSpan = amount.unit !== 'minute' && amount.unit !== 'hour'
  const goesOn = groups?.now !== undefined || (isSpan && isPerfect(input, index))
  return goesOn && moment.at !== undefined
    ? resolveSince(groups ?? {}, moment)
    : { precision: amount.unit, kind: 'duration' }
}

/** Checks for a `have` before a time that lasts. */
function isPerfect(input: string, index: number): boolean {
  return PERFECT.test(input.slice(Math.max(0, index - PERFECT_UNITS), index))
}

/** How far before `for seven years` its `have` may stand, in UTF-16 code units. */
const PERFECT_UNITS = 80
const PERFECT = /(?:\b(?:have|has)\b|['’]ve\b|['’]s been\b)[^.;!?]*$/i

function resolveSince(groups: Record<string, string | undefined>, { at }: Moment): TimeReading | undefined {
  const amount = parseAmount(groups)
  if (at === undefined || amount === undefined) return undefined
  const { unit, least, most, isVague } = amount
  // "for many years" does not show when they began.
  if (most > BEGINNING_SPREAD_MAX * least) return { precision: unit, kind: 'duration' }
  // A week ago is a day; a year ago is rarely meant to the month.
  const { from } = findUnit(unit === 'week' ? 'day' : unit, shiftTime(unit, at, -most))
  return { from, precision: isVague ? COARSER[unit] : unit, kind: 'range', relation: 'since' }
}

/** The most that the longest of an inexact duration may exceed the shortest, for its beginning to be known. */
const BEGINNING_SPREAD_MAX = 4
