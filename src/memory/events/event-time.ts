import type { EventRecord } from '../../contract/snapshot.ts'
import type { TimeExpression } from '../time/time-expression.ts'
import type { ClauseVerb } from './clause-verb.ts'

/** When something is, as an event says it, and how sure that is to be true. */
export type EventTime = Pick<EventRecord, 'started_at' | 'ended_at' | 'precision' | 'aspect'> & {
  rule: string
  confidence: number
}

/**
 * What the time expressions of one clause and its verb say together; undefined where they name no time. `at` is when it
 * was said. Shares were counted by reading events of real conversations.
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
  if (verb.tense === 'past') return resolvePast(named, when, at)
  return resolvePresent(named, when, at)
}

type When = Pick<EventRecord, 'started_at' | 'ended_at' | 'precision'>

function toTimeFields({ startedAt, endedAt, precision }: TimeExpression): When {
  return {
    ...(startedAt === undefined ? {} : { started_at: startedAt }),
    ...(endedAt === undefined ? {} : { ended_at: endedAt }),
    precision
  }
}

/** "At Easter we usually bake": a habit, whatever time it names. */
export const HABIT: EventTime = { aspect: 'recurring', rule: 'time.recurring', confidence: 0.8 }

/** `every Tuesday since May`: what comes again has a time only where it begins or ends. */
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

/** In the past tense of a time to come: what was booked, or moved, is for then. */
function resolvePast(time: TimeExpression, when: When, at: string | undefined): EventTime {
  if (isAhead(time, at)) return { ...when, aspect: 'planned', rule: 'time.planned', confidence: 0.7 }
  return { ...when, aspect: 'past', rule: time.relation === 'since' ? 'time.since' : 'time.past', confidence: 0.93 }
}

/** In the present tense the time alone tells; of a time of day without a day one cannot know how often it is meant. */
function resolvePresent(time: TimeExpression, when: When, at: string | undefined): EventTime | undefined {
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

function isGone({ startedAt, endedAt, relation }: TimeExpression, at: string | undefined): boolean {
  if (at === undefined || relation === 'since' || relation === 'after') return false
  return endedAt === undefined ? startedAt !== undefined && startedAt < at : endedAt <= at
}
