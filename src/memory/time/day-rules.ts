import { PART_OF_DAY, WEEKDAY, WEEKDAYS } from './amount.ts'
import { DAY_MS, findUnit, getWeekday, HOUR_MS, toDay, toMonthStart } from './calendar.ts'
import { type Moment, type TimeReading, type TimeRule, toReading, toUnitReading } from './time-expression.ts'

/**
 * Days of the week. `last Friday` is the most recent one, `next Friday` that of next week, and `Friday` alone the last
 * or the next one, depending on the tense.
 */
export const weekdays: readonly TimeRule[] = [
  // "It was the Friday before last."
  {
    pattern: new RegExp(String.raw`\b(?:the )?(?<day>${WEEKDAY}) before last\b`, 'gi'),
    read: ({ groups }, { at }) => (at === undefined ? undefined : findLast(at, parseWeekday(groups), 2))
  },
  // "The exam is on Tuesday next week.", "We met Tuesday of last week."
  {
    pattern: new RegExp(
      String.raw`\b(?<day>${WEEKDAY})(?: (?:${PART_OF_DAY}))?(?:,| of)? (?<which>last|this|next) week\b`,
      'gi'
    ),
    read: ({ groups }, { at }) => (at === undefined ? undefined : findInWeek(at, parseWeekday(groups), groups?.which))
  },
  // "Next week on Monday I start."
  {
    pattern: new RegExp(String.raw`\b(?<which>last|this|next) week(?:,| on)? (?<day>${WEEKDAY})\b(?!s)`, 'gi'),
    read: ({ groups }, { at }) => (at === undefined ? undefined : findInWeek(at, parseWeekday(groups), groups?.which))
  },
  // "Last Friday we ate out.", "She comes on Monday."
  {
    pattern: new RegExp(
      String.raw`\b(?:(?<which>last|past|this past|previous|this coming|this|next|coming|following) )?(?<day>${WEEKDAY})\b(?: (?:${PART_OF_DAY})\b)?(?!s)`,
      'gi'
    ),
    read: (match, moment) => (isMeant(match) ? resolveWeekday(match, moment) : undefined)
  }
]

function parseWeekday(groups: Record<string, string> | undefined): number {
  return WEEKDAYS[(groups?.day ?? '').toLowerCase()] ?? 0
}

/** Checks the context of short names (`sun`, `wed`), which are also other words. */
function isMeant({ groups, index, input }: RegExpExecArray): boolean {
  const day = groups?.day ?? ''
  if (day.length > 5 || groups?.which !== undefined) return true
  return /\b(?:on|by|since|until|till|from|before|after)\s+$/i.test(input.slice(Math.max(0, index - 8), index))
}

function resolveWeekday({ groups }: RegExpExecArray, { at, tense }: Moment): TimeReading | undefined {
  if (at === undefined) return undefined
  const day = parseWeekday(groups)
  const which = groups?.which?.toLowerCase()
  if (which === undefined) return tense === 'future' ? findNext(at, day) : findLast(at, day, 1)
  if (/last|past|previous/.test(which)) return findLast(at, day, 1)
  if (which === 'next' || which === 'following') return findInWeek(at, day, 'next')
  return which === 'this' && tense === 'past' ? findInWeek(at, day, 'this') : findNext(at, day)
}

/** Returns the nth such weekday before the day of `at`. */
function findLast(at: number, day: number, nth: number): TimeReading {
  const back = (getWeekday(at) - day + 7) % 7
  return toUnitReading('day', at, (back === 0 ? 0 : 7) - back - 7 * nth)
}

function findNext(at: number, day: number): TimeReading {
  const ahead = (day - getWeekday(at) + 7) % 7
  return toUnitReading('day', at, ahead === 0 ? 7 : ahead)
}

function findInWeek(at: number, day: number, which: string | undefined): TimeReading {
  const away = { last: -1, next: 1 }[(which ?? '').toLowerCase()] ?? 0
  return toUnitReading('day', findUnit('week', at, away).from + day * DAY_MS)
}

/** Days named relative to today. A part of a day counts as the whole day, because its limits are not defined. */
export const namedDays: readonly TimeRule[] = [
  // "I saw her the day before yesterday."
  {
    pattern: /\b(?:the )?day (?:(?<before>before yesterday)|after tomorrow)\b/gi,
    read: ({ groups }, { at }) => toDayAway(at, groups?.before === undefined ? 2 : -2)
  },
  // "We arrived last night.", "It broke yesterday morning."
  {
    pattern: new RegExp(
      String.raw`\b(?:yesterday|last night|(?<earlier>the night before last))(?: (?:${PART_OF_DAY}))?\b`,
      'gi'
    ),
    read: ({ groups }, { at }) => toDayAway(at, groups?.earlier === undefined ? -1 : -2)
  },
  // "The plumber came this morning.", "See you tonight."
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:earlier |later )?today|tonight|(?:earlier |later )?this (?:${PART_OF_DAY}))\b`,
      'gi'
    ),
    read: (_match, { at }) => toDayAway(at, 0)
  },
  // "The parcel comes tomorrow evening."
  {
    pattern: new RegExp(String.raw`\b(?:tomorrow|tmrw|tomorow)(?: (?:${PART_OF_DAY}))?\b`, 'gi'),
    read: (_match, { at }) => toDayAway(at, 1)
  },
  // "We leave at noon.", "They will light it at midnight."
  {
    pattern: /\bat (?:(?<night>midnight)|noon|midday)\b/gi,
    read: ({ groups }, { at, tense }) => {
      const midnight = tense === 'future' ? 24 : 0
      return at === undefined ? undefined : toClockReading(at, groups?.night === undefined ? 12 : midnight)
    }
  },
  // "I ran into Tom the other day."
  {
    pattern: /\bthe other (?:(?<week>week)|day|night|evening|morning)\b/gi,
    read: ({ groups }, { at }) => (at === undefined ? undefined : toRecentReading(at, groups?.week !== undefined))
  }
]

function toDayAway(at: number | undefined, days: number): TimeReading | undefined {
  return at === undefined ? undefined : toUnitReading('day', at, days)
}

function toClockReading(at: number, hour: number): TimeReading {
  const from = findUnit('day', at).from + hour * HOUR_MS
  return { ...toUnitReading('hour', from), clockOnly: true }
}

/** Returns the week, or the four weeks, up to this day. */
function toRecentReading(at: number, isWeek: boolean): TimeReading {
  const { from } = findUnit('day', at)
  return toReading({ from: from - (isWeek ? 28 : 7) * DAY_MS, to: from }, isWeek ? 'month' : 'week')
}

/** A day of a month by its number alone. */
export const daysOfMonth: readonly TimeRule[] = [
  // "On the 5th we sign.", "the 21st of last month"
  {
    pattern:
      /\b(?:on )?the (?<day>[12]?\d|3[01])(?:st|nd|rd|th)(?: of (?<which>last|this|next) month\b|(?= *(?:$|[.,;!?)\n]| (?:at|and|with|for|to|from|in|because|when|we|I|they)\b)))/gi,
    read: (match, moment) => (isDayMeant(match) ? resolveDayOfMonth(match, moment) : undefined)
  }
]

/** Checks the context of `the 5th`, which may also be a floor or a place in a race. */
function isDayMeant({ groups, input, index }: RegExpExecArray): boolean {
  if (groups?.which !== undefined || /^on /i.test(input.slice(index, index + 3))) return true
  return /\b(?:by|until|till|since|from|before|after) $/i.test(input.slice(Math.max(0, index - 8), index))
}

function resolveDayOfMonth({ groups }: RegExpExecArray, { at, tense }: Moment): TimeReading | undefined {
  if (at === undefined) return undefined
  const which = groups?.which?.toLowerCase()
  const dayIn = (away: number) => findDayInMonth(at, away, Number(groups?.day))
  if (which !== undefined) return toDayReading(dayIn({ last: -1, next: 1 }[which] ?? 0))
  const days = (tense === 'future' ? [0, 1, 2] : [0, -1, -2]).map(dayIn)
  return toDayReading(days.find((day) => day !== undefined && (tense === 'future' ? day > at : day <= at)))
}

function findDayInMonth(at: number, away: number, day: number): number | undefined {
  const date = new Date(findUnit('month', at).from)
  const first = new Date(toMonthStart(date.getUTCFullYear() * 12 + date.getUTCMonth() + away))
  return toDay(first.getUTCFullYear(), first.getUTCMonth() + 1, day)
}

function toDayReading(day: number | undefined): TimeReading | undefined {
  return day === undefined ? undefined : toUnitReading('day', day)
}
