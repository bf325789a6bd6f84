import { AMOUNT, parseAmount } from './amount.ts'
import { DAY_MS, findUnit, getWeekday, getYear, HOUR_MS, shiftTime } from './calendar.ts'
import type { FoundTime } from './time-expression.ts'

/** Joins adjacent parts of one time: `tomorrow` and `at 5pm`, `Friday, ` and `May 5`, `May` to `July`. */
export function joinTimes(all: readonly FoundTime[], text: string): FoundTime[] {
  const joined: FoundTime[] = []
  for (const found of all) {
    const last = joined.at(-1)
    const both = last && joinNeighbours(last, found, text)
    if (both === undefined) joined.push(found)
    else joined[joined.length - 1] = both
  }
  return joined
}

function joinNeighbours(a: FoundTime, b: FoundTime, text: string): FoundTime | undefined {
  const place = { start: a.start, end: b.end }
  if (b.start - a.end > BETWEEN_UNITS) return undefined
  const between = text.slice(a.end, b.start)
  if (LASTING.test(text.slice(b.start, b.end))) return between === ' ' ? extendDay(a, b, text) : undefined
  if (BESIDE.test(between)) {
    if (b.clockOnly) return addClock(a, b, { ...place, text })
    if (a.clockOnly) return addClock(b, a, { ...place, text })
    if (isDay(a) && isDay(b) && isOneDay(a, b, text)) return { ...b, ...place }
    const inside = narrowTime(a, b, text) ?? narrowTime(b, a, text)
    if (inside !== undefined) return { ...inside, ...place }
  }
  const isRange = TO.test(between) || (AND.test(between) && BETWEEN.test(text.slice(0, a.start).slice(-9)))
  return isRange ? joinThrough(addYear(b, a, text), b, place) : undefined
}

/** Maximum distance between two parts of one time in UTF-16 code units, and the text allowed there. */
const BETWEEN_UNITS = 10
const BESIDE = /^\s*,?\s*(?:\(|@|at|on|around|about|by|from)?\s*(?:the )?$/i
const TO = /^\s*(?:to|through|thru|until|till|-|–)\s*$/i
const AND = /^\s*and\s*$/i
const BETWEEN = /\bbetween $/i

/** Recognises a weekday with its date, or one day under two names, but not a list of days. */
function isOneDay(a: FoundTime, b: FoundTime, text: string): boolean {
  return a.from === b.from || (/^[a-z]+$/i.test(text.slice(a.start, a.end)) && /\d/.test(text.slice(b.start, b.end)))
}

/** Extends a day by what lasts from it: `on 9 May for a week`. */
function extendDay(day: FoundTime, lasting: FoundTime, text: string): FoundTime | undefined {
  const amount = parseAmount(LASTING.exec(text.slice(lasting.start, lasting.end))?.groups ?? {})
  if (!isDay(day) || day.from === undefined || amount === undefined || /^['’]s?\b/.test(text.slice(lasting.end)))
    return undefined
  const to = shiftTime(amount.unit, day.from, amount.most)
  return { start: day.start, end: lasting.end, from: day.from, to, precision: 'day', kind: 'range' }
}

const LASTING = new RegExp(`^for (?:about |around )?${AMOUNT} (?<unit>days?|nights?|weeks?|months?)$`, 'i')

/** Narrows a time to a part of it: `June 3` of `next year`, `Friday` of `two weeks ago`. */
function narrowTime(whole: FoundTime, part: FoundTime, text: string): FoundTime | undefined {
  const isPlain = whole.kind === 'instant' && part.kind === 'instant' && !part.clockOnly && whole.from !== undefined
  if (!isPlain || whole.from === undefined || part.from === undefined || part.to === undefined) return undefined
  const words = text.slice(part.start, part.end)
  if (whole.precision === 'year' && INSIDE_YEAR.has(part.precision) && !/\d{4}|last|this|next|ago/i.test(words)) {
    const years = getYear(whole.from) - getYear(part.from)
    return { ...part, from: shiftTime('year', part.from, years), to: shiftTime('year', part.to, years) }
  }
  if (whole.precision !== 'week' || !isDay(part) || !/^[a-z]+day$/i.test(words)) return undefined
  const from = findUnit('week', whole.from).from + getWeekday(part.from) * DAY_MS
  return { ...part, from, to: from + DAY_MS }
}

const INSIDE_YEAR: ReadonlySet<string> = new Set(['month', 'season', 'day'])

type Place = { start: number; end: number }

function isDay({ kind, precision, clockOnly }: FoundTime): boolean {
  return kind === 'instant' && precision === 'day' && !clockOnly
}

/** When a night ends, counted from midnight. */
const NIGHT_MS = 6 * HOUR_MS

/** Adds a time of day to the day beside it; a recurring time stays as it is. */
function addClock(
  day: FoundTime,
  clock: FoundTime,
  { text, ...place }: Place & { text: string }
): FoundTime | undefined {
  if (day.kind === 'recurring') return { ...day, ...place }
  if (!isDay(day) || day.from === undefined || clock.from === undefined || clock.to === undefined) return undefined
  const midnight = findUnit('day', clock.from).from
  // "last night at 2 am" is early on the next day.
  const isNext = clock.from - midnight < NIGHT_MS && /night$/i.test(text.slice(day.start, day.end))
  const away = day.from - midnight + (isNext ? DAY_MS : 0)
  const { clockOnly: _, ...rest } = clock
  return { ...rest, ...place, from: clock.from + away, to: clock.to + away }
}

/** Adds a year: `January` in `January to June 2025` is the last January before June 2025. */
function addYear(dated: FoundTime, found: FoundTime, text: string): FoundTime {
  const isDated = (one: FoundTime) => /\d{4}/.test(text.slice(one.start, one.end))
  if (!INSIDE_YEAR.has(found.precision) || !isDated(dated) || isDated(found)) return found
  if (found.from === undefined || found.to === undefined || dated.from === undefined) return found
  const years = getYear(dated.from) - getYear(found.from)
  const away = shiftTime('year', found.from, years) > dated.from ? years - 1 : years
  return { ...found, from: shiftTime('year', found.from, away), to: shiftTime('year', found.to, away) }
}

/** Joins two ordered times of one precision into the period from the first through the second. */
function joinThrough(a: FoundTime, b: FoundTime, place: Place): FoundTime | undefined {
  if (a.kind !== 'instant' || b.kind !== 'instant' || a.precision !== b.precision) return undefined
  if (a.from === undefined || b.to === undefined || b.to <= a.from || b.to - a.from > SPAN_MS_MAX) return undefined
  return { ...place, from: a.from, to: b.to, precision: a.precision, kind: 'range' }
}

const SPAN_MS_MAX = 200 * 366 * DAY_MS
