import { DAY_MS, unitAt, weekdayOf } from '../calendar.ts'
import { unitReading } from '../instant-of.ts'
import type { Moment, Reading, TimeRule } from '../time-expression.ts'
import { PART_OF_DAY, WEEKDAY, WEEKDAYS } from '../time-words.ts'

/**
 * Days of the week. `last Friday` is the one most recently gone, `next Friday` that of the week to come, and a Friday
 * alone the last or the next one, as the tense has it.
 */
export const weekdays: readonly TimeRule[] = [
  // "It was the Friday before last."
  {
    pattern: new RegExp(String.raw`\b(?:the )?(?<day>${WEEKDAY}) before last\b`, 'gi'),
    read: ({ groups }, { at }) => (at === undefined ? undefined : lastOf(at, dayOf(groups), 2))
  },
  // "The exam is on Tuesday next week.", "We met Tuesday of last week."
  {
    pattern: new RegExp(
      String.raw`\b(?<day>${WEEKDAY})(?: (?:${PART_OF_DAY}))?(?:,| of)? (?<which>last|this|next) week\b`,
      'gi'
    ),
    read: ({ groups }, { at }) => (at === undefined ? undefined : ofWeek(at, dayOf(groups), groups?.which))
  },
  // "Next week on Monday I start."
  {
    pattern: new RegExp(String.raw`\b(?<which>last|this|next) week(?:,| on)? (?<day>${WEEKDAY})\b(?!s)`, 'gi'),
    read: ({ groups }, { at }) => (at === undefined ? undefined : ofWeek(at, dayOf(groups), groups?.which))
  },
  // "Last Friday we ate out.", "She comes on Monday."
  {
    pattern: new RegExp(
      String.raw`\b(?:(?<which>last|past|this past|previous|this coming|this|next|coming|following) )?(?<day>${WEEKDAY})\b(?: (?:${PART_OF_DAY})\b)?(?!s)`,
      'gi'
    ),
    read: (match, moment) => (isMeant(match) ? oneOf(match, moment) : undefined)
  }
]

function dayOf(groups: Record<string, string> | undefined): number {
  return WEEKDAYS[(groups?.day ?? '').toLowerCase()] ?? 0
}

/** Short names are words of their own (`sun`, `wed`): they need something beside them that says they are days. */
function isMeant({ groups, index, input }: RegExpExecArray): boolean {
  const day = groups?.day ?? ''
  if (day.length > 5 || groups?.which !== undefined) return true
  return /\b(?:on|by|since|until|till|from|before|after)\s+$/i.test(input.slice(Math.max(0, index - 8), index))
}

function oneOf({ groups }: RegExpExecArray, { at, tense }: Moment): Reading | undefined {
  if (at === undefined) return undefined
  const day = dayOf(groups)
  const which = groups?.which?.toLowerCase()
  if (which === undefined) return tense === 'future' ? nextOf(at, day) : lastOf(at, day, 1)
  if (/last|past|previous/.test(which)) return lastOf(at, day, 1)
  if (which === 'next' || which === 'following') return ofWeek(at, day, 'next')
  return which === 'this' && tense === 'past' ? ofWeek(at, day, 'this') : nextOf(at, day)
}

/** The nth such day before the one of `at`. */
function lastOf(at: number, day: number, nth: number): Reading {
  const back = (weekdayOf(at) - day + 7) % 7
  return unitReading('day', at, (back === 0 ? 0 : 7) - back - 7 * nth)
}

function nextOf(at: number, day: number): Reading {
  const ahead = (day - weekdayOf(at) + 7) % 7
  return unitReading('day', at, ahead === 0 ? 7 : ahead)
}

function ofWeek(at: number, day: number, which: string | undefined): Reading {
  const away = { last: -1, next: 1 }[(which ?? '').toLowerCase()] ?? 0
  return unitReading('day', unitAt('week', at, away).from + day * DAY_MS)
}
