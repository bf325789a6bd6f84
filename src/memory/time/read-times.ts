import { formatTime } from '../parse-iso-time.ts'
import { AMOUNT, DECADE, MONTH, PART_OF_DAY, parseAmount, parseUnit, SEASON, UNIT, WEEKDAY, YEAR } from './amount.ts'
import { findUnit, shiftTime } from './calendar.ts'
import { daysOfMonth, namedDays, weekdays } from './day-rules.ts'
import { findCalendarDates } from './find-calendar-dates.ts'
import { holidays } from './holidays.ts'
import { joinTimes } from './join-times.ts'
import { monthsAndSeasons, years } from './month-rules.ts'
import type {
  FoundTime,
  Moment,
  Precision,
  Relation,
  Tense,
  TimeExpression,
  TimeReading,
  TimeRule
} from './time-expression.ts'
import { durations, relativeUnits } from './unit-rules.ts'

/** A section of the text in UTF-16 code units, the time of the text (UTC), and its tense if the caller knows it. */
type TimeStretch = { from?: number; to?: number; at?: string | undefined; tense?: Tense | undefined }

/**
 * Finds the English time expressions in a section of text, in order and without overlaps. All times are UTC. Without
 * `at`, only absolute expressions are resolved. Text without any word or number of time costs almost nothing. Reads
 * chunks of some hundred characters and stops after 200 expressions.
 */
export function readTimes(text: string, { from = 0, to = text.length, at, tense }: TimeStretch = {}): TimeExpression[] {
  const times: TimeExpression[] = []
  const now = at === undefined ? undefined : Date.parse(at)
  const said = now === undefined || Number.isNaN(now) ? undefined : now
  for (let start = from; start < to && times.length < TIMES_MAX; ) {
    const end = to - start <= PIECE_UNITS ? to : findPieceEnd(text, start)
    const piece = text.slice(start, end)
    if (TIME_SIGN.test(piece)) addTimes(piece, { start, moment: { at: said, tense: tense ?? findTense(piece) } }, times)
    start = end
  }
  return times.slice(0, TIMES_MAX)
}

const TIMES_MAX = 200

/** Characters read at once: on some texts, patterns take more than linear time. */
const PIECE_UNITS = 600

/** Returns the position after the last space of a chunk, or the chunk's end if it has none. */
function findPieceEnd(text: string, start: number): number {
  const space = text.slice(start, start + PIECE_UNITS).lastIndexOf(' ')
  return start + (space > 0 ? space + 1 : PIECE_UNITS)
}

type Piece = { start: number; moment: Moment }

function addTimes(piece: string, { start, moment }: Piece, times: TimeExpression[]): void {
  const rules = GROUPS.flatMap((group) => (group.sign.test(piece) ? group.rules : []))
  const all = [...findCalendarDates(piece, moment), ...rules.flatMap((rule) => findMatches(rule, piece, moment))]
  const findRelated = joinTimes(dropOverlaps(all), piece).map((found) => relate(found, piece))
  for (const found of dropOverlaps(findRelated)) {
    const time = toTimeExpression(found, start)
    if (time !== undefined) times.push(time)
  }
}

function findMatches(rule: TimeRule, piece: string, moment: Moment): FoundTime[] {
  const all: FoundTime[] = []
  const { pattern, read } = rule
  // `matchAll` would copy the pattern for each text.
  for (let match = pattern.exec(piece); match !== null; match = pattern.exec(piece)) {
    const reading = read(match, leanMoment(piece.slice(Math.max(0, match.index - 6), match.index), moment))
    if (reading !== undefined) all.push({ ...reading, start: match.index, end: match.index + match[0].length })
  }
  return all
}

/**
 * Sets the tense implied by the preceding word: `since Friday` is the last one, and `until Friday` without a tense the
 * next.
 */
function leanMoment(preceding: string, moment: Moment): Moment {
  if (/\bsince $/i.test(preceding)) return { at: moment.at, tense: 'past' }
  const isDeadline = moment.tense === undefined && /\b(?:by|until|till|til) $/i.test(preceding)
  return isDeadline ? { at: moment.at, tense: 'future' } : moment
}

/** Removes overlaps: keeps the longest expression, then that of the first rule, and sorts by position. */
function dropOverlaps(all: readonly FoundTime[]): FoundTime[] {
  const kept: FoundTime[] = []
  for (const found of [...all].sort((a, b) => b.end - b.start - (a.end - a.start)))
    if (!kept.some(({ start, end }) => found.start < end && start < found.end)) kept.push(found)
  return kept.sort((a, b) => a.start - b.start)
}

/** Returns undefined if a limit lies outside the years that can be written. */
function toTimeExpression({ start, end, from, to, precision, kind, relation }: FoundTime, offset: number) {
  const startedAt = from === undefined ? undefined : formatTime(from)
  const endedAt = to === undefined ? undefined : formatTime(to)
  if ((from !== undefined && startedAt === undefined) || (to !== undefined && endedAt === undefined)) return undefined
  const time: TimeExpression = { start: start + offset, end: end + offset, precision, kind }
  if (startedAt !== undefined) time.startedAt = startedAt
  if (endedAt !== undefined) time.endedAt = endedAt
  if (relation !== undefined) time.relation = relation
  return time
}

/** Applies the words before a time: `since May`, `until Friday`, `two weeks before Christmas`. */
function relate(found: FoundTime, text: string): FoundTime {
  if (found.kind === 'recurring' || found.kind === 'duration' || found.relation !== undefined) return found
  const preceding = text.slice(Math.max(0, found.start - PRECEDING_UNITS), found.start)
  return countRelated(found, preceding) ?? findRelated(found, preceding) ?? found
}

/** How far before a time a phrase like `two weeks before` may begin, in UTF-16 code units. */
const PRECEDING_UNITS = 40

const RELATED =
  /\b(?<word>since|until|till|til|by|before|after|during|throughout|from|between)\s+(?:the\s+|about\s+|around\s+)?$/i

function findRelated(found: FoundTime, preceding: string): FoundTime | undefined {
  const match = RELATED.exec(preceding)
  const word = match?.groups?.word?.toLowerCase() ?? ''
  if (match === null || found.from === undefined || found.to === undefined) return undefined
  const { from, to, precision } = found
  const start = found.start - match[0].length
  const end = found.end
  const open = (relation: Relation, sides: { from?: number; to?: number }): FoundTime => ({
    start,
    end,
    ...sides,
    precision,
    kind: 'range',
    relation
  })
  if (word === 'since') return open('since', { from })
  if (word === 'before') return open('before', { to: from })
  if (word === 'after') return open('after', { from: to })
  if (/^(?:un)?till?$|^by$/.test(word)) return open('until', { to: isClock(precision) ? from : to })
  if (word === 'from' || word === 'between') return found.kind === 'range' ? { ...found, start } : undefined
  return { ...found, start, relation: 'during' }
}

/** "until 6 am" ends at the beginning of that hour, but "until Friday" includes the day. */
function isClock(precision: Precision): boolean {
  return precision === 'hour' || precision === 'minute'
}

const COUNTED = new RegExp(String.raw`\b(?:${AMOUNT}|the) (?<unit>${UNIT}) (?:(?<before>before)|after) (?:the )?$`, 'i')

function countRelated(found: FoundTime, preceding: string): FoundTime | undefined {
  const match = COUNTED.exec(preceding)
  const amount = parseAmount({ ...match?.groups, number: match?.groups?.number ?? 'one' })
  if (!match || amount === undefined || found.from === undefined) return undefined
  const away = match.groups?.before === undefined ? amount.least : -amount.least
  const stretch = findUnit(amount.unit, shiftTime(amount.unit, found.from, away))
  return { start: found.start - match[0].length, end: found.end, ...stretch, precision: amount.unit, kind: 'instant' }
}

/**
 * Guesses from single words whether a section refers to the future or the past, to decide which Friday is meant. A
 * caller with tagged words knows the tense more reliably.
 */
function findTense(text: string): Tense | undefined {
  if (AHEAD.test(text)) return 'future'
  return BACK.test(text) ? 'past' : undefined
}

const AHEAD =
  /\b(?:will|won['’]t|shall|going to|gonna|plan(?:s|ned|ning)? (?:to|on|for)|looking forward|can(?:['’]?t|not| not) wait|upcoming|scheduled|about to|let['’]s|due|deadline|hop(?:e|ing) to|see you)\b|['’]ll\b/i

const BACK =
  /\b(?:was|were|had|did|didn['’]t|went|got|made|took|came|saw|met|gave|found|left|bought|ate|began|won|lost|told|said|felt|ran|wrote|(?!(?:n|f|s|w|sp|ind|br|exc|proc|succ)eed\b|hundred\b)[a-z]{2,}ed)\b/i

/**
 * Matches a digit or a word that names a time, which every time expression contains. This cheap check avoids all
 * others.
 */
export const TIME_SIGN =
  /\d|\b(?:today|tonight|yesterday|tomorrow|tmrw|tomorow|noon|midday|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tues?|wed|thu|thurs?|fri|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|january|february|march|april|may|june|july|august|september|october|november|december|springs?|summers?|autumns?|fall|winters?|seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|mornings?|afternoons?|evenings?|weekends?|weekdays?|weeks?|fortnight|months?|quarters?|years?|yrs?|decades?|seasons?|daily|nightly|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually|once|twice|thrice|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|christmas|xmas|easter|halloween|thanksgiving|nye|juneteenth)\b/i

/** Recurring times have no point in time; only their frequency is kept, as the precision. */
const recurring: readonly TimeRule[] = [
  // "Every Tuesday we rehearse.", "Each morning I run.", "every other week", "every two months"
  {
    pattern: new RegExp(
      String.raw`\b(?:every|each)(?: (?:single|other|second|third|fourth))? (?:${AMOUNT} )?(?:(?<unit>${UNIT}|season)|(?<month>${MONTH}|christmas|easter|halloween|thanksgiving)|(?<season>${SEASON})|(?:${WEEKDAY}|weekday|weekend)(?: (?:${PART_OF_DAY}))?|${PART_OF_DAY})\b`,
      'gi'
    ),
    read: ({ groups }) => (isMoment(groups ?? {}) ? undefined : toRecurring(groups ?? {}))
  },
  // "On Sundays she bakes.", "Saturday mornings are for chess."
  {
    pattern: new RegExp(
      String.raw`\b(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:${WEEKDAY}|weekday|weekend) (?:${PART_OF_DAY})s)\b|\b(?:on|at) (?:the )?week(?:ends|days)\b|\bin the (?:mornings|afternoons|evenings)\b`,
      'gi'
    ),
    read: () => toOften('day')
  },
  // "Most mornings I run."
  {
    pattern: new RegExp(
      `\\b(?:most|all) (?:days|weeks|months|years|weekends|(?:${PART_OF_DAY})s|(?:${WEEKDAY})s)\\b`,
      'gi'
    ),
    read: () => toOften('day')
  },
  // "We meet weekly.", "He pays rent monthly, in cash."
  {
    pattern:
      /\b(?:(?<day>daily|nightly)|(?<week>weekly|biweekly|fortnightly)|(?<month>monthly)|(?<season>quarterly)|yearly|annually)(?= *(?:$|[.,;!?)\n]| (?:at|on|for|and|with|in|to|by|now|since|from|because|but)\b| basis\b))/gi,
    read: ({ groups }) => toOften(findPrecision(groups ?? {}))
  },
  // "Twice a week I swim.", "three times per year", "five days a week"
  {
    pattern: new RegExp(
      String.raw`\b(?:once|twice|thrice|${AMOUNT} (?:times|days|nights|hours|mornings|evenings)) (?:an?|per|each|every) (?<unit>${UNIT})\b`,
      'gi'
    ),
    read: ({ groups }) => toRecurring(groups ?? {})
  }
]

/** Excludes `every minute`, which means always; `every ten minutes` is accepted. */
function isMoment({ unit, number }: Record<string, string | undefined>): boolean {
  return number === undefined && /^(?:seconds?|minutes?|mins?)$/i.test(unit ?? '')
}

function toRecurring({ unit, month, season }: Record<string, string | undefined>): TimeReading {
  if (unit !== undefined) return toOften(parseUnit(unit)?.name ?? 'minute')
  if (month !== undefined) return toOften('month')
  return toOften(season === undefined ? 'day' : 'season')
}

function findPrecision({ day, week, month, season }: Record<string, string | undefined>): Precision {
  if (day !== undefined) return 'day'
  if (week !== undefined) return 'week'
  if (month !== undefined) return 'month'
  return season === undefined ? 'year' : 'season'
}

function toOften(precision: Precision): TimeReading {
  return { precision, kind: 'recurring' }
}

/** Rules, and what each text that one of them matches contains. Compiling and trying a rule takes longer than the check. */
type Group = { sign: RegExp; rules: readonly TimeRule[] }

/** In order of precedence: among expressions of equal length, the first rule wins. */
const GROUPS: readonly Group[] = [
  { sign: toSign(`day|yesterday|today|tonight|tomor|tmrw|mid|noon|week|${PART_OF_DAY}`), rules: namedDays },
  { sign: toSign(WEEKDAY), rules: weekdays },
  { sign: toSign(UNIT), rules: relativeUnits },
  { sign: toSign(`${MONTH}|${SEASON}`), rules: monthsAndSeasons },
  { sign: new RegExp(String.raw`${YEAR}|\d0['’]?s|${DECADE}`, 'i'), rules: years },
  { sign: /mas|day|year|nye|valentine|teenth|july|halloween|easter|thanks/i, rules: holidays },
  { sign: /\d(?:st|nd|rd|th)/i, rules: daysOfMonth },
  {
    sign: toSign(`every|each|daily|biweekly|fortnightly|annually|${PART_OF_DAY}|${WEEKDAY}|${UNIT}`),
    rules: recurring
  },
  { sign: toSign(UNIT), rules: durations }
]

/** Matches a word that begins with one of the alternatives. */
function toSign(words: string): RegExp {
  return new RegExp(String.raw`\b(?:${words})`, 'i')
}
