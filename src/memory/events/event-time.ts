import type { EventRecord } from '../../contract/snapshot.ts'
import { DAY_MS } from '../time/calendar.ts'
import type { TimeExpression } from '../time/time-expression.ts'
import type { ClauseVerb } from './clause-verb.ts'
import { SCHEDULING_VERBS } from './event-words.ts'

/** The time of an event with the rule that determined it and its confidence. */
export type EventTime = Pick<EventRecord, 'started_at' | 'ended_at' | 'precision' | 'aspect'> & {
  rule: string
  confidence: number
}

/**
 * Combines the time expressions of one clause with its verb; undefined if they name no time. `at` is the time of the
 * text. The confidences are shares counted in events of real conversations.
 */
export function resolveEventTime(
  times: readonly TimeExpression[],
  verb: ClauseVerb | undefined,
  at: string | undefined
): EventTime | undefined {
  const named = times.find(({ startedAt, endedAt }) => startedAt !== undefined || endedAt !== undefined)
  if (times.some(({ kind }) => kind === 'recurring')) return resolveRecurring(named, verb)
  if (named === undefined) return undefined
  const when = toTimeFields(named)
  if (verb === undefined) return { ...when, ...findAspect(named, at), rule: 'time.note', confidence: 0.6 }
  if (verb.tense === 'future') return resolvePlanned(named, { when, at, isDuty: verb.isDuty })
  if (verb.tense === 'past') return resolvePast(named, { when, at, isScheduling: SCHEDULING_VERBS.has(verb.base) })
  return resolvePresent(named, { when, at, isGoingOn: verb.isGoingOn || verb.isMood === true })
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
  return { ...(isBound ? toTimeFields(named) : {}), aspect: 'recurring', rule: 'time.recurring', confidence }
}

type Plan = { when: When; at: string | undefined; isDuty: boolean }

function resolvePlanned(time: TimeExpression, { when, at, isDuty }: Plan): EventTime | undefined {
  if (isGone(time, at)) return undefined
  return { ...when, aspect: 'planned', rule: 'time.planned', confidence: isDuty ? 0.7 : 0.85 }
}

type Done = { when: When; at: string | undefined; isScheduling: boolean }

/**
 * Resolves the past tense with a future time: what was booked or moved is planned for then. What was done by today is
 * past.
 */
function resolvePast(time: TimeExpression, { when, at, isScheduling }: Done): EventTime {
  const isDone =
    time.relation === 'until' && !isScheduling && time.endedAt !== undefined && isWithinDay(time.endedAt, at)
  if (isAhead(time, at) && !isDone) return { ...when, aspect: 'planned', rule: 'time.planned', confidence: 0.7 }
  return { ...when, aspect: 'past', rule: time.relation === 'since' ? 'time.since' : 'time.past', confidence: 0.93 }
}

/** Resolves the present tense by the time alone. A time of day without a day does not show whether the event recurs. */
function resolvePresent(
  time: TimeExpression,
  { when, at, isGoingOn }: { when: When; at: string | undefined; isGoingOn: boolean }
): EventTime | undefined {
  // "I'm reading the book from last week" happens now.
  if (isGoingOn && isGone(time, at)) return undefined
  if (time.precision === 'hour' || time.precision === 'minute')
    return isAhead(time, at) ? resolvePlanned(time, { when, at, isDuty: true }) : undefined
  if (isAhead(time, at)) return { ...when, aspect: 'planned', rule: 'time.planned', confidence: 0.8 }
  if (isGone(time, at) || time.relation === 'since')
    return { ...when, aspect: 'past', rule: 'time.present', confidence: 0.75 }
  return { ...when, rule: 'time.present', confidence: 0.75 }
}

function findAspect(time: TimeExpression, at: string | undefined): Pick<EventRecord, 'aspect'> {
  if (isAhead(time, at)) return { aspect: 'planned' }
  return isGone(time, at) ? { aspect: 'past' } : {}
}

function isAhead({ startedAt, endedAt, relation }: TimeExpression, at: string | undefined): boolean {
  if (at === undefined) return false
  return relation === 'until' ? endedAt !== undefined && endedAt > at : startedAt !== undefined && startedAt > at
}

function isWithinDay(endedAt: string, at: string | undefined): boolean {
  return at !== undefined && Date.parse(endedAt) - Date.parse(at) <= DAY_MS
}

function isGone({ startedAt, endedAt, relation }: TimeExpression, at: string | undefined): boolean {
  if (at === undefined || relation === 'since' || relation === 'after') return false
  return endedAt === undefined ? startedAt !== undefined && startedAt < at : endedAt <= at
}
