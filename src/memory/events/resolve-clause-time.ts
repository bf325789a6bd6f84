import type { TextSource } from '../language/text-source.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'
import { readTimes } from '../time/read-times.ts'
import type { Tense, TimeExpression } from '../time/time-expression.ts'
import type { ClauseVerb } from './clause-verb.ts'
import type { EventClause, Tagged } from './event-clause.ts'
import { type EventTime, HABIT, resolveEventTime } from './event-time.ts'
import {
  FUTURE_HELPERS,
  HABIT_WORDS,
  SCHEDULING_VERBS,
  SPEAKERS,
  THINKING_VERBS,
  TIMETABLE_VERBS,
  WHEN_WORDS
} from './event-words.ts'
import { selectEventTimes } from './select-event-times.ts'

/** A clause in its sentence. `isTimed` is true if the sentence may contain a time. */
type TimedClause = { source: TextSource; tagged: Tagged; clause: EventClause; isTimed: boolean }

/**
 * Resolves the time of a clause from its time expressions and its verb; undefined if it names no time, `doubtful` if it
 * is unclear what happened at the time that it names.
 */
export function resolveClauseTime(
  timed: TimedClause,
  verb: ClauseVerb | undefined
): EventTime | 'doubtful' | undefined {
  const { source, tagged, clause, isTimed } = timed
  const tokens = tagged.tokens.slice(clause.from, clause.to)
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!isTimed || first === undefined || last === undefined) return undefined
  const range = { from: first.start, to: last.end }
  if (isScheduling(timed, verb)) range.from = findScheduledPart(source.text, range)
  const isPlan = tokens.some(({ lower }) => PLANS.has(lower))
  const tense = isPlan ? 'future' : findTenseOfTimes(timed, verb, range)
  const times = selectEventTimes(readTimes(source.text, { ...range, at: source.at, tense }), {
    text: source.text,
    at: source.at,
    tokens,
    tags: tagged.tags.slice(clause.from, clause.to),
    verb,
    verbStart: tagged.tokens[verb?.at ?? clause.from]?.start ?? 0
  })
  const isAimed = (time: TimeExpression) => pointsAhead(timed, verb, time)
  const resolved = resolveEventTime(times, verb, { at: source.at, text: source.text, isAimed })
  const isComing = verb?.tense === 'present' && isBesideFuture(tagged, clause) && resolved?.aspect === undefined
  const time = resolved && isComing ? { ...resolved, aspect: 'planned' as const } : resolved
  // "I have played it for years **when I was** at school"
  if (time?.rule === 'time.since' && tagged.tokens[clause.to]?.lower === 'when') return 'doubtful'
  const words = times.map(({ start, end }) => source.text.slice(start, end))
  if (isPlan || times.length === 0 || verb?.tense !== 'present' || !isHabit(timed, verb, words))
    return time ?? (times.some(({ kind }) => kind !== 'duration') ? 'doubtful' : undefined)
  const isOwn = tagged.tokens.slice(clause.from, verb.at).some(({ lower }) => SPEAKERS.has(lower))
  const isComparison = clause.isOpened && first.lower === 'as'
  return (isOwn || !words.some((word) => FEAST.test(word))) && !isComparison ? HABIT : 'doubtful'
}

/** "I **have a plan** for the summer" */
const PLANS: ReadonlySet<string> = new Set(['plan', 'plans', 'upcoming'])

/** A feast without a year: `we do a lot for Christmas` is about every Christmas. */
const FEAST =
  /^(?:(?:at|on|for|during|over|around) )?(?:christmas|xmas|easter|halloween|thanksgiving|new year['’]?s?(?: eve| day)?)$/i

type Range = { from: number; to: number }

/** Returns where the new time of `was moved from 9 May to 16 May` begins, or the start of the range. */
function findScheduledPart(text: string, { from, to }: Range): number {
  const moved = /\bfrom\b.{1,60}?(?=\bto\b)/i.exec(text.slice(from, to))
  return moved === null ? from : from + moved.index + moved[0].length
}

/** Recognises `moved it to 9 May` and `decided to move it to 9 May`. */
function isScheduling({ tagged: { tokens }, clause }: TimedClause, verb: ClauseVerb | undefined): boolean {
  if (verb === undefined) return false
  if (SCHEDULING_VERBS.has(verb.base)) return true
  return tokens
    .slice(verb.at, clause.to)
    .some(({ lower }, i) => SCHEDULING_VERBS.has(lower) && tokens[verb.at + i - 1]?.lower === 'to')
}

/**
 * Chooses the tense that decides which Friday is meant. A timetable present, a postponement and a booking refer to the
 * next one, and so does `when I see her in May` beside a future.
 */
function findTenseOfTimes(timed: TimedClause, verb: ClauseVerb | undefined, range: Range): Tense | undefined {
  if (verb === undefined) return undefined
  if (verb.tense === 'future') return verb.tense
  if (verb.tense === 'present') {
    if (THINKING_VERBS.has(verb.base) || verb.isMood === true) return 'either'
    const isSet = TIMETABLE_VERBS.has(verb.base) || SCHEDULING_VERBS.has(verb.base)
    if (isSet || verb.isGoingOn || isBesideFuture(timed.tagged, timed.clause)) return 'future'
    return /\bfrom $/i.test(findLead(timed, range, STARTS).before) ? 'future' : undefined
  }
  const { first, before } = findLead(timed, range, AIMS)
  const isAimed = AIM.test(before.slice(-AIM_UNITS))
  if (!isScheduling(timed, verb)) return isAimed ? 'either' : 'past'
  return isAimed || first?.relation === 'until' ? 'future' : 'past'
}

/** Returns the first time of a clause and the text before it, if the clause has one of the words that may lead to it. */
function findLead(
  { source: { text, at }, tagged, clause }: TimedClause,
  { from, to }: Range,
  words: ReadonlySet<string>
): { first?: TimeExpression | undefined; before: string } {
  if (!tagged.tokens.slice(clause.from, clause.to).some(({ lower }) => words.has(lower))) return { before: '' }
  const [first] = readTimes(text, { from, to, at, tense: 'future' })
  return { first, before: first === undefined ? '' : text.slice(from, first.start) }
}

/** Recognises `I'll ask them **when I see them in May**`. */
function isBesideFuture({ tokens }: Tagged, { from, isOpened }: EventClause): boolean {
  return (
    isOpened &&
    WHEN_WORDS.has(tokens[from]?.lower ?? '') &&
    tokens.slice(0, from).some(({ lower }) => FUTURE_HELPERS.has(lower))
  )
}

/** What stands before a time at which something is aimed: `the deadline moved **to** 9 May`. */
const AIM =
  /\b(?:to|for|until|till|starting|beginning|effective|due|ending) (?:(?:on|in|at|from) |\w+ (?:on|at|in) )?(?:the )?$/i
const AIM_UNITS = 24

/** The first words of `AIM` and of deadlines. */
const AIMS: ReadonlySet<string> = new Set('to for until till til by starting beginning effective due ending'.split(' '))
const STARTS: ReadonlySet<string> = new Set(['from'])

/**
 * Checks that a past action aims at a time ahead: `accepted a job **starting 9 May**`, `agreed **to write** it by 9 May`,
 * `got tickets **for** the show on 9 May`, `decided we **are** going on 9 May`.
 */
function pointsAhead(timed: TimedClause, verb: ClauseVerb | undefined, time: TimeExpression): boolean {
  const { source, tagged, clause } = timed
  if (verb === undefined || isScheduling(timed, verb)) return true
  if (AIM.test(source.text.slice(0, time.start).slice(-AIM_UNITS))) return true
  for (let at = verb.at + 1; at < clause.to; at++) {
    const [token, next] = [tagged.tokens[at], tagged.tags[at + 1]]
    if (token === undefined || token.start >= time.start) return false
    if (token.lower === 'for' || (token.lower === 'to' && (next === 'VERB' || next === 'AUX'))) return true
    const isPresent = tagged.tags[at] === 'VERB' && classifyVerbForm(token.lower) === 'present'
    if (isPresent || AHEAD_HELPERS.has(token.lower)) return true
  }
  return false
}

const AHEAD_HELPERS: ReadonlySet<string> = new Set([
  ...FUTURE_HELPERS,
  'is',
  'are',
  "'re",
  '’re',
  "'s",
  '’s',
  'am',
  "'m"
])

/**
 * Checks for a habit: "We usually hike at Easter", "in winter we heat with wood" refer to no particular Easter or
 * winter.
 */
function isHabit({ tagged, clause }: TimedClause, verb: ClauseVerb, times: readonly string[]): boolean {
  if (!verb.isGoingOn && verb.base !== 'be' && times.some((words) => FEAST.test(words))) return true
  if (
    !verb.isGoingOn &&
    times.every((words) =>
      /^(?:(?:in|during|over|throughout) )?(?:the )?(?:winter|spring|summer|autumn|fall)(?: season)?(?:$| and\b)/i.test(
        words
      )
    )
  )
    return true
  return tagged.tokens.slice(clause.from, verb.at).some(({ lower }) => HABIT_WORDS.has(lower))
}
