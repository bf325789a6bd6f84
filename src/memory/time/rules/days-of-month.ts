import { dayAt, monthStart, unitAt } from '../calendar.ts'
import { unitReading } from '../instant-of.ts'
import type { Moment, Reading, TimeRule } from '../time-expression.ts'

/** A day of a month by its number alone. */
export const daysOfMonth: readonly TimeRule[] = [
  // "On the 5th we sign.", "the 21st of last month"
  {
    pattern:
      /\b(?:on )?the (?<day>[12]?\d|3[01])(?:st|nd|rd|th)(?: of (?<which>last|this|next) month\b|(?= *(?:$|[.,;!?)\n]| (?:at|and|with|for|to|from|in|because|when|we|I|they)\b)))/gi,
    read: (match, moment) => (isMeant(match) ? dayOfMonth(match, moment) : undefined)
  }
]

/** `the 5th` alone may be a floor or a place in a race. */
function isMeant({ groups, input, index }: RegExpExecArray): boolean {
  if (groups?.which !== undefined || /^on /i.test(input.slice(index, index + 3))) return true
  return /\b(?:by|until|till|since|from|before|after) $/i.test(input.slice(Math.max(0, index - 8), index))
}

function dayOfMonth({ groups }: RegExpExecArray, { at, tense }: Moment): Reading | undefined {
  if (at === undefined) return undefined
  const which = groups?.which?.toLowerCase()
  const dayIn = (away: number) => dayInMonth(at, away, Number(groups?.day))
  if (which !== undefined) return dayReading(dayIn({ last: -1, next: 1 }[which] ?? 0))
  const days = (tense === 'future' ? [0, 1, 2] : [0, -1, -2]).map(dayIn)
  return dayReading(days.find((day) => day !== undefined && (tense === 'future' ? day > at : day <= at)))
}

function dayInMonth(at: number, away: number, day: number): number | undefined {
  const date = new Date(unitAt('month', at).from)
  const first = new Date(monthStart(date.getUTCFullYear() * 12 + date.getUTCMonth() + away))
  return dayAt(first.getUTCFullYear(), first.getUTCMonth() + 1, day)
}

function dayReading(day: number | undefined): Reading | undefined {
  return day === undefined ? undefined : unitReading('day', day)
}
