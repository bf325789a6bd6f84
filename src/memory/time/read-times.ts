import { timeText } from '../iso-time.ts'
import { calendarDates } from './calendar-dates.ts'
import { joinTimes } from './join-times.ts'
import { relate } from './relate.ts'
import { daysOfMonth } from './rules/days-of-month.ts'
import { durations } from './rules/durations.ts'
import { holidays } from './rules/holidays.ts'
import { monthsAndSeasons } from './rules/months-and-seasons.ts'
import { namedDays } from './rules/named-days.ts'
import { recurring } from './rules/recurring.ts'
import { relativeUnits } from './rules/relative-units.ts'
import { weekdays } from './rules/weekdays.ts'
import { years } from './rules/years.ts'
import { tenseOf } from './tense-of.ts'
import type { Found, Moment, Tense, TimeExpression } from './time-expression.ts'
import { TIME_SIGN } from './time-sign.ts'

/** A stretch of the text in UTF-16 code units, when it was said (UTC text), and its tense where the caller knows it. */
export type TimeStretch = { from?: number; to?: number; at?: string | undefined; tense?: Tense | undefined }

/**
 * The English time expressions of a stretch of text, in order, none over another. Everything is in UTC. Without `at`
 * only what needs no `now` is resolved. Costs next to nothing where no word or number could be a time; text is read in
 * pieces of some hundred characters, and after 200 expressions no further.
 */
export function readTimes(text: string, { from = 0, to = text.length, at, tense }: TimeStretch = {}): TimeExpression[] {
  const times: TimeExpression[] = []
  const now = at === undefined ? undefined : Date.parse(at)
  const said = now === undefined || Number.isNaN(now) ? undefined : now
  for (let start = from; start < to && times.length < TIMES_MAX; ) {
    const end = to - start <= PIECE_UNITS ? to : pieceEnd(text, start)
    const piece = text.slice(start, end)
    if (TIME_SIGN.test(piece)) addTimes(piece, { start, moment: { at: said, tense: tense ?? tenseOf(piece) } }, times)
    start = end
  }
  return times.slice(0, TIMES_MAX)
}

const TIMES_MAX = 200

/** So much is read at a time: patterns take longer than linear time on some texts. */
const PIECE_UNITS = 600

const RULES = [
  ...[...namedDays, ...weekdays, ...relativeUnits, ...monthsAndSeasons],
  ...[...years, ...holidays, ...daysOfMonth, ...recurring, ...durations]
]

/** Just after the last space of a piece; where it has none, at its end. */
function pieceEnd(text: string, start: number): number {
  const space = text.slice(start, start + PIECE_UNITS).lastIndexOf(' ')
  return start + (space > 0 ? space + 1 : PIECE_UNITS)
}

type Piece = { start: number; moment: Moment }

function addTimes(piece: string, { start, moment }: Piece, times: TimeExpression[]): void {
  const all = [...calendarDates(piece, moment), ...RULES.flatMap((rule) => matches(rule, piece, moment))]
  const related = joinTimes(withoutOverlap(all), piece).map((found) => relate(found, piece))
  for (const found of withoutOverlap(related)) {
    const time = expressionOf(found, start)
    if (time !== undefined) times.push(time)
  }
}

function matches(rule: (typeof RULES)[number], piece: string, moment: Moment): Found[] {
  const all: Found[] = []
  for (const match of piece.matchAll(rule.pattern)) {
    const reading = rule.read(match, leaning(piece.slice(Math.max(0, match.index - 6), match.index), moment))
    if (reading !== undefined) all.push({ ...reading, start: match.index, end: match.index + match[0].length })
  }
  return all
}

/** What is so since Friday is since the last one; without a tense, what lasts until Friday lasts until the next. */
function leaning(preceding: string, moment: Moment): Moment {
  if (/\bsince $/i.test(preceding)) return { at: moment.at, tense: 'past' }
  const isDeadline = moment.tense === undefined && /\b(?:by|until|till|til) $/i.test(preceding)
  return isDeadline ? { at: moment.at, tense: 'future' } : moment
}

/** Of those that share a place the longest, then the first of the rules; in order of their places. */
function withoutOverlap(all: readonly Found[]): Found[] {
  const kept: Found[] = []
  for (const found of [...all].sort((a, b) => b.end - b.start - (a.end - a.start)))
    if (!kept.some(({ start, end }) => found.start < end && start < found.end)) kept.push(found)
  return kept.sort((a, b) => a.start - b.start)
}

/** Nothing where a side that should be there lies outside the years that can be written. */
function expressionOf({ start, end, from, to, precision, kind, relation }: Found, offset: number) {
  const startedAt = from === undefined ? undefined : timeText(from)
  const endedAt = to === undefined ? undefined : timeText(to)
  if ((from !== undefined && startedAt === undefined) || (to !== undefined && endedAt === undefined)) return undefined
  const time: TimeExpression = { start: start + offset, end: end + offset, precision, kind }
  if (startedAt !== undefined) time.startedAt = startedAt
  if (endedAt !== undefined) time.endedAt = endedAt
  if (relation !== undefined) time.relation = relation
  return time
}
