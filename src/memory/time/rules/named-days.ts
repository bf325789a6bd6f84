import { DAY_MS, HOUR_MS, unitAt } from '../calendar.ts'
import { instantOf, unitReading } from '../instant-of.ts'
import type { Reading, TimeRule } from '../time-expression.ts'
import { PART_OF_DAY } from '../time-words.ts'

/** Days by their name from where one stands. Parts of a day are their day: nobody agrees on when an evening begins. */
export const namedDays: readonly TimeRule[] = [
  // "I saw her the day before yesterday."
  {
    pattern: /\b(?:the )?day (?:(?<before>before yesterday)|after tomorrow)\b/gi,
    read: ({ groups }, { at }) => dayAway(at, groups?.before === undefined ? 2 : -2)
  },
  // "We arrived last night.", "It broke yesterday morning."
  {
    pattern: new RegExp(
      String.raw`\b(?:yesterday|last night|(?<earlier>the night before last))(?: (?:${PART_OF_DAY}))?\b`,
      'gi'
    ),
    read: ({ groups }, { at }) => dayAway(at, groups?.earlier === undefined ? -1 : -2)
  },
  // "The plumber came this morning.", "See you tonight."
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:earlier |later )?today|tonight|(?:earlier |later )?this (?:${PART_OF_DAY}))\b`,
      'gi'
    ),
    read: (_match, { at }) => dayAway(at, 0)
  },
  // "The parcel comes tomorrow evening."
  {
    pattern: new RegExp(String.raw`\b(?:tomorrow|tmrw|tomorow)(?: (?:${PART_OF_DAY}))?\b`, 'gi'),
    read: (_match, { at }) => dayAway(at, 1)
  },
  // "We leave at noon."
  {
    pattern: /\bat (?:(?<night>midnight)|noon|midday)\b/gi,
    read: ({ groups }, { at }) => (at === undefined ? undefined : clock(at, groups?.night === undefined ? 12 : 0))
  },
  // "I ran into Tom the other day."
  {
    pattern: /\bthe other (?:(?<week>week)|day|night|evening|morning)\b/gi,
    read: ({ groups }, { at }) => (at === undefined ? undefined : lately(at, groups?.week !== undefined))
  }
]

function dayAway(at: number | undefined, days: number): Reading | undefined {
  return at === undefined ? undefined : unitReading('day', at, days)
}

function clock(at: number, hour: number): Reading {
  const from = unitAt('day', at).from + hour * HOUR_MS
  return { ...unitReading('hour', from), clockOnly: true }
}

/** The week, or the four weeks, up to this day. */
function lately(at: number, isWeek: boolean): Reading {
  const { from } = unitAt('day', at)
  return instantOf({ from: from - (isWeek ? 28 : 7) * DAY_MS, to: from }, isWeek ? 'month' : 'week')
}
