import { AMOUNT, amountOf, UNIT, unitOf } from './amount.ts'
import { DAY_MS, shift, type Unit, unitAt } from './calendar.ts'
import { COARSER, instantOf, type Moment, type Reading, type TimeRule, unitReading } from './time-expression.ts'

const NEAR = 'last|past|this past|previous|this coming|this|current|next|coming|following|upcoming'

/** Days, weeks, months and years counted from when it was said. */
export const relativeUnits: readonly TimeRule[] = [
  // "We met the week before last.", "The fair is the month after next."
  {
    pattern: /\b(?:the )?(?<unit>week|weekend|month|year) (?:(?<last>before last)|after next)\b/gi,
    read: ({ groups }, { at }) => away(at, groups?.unit ?? '', groups?.last === undefined ? 2 : -2)
  },
  // "Two weeks ago the roof leaked.", "I sat down half an hour ago."
  {
    pattern: new RegExp(
      String.raw`\b(?:about |around |almost |over |like )?${AMOUNT} (?<unit>${UNIT}) (?:ago|back)\b`,
      'gi'
    ),
    read: (match, { at }) => counted(match, at, -1)
  },
  // "The lease ends in three months.", "Two days from now we fly."
  {
    pattern: new RegExp(
      String.raw`\b(?:in|within) (?:about |around )?${AMOUNT} (?<unit>${UNIT})(?:'s?)?(?: time)?\b(?! of\b)`,
      'gi'
    ),
    read: (match, { at, tense }) => (tense === 'past' ? undefined : counted(match, at, 1))
  },
  {
    pattern: new RegExp(String.raw`\b${AMOUNT} (?<unit>${UNIT}) from (?:now|today)\b`, 'gi'),
    read: (match, { at }) => counted(match, at, 1)
  },
  // "The last three months were hard.", "Over the past year we grew.", "In the next few days …"
  {
    pattern: new RegExp(
      String.raw`\b(?:the|these|this|my|our) (?:(?<last>last|past)|next|coming) (?:(?<number>\d{1,3}|[a-z]{2,7})(?: of)? )?(?<unit>${UNIT})\b`,
      'gi'
    ),
    read: rolling
  },
  // "Last month I quit.", "Next year she retires.", "This weekend we paint."
  {
    pattern: new RegExp(String.raw`\b(?<which>${NEAR}) (?<unit>week|month|quarter|year|decade)\b`, 'gi'),
    read: ({ groups }, { at }) => away(at, groups?.unit ?? '', sideOf(groups?.which ?? ''))
  },
  // "It rained all last weekend.", "At the weekend we hiked."
  {
    pattern: new RegExp(String.raw`\b(?:(?<which>${NEAR})|(?:over|at|on|during|for) (?:the|my|our)) weekend\b`, 'gi'),
    read: ({ groups }, moment) => weekendOf(groups?.which, moment)
  }
]

function sideOf(which: string): number {
  const word = which.toLowerCase()
  if (/last|past|previous/.test(word)) return -1
  return /next|coming|following/.test(word) ? 1 : 0
}

function away(at: number | undefined, word: string, units: number): Reading | undefined {
  if (at === undefined) return undefined
  if (word.toLowerCase() === 'weekend') return instantOf(weekend(at, units), 'day')
  const unit = unitOf(word)
  if (unit === undefined) return undefined
  return unit.times === 1 ? unitReading(unit.name, at, units) : block(at, units, unit)
}

/** The quarter or decade that lies so many of them away. */
function block(at: number, away: number, { name, times }: { name: Unit; times: number }): Reading {
  const year = unitAt('year', at).from
  const passed = name === 'year' ? new Date(at).getUTCFullYear() % times : new Date(at).getUTCMonth()
  const from =
    name === 'year'
      ? shift('year', year, away * times - passed)
      : shift('month', year, Math.floor(passed / times) * times + away * times)
  return instantOf({ from, to: shift(name, from, times) }, name === 'year' ? 'year' : 'season')
}

/** So many units before (-1) or after (1) the time; a vague number gives all that it may mean, less exactly. */
function counted({ groups }: RegExpExecArray, at: number | undefined, side: 1 | -1): Reading | undefined {
  if (at === undefined || groups === undefined) return undefined
  if (/^weekends?$/i.test(groups.unit ?? ''))
    return away(at, 'weekend', side * (amountOf({ ...groups, unit: 'week' })?.least ?? 1))
  const amount = amountOf(groups)
  if (amount === undefined) return undefined
  const { unit, least, most, isVague } = amount
  if (!isVague) return instantOf(around(unit, at, side * least), unit)
  const [first, last] = side < 0 ? [-most, -least] : [least, most]
  return instantOf({ from: around(unit, at, first).from, to: around(unit, at, last).to }, COARSER[unit])
}

/** The unit that holds the time so many units away, the day of the month kept (31 March less a month is in February). */
function around(unit: Unit, at: number, units: number) {
  return unitAt(unit, shift(unit, at, units))
}

/** A stretch that ends, or begins, where one stands. */
function rolling({ groups }: RegExpExecArray, { at }: Moment): Reading | undefined {
  if (at === undefined || groups === undefined || /^weekends?$/i.test(groups.unit ?? '')) return undefined
  const amount = amountOf({ ...groups, number: groups.number ?? 'one' })
  if (amount === undefined || !(amount.most > 0)) return undefined
  const isPast = groups.last !== undefined
  const far = shift(amount.unit, at, isPast ? -amount.most : amount.most)
  return { ...(isPast ? { from: far, to: at } : { from: at, to: far }), precision: amount.unit, kind: 'range' }
}

function weekendOf(which: string | undefined, { at, tense }: Moment): Reading | undefined {
  if (at === undefined) return undefined
  if (which !== undefined && sideOf(which) !== 0) return away(at, 'weekend', sideOf(which))
  const current = weekend(at, 0)
  return tense === 'past' && current.from > at ? away(at, 'weekend', -1) : instantOf(current, 'day')
}

/** Saturday and Sunday of the week so many weeks away. On a weekend day, the last weekend is that of the week before. */
function weekend(at: number, weeks: number) {
  const { from, to } = unitAt('week', at, weeks)
  return { from: from + 5 * DAY_MS, to }
}

/** How long something took or takes. What still goes on began so long ago. */
export const durations: readonly TimeRule[] = [
  // "He slept for nine hours.", "I have lived here for seven years.", "for a few months now"
  {
    pattern: new RegExp(
      String.raw`\bfor (?:about |around |almost |nearly |over |more than |at least |like )?${AMOUNT}\+? (?<unit>${UNIT})\b(?<now> now)?(?! ago\b)`,
      'gi'
    ),
    read: lasting
  },
  // "It's been two years since the flood.", "Two months into the job …"
  {
    pattern: new RegExp(
      String.raw`\b(?:it['’]s|it has|has|have) been (?:about |around |almost |nearly |over )?${AMOUNT} (?<unit>${UNIT})(?: now)?\b(?= since\b| now\b)`,
      'gi'
    ),
    read: ({ groups }, moment) => since(groups ?? {}, moment)
  }
]

function lasting(match: RegExpExecArray, moment: Moment): Reading | undefined {
  const { groups, input, index } = match
  const amount = amountOf(groups ?? {})
  if (amount === undefined) return undefined
  const goesOn = groups?.now !== undefined || PERFECT.test(input.slice(Math.max(0, index - PERFECT_UNITS), index))
  return goesOn && moment.at !== undefined ? since(groups ?? {}, moment) : { precision: amount.unit, kind: 'duration' }
}

/** How far before `for seven years` its `have` may stand, in UTF-16 code units. */
const PERFECT_UNITS = 80
const PERFECT = /(?:\b(?:have|has)\b|['’]ve\b|['’]s been\b)[^.;!?]*$/i

function since(groups: Record<string, string | undefined>, { at }: Moment): Reading | undefined {
  const amount = amountOf(groups)
  if (at === undefined || amount === undefined) return undefined
  const { unit, most, isVague } = amount
  const { from } = unitAt(unit, shift(unit, at, -most))
  return { from, precision: isVague ? COARSER[unit] : unit, kind: 'range', relation: 'since' }
}
