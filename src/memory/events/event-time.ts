import type { EventRecord } from '../../contract/snapshot.ts'
import { mayBeParticiple } from '../language/verb-forms.ts'
import { DAY_MS } from '../time/calendar.ts'
import type { TimeExpression } from '../time/time-expression.ts'
import type { ClauseVerb } from './clause-verb.ts'
import { BEGINNING_VERBS, MOTION_VERBS, SCHEDULING_VERBS, THINKING_VERBS, TIMETABLE_VERBS } from './event-words.ts'

/** The time of an event with the rule that determined it and its confidence. */
export type EventTime = Pick<EventRecord, 'started_at' | 'ended_at' | 'precision' | 'aspect'> & {
  rule: string
  confidence: number
}

/** A text with its time, and a check whether a past action in it aims at a time ahead. */
type Setting = { text: string; at: string | undefined; isAimed: (time: TimeExpression) => boolean }

/**
 * Combines the time expressions of one clause with its verb; undefined if they name no time. The confidences are shares
 * counted in events of real conversations.
 */
export function resolveEventTime(
  times: readonly TimeExpression[],
  verb: ClauseVerb | undefined,
  { text, at, isAimed }: Setting
): EventTime | undefined {
  const named = times.find(({ startedAt, endedAt }) => startedAt !== undefined || endedAt !== undefined)
  if (times.some(({ kind }) => kind === 'recurring'))
    return isBothOnce(named, verb) ? undefined : resolveRecurring(named, verb)
  if (named === undefined) return undefined
  const when = toTimeFields(named)
  if (verb === undefined) return isEntryBegun(named, text, at) ? undefined : resolveNote(named, when, at)
  if (verb.tense === 'future') return resolvePlanned(named, { when, at, isDuty: verb.isDuty })
  if (verb.tense === 'past') return resolvePast(named, { when, text, at, isAimed, verb })
  // "I'm nervous about the exam on 2 April" dates the exam, not the feeling.
  const isThought = verb.isMood === true || THINKING_VERBS.has(verb.base)
  if (isThought && (isAhead(named, at) || isGone(named, at)) && !isDueAttempt(named, verb)) return undefined
  // "I'm thinking of going tonight"
  if (verb.base === 'think' && verb.isGoingOn) return undefined
  // "I'm going today"
  if (verb.isGoingOn && MOTION_VERBS.has(verb.base) && !isGone(named, at) && named.kind === 'instant')
    return { ...when, aspect: 'planned', rule: 'time.planned', confidence: 0.8 }
  return resolvePresent(named, { when, text, at, verb })
}

/** Recognises an entry of a schedule, `1 May - 9 May: painting`, which does not show whether it was kept. */
function isEntryBegun(time: TimeExpression, text: string, at: string | undefined): boolean {
  if (time.kind !== 'range' || isAhead(time, at)) return false
  return /^\)?:/.test(text.slice(time.end, time.end + 2)) || /: $/.test(text.slice(0, time.start).slice(-2))
}

function resolveNote(time: TimeExpression, when: When, at: string | undefined): EventTime {
  return { ...when, ...findAspect(time, at), rule: 'time.note', confidence: 0.6 }
}

/** "I'm trying to finish it **by Friday**" */
function isDueAttempt({ relation }: TimeExpression, { base }: ClauseVerb): boolean {
  return base === 'try' && relation === 'until'
}

type When = Pick<EventRecord, 'started_at' | 'ended_at' | 'precision'>

function toTimeFields({ startedAt, endedAt, precision }: TimeExpression): When {
  return {
    ...(startedAt === undefined ? {} : { started_at: startedAt }),
    ...(endedAt === undefined ? {} : { ended_at: endedAt }),
    precision
  }
}

/** "At Easter we usually bake" is a habit, whatever time it names. */
export const HABIT: EventTime = { aspect: 'recurring', rule: 'time.recurring', confidence: 0.8 }

/** Resolves `every Tuesday since May`: a recurring event has a time only if it states its start or end. */
function resolveRecurring(named: TimeExpression | undefined, verb: ClauseVerb | undefined): EventTime {
  const isBound = named?.kind === 'range'
  const confidence = verb === undefined ? 0.6 : 0.8
  // "I'll start with weekly checks" has not begun.
  const aspect = verb?.tense === 'future' && BEGINNING_VERBS.has(verb.base) ? 'planned' : 'recurring'
  return { ...(isBound ? toTimeFields(named) : {}), aspect, rule: 'time.recurring', confidence }
}

/** "I joined **on Monday** and go twice a week" says two things. */
function isBothOnce(named: TimeExpression | undefined, verb: ClauseVerb | undefined): boolean {
  return named?.kind === 'instant' && /^(?:day|week|month)$/.test(named.precision) && verb?.tense === 'past'
}

type Plan = { when: When; at: string | undefined; isDuty: boolean }

function resolvePlanned(time: TimeExpression, { when, at, isDuty }: Plan): EventTime | undefined {
  if (isGone(time, at)) return undefined
  return { ...when, aspect: 'planned', rule: 'time.planned', confidence: isDuty ? 0.7 : 0.85 }
}

/** A verb in its setting, with the time fields of its event. */
type Done = Setting & { when: When; verb: ClauseVerb }

/**
 * Resolves the past tense. With a time ahead, what was booked, moved or aimed at it is planned for then; anything else
 * on a date is past in spite of the time of the text, which may be inexact.
 */
function resolvePast(time: TimeExpression, { when, text, at, isAimed, verb }: Done): EventTime | undefined {
  const isDone =
    time.relation === 'until' &&
    !SCHEDULING_VERBS.has(verb.base) &&
    time.endedAt !== undefined &&
    isWithinDay(time.endedAt, at)
  if (isAhead(time, at) && !isDone) {
    if (isAimed(time)) return { ...when, aspect: 'planned', rule: 'time.planned', confidence: 0.7 }
    const isDate = /\d/.test(text.slice(time.start, time.end))
    return isDate ? { ...when, aspect: 'past', rule: 'time.past', confidence: 0.6 } : undefined
  }
  return { ...when, aspect: 'past', rule: time.relation === 'since' ? 'time.since' : 'time.past', confidence: 0.93 }
}

/** Resolves the present tense by the time alone. A time of day without a day does not show whether the event recurs. */
function resolvePresent(time: TimeExpression, { when, text, at, verb }: Omit<Done, 'isAimed'>): EventTime | undefined {
  if (isGone(time, at) && isNow(time, verb, text)) return undefined
  if (time.precision === 'hour' || time.precision === 'minute')
    return isAhead(time, at) && time.relation !== 'until' ? resolvePlanned(time, { when, at, isDuty: true }) : undefined
  if (isAhead(time, at)) return { ...when, aspect: 'planned', rule: 'time.planned', confidence: 0.8 }
  if (isGone(time, at) || time.relation === 'since')
    return { ...when, aspect: 'past', rule: 'time.present', confidence: 0.75 }
  return { ...when, rule: 'time.present', confidence: 0.75 }
}

/**
 * Recognises what holds now although it names a past time: "I'm reading the book from last week", "it covers the years
 * from 1990 to 2020", "I have to finish by 9 May", said later. Without a year, a past time of a plain present is only
 * a guess.
 */
function isNow(time: TimeExpression, verb: ClauseVerb, text: string): boolean {
  const { start, end, kind, relation } = time
  const { base, isGoingOn, isMood, isPerfect } = verb
  // "I read it on 9 May" may be past.
  if (isPerfect || (mayBeParticiple(base) && !isGoingOn)) return false
  if (isGoingOn || isMood === true || kind === 'range' || relation === 'until') return true
  return !TIMETABLE_VERBS.has(base) && !/\d{4}/.test(text.slice(start, end))
}

function findAspect(time: TimeExpression, at: string | undefined): Pick<EventRecord, 'aspect'> {
  if (isAhead(time, at)) return { aspect: 'planned' }
  return isGone(time, at) ? { aspect: 'past' } : {}
}

/** Checks that a time lies after the time of the text, `at`. */
export function isAhead({ startedAt, endedAt, relation }: TimeExpression, at: string | undefined): boolean {
  if (at === undefined) return false
  return relation === 'until' ? endedAt !== undefined && endedAt > at : startedAt !== undefined && startedAt > at
}

function isWithinDay(endedAt: string, at: string | undefined): boolean {
  return at !== undefined && Date.parse(endedAt) - Date.parse(at) <= DAY_MS
}

/** Checks that a time lies before the time of the text, `at`. */
function isGone({ startedAt, endedAt, relation }: TimeExpression, at: string | undefined): boolean {
  if (at === undefined || relation === 'since' || relation === 'after') return false
  return endedAt === undefined ? startedAt !== undefined && startedAt < at : endedAt <= at
}
