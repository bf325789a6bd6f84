import type { EventRecord } from '../../contract/snapshot.ts'
import type { Tag, Token } from '../language/token.ts'
import { DAY_MS } from '../time/calendar.ts'
import type { TimeExpression } from '../time/time-expression.ts'
import type { ClauseVerb } from './clause-verb.ts'
import { BEGINNING_VERBS, MOTION_VERBS, SCHEDULING_VERBS, SUBJECT_PRONOUNS, THINKING_VERBS } from './event-words.ts'

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
  // "I'm nervous about the exam on 2 April" dates the exam, not the feeling.
  const isThought = verb.isMood === true || THINKING_VERBS.has(verb.base)
  if (isThought && (isAhead(named, at) || isGone(named, at)) && !isDueAttempt(named, verb)) return undefined
  // "I'm going today"
  if (verb.isGoingOn && MOTION_VERBS.has(verb.base) && !isGone(named, at) && named.kind === 'instant')
    return { ...when, aspect: 'planned', rule: 'time.planned', confidence: 0.8 }
  return resolvePresent(named, { when, at, isGoingOn: verb.isGoingOn || verb.isMood === true })
}

/** A text with its time, the tokens and tags of one of its clauses, and the verb of the clause. */
type Told = {
  text: string
  at: string | undefined
  tokens: readonly Token[]
  tags: readonly Tag[]
  verb: ClauseVerb | undefined
  /** Where the verb starts in the text, in UTF-16 code units. */
  verbStart: number
}

/**
 * Selects the time expressions of a clause that say when its event takes place. Leaves out those that only describe a
 * thing (`my July 18 presentation`) and those of a narration, which have no reference (`the next year I sold it`).
 * Two different times without a range between them say that there are two events, so neither is selected.
 */
export function selectEventTimes(times: readonly TimeExpression[], told: Told): TimeExpression[] {
  const own = times.filter(
    (time) =>
      !isAttributive(time, told) && !isNarrated(time, told) && !isOfThing(time, told) && !isOfOtherClause(time, told)
  )
  const [first, ...others] = own.filter(({ kind, startedAt }) => kind === 'instant' && startedAt !== undefined)
  if (first !== undefined && others.some((other) => isApart(first, other))) return []
  // "I took a contract **for 3 months** starting on 1 April"
  return first === undefined ? own : own.filter(({ relation }) => relation !== 'since')
}

/**
 * Recognises a time between a determiner and a noun: `the 7 PM slot`, `Ann's April 15 session`, `the 9 May, 2024, gala`.
 * A time of day before a plural needs no determiner: `Sunday 10 AM classes`.
 */
function isAttributive({ start, end: last, precision }: TimeExpression, { text, tokens, tags }: Told): boolean {
  const end = /, \d{4}$/.test(text.slice(start, last)) && text.startsWith(', ', last) ? last + 1 : last
  const before = text.slice(Math.max(0, start - OWNER_UNITS), start)
  const next = tokens.findIndex((token) => token.start >= end)
  if (precision === 'hour' && tags[next] === 'NOUN' && tokens[next]?.lower.endsWith('s') && !PLACED.test(before))
    return true
  if (!OWNER.test(before)) return false
  const noun = tags[next] === 'ADJ' ? next + 1 : next
  return tags[noun] === 'NOUN' && (tokens[next]?.start ?? 0) === end + 1
}

const OWNER = /(?:(?:^|\s)(?:my|the|a|an|her|his|our|their|your|its)|['’]s) $/i
const OWNER_UNITS = 8
const PLACED = /\b(?:on|at|in|by|from|to|since|until) $/i

/**
 * Recognises a time to which a state of mind or a refusal refers: `is getting ready for the weekend`, `rejected the
 * shoots on 6 April`, which do not take place.
 */
function isOfThing(time: TimeExpression, { text, tokens, verb, at }: Told): boolean {
  if (/\b(?:dated|known) $/i.test(text.slice(Math.max(0, time.start - READY_UNITS), time.start))) return true
  const said = text.slice(Math.max(0, time.start - READY_UNITS), time.end)
  if (/(?:\bup|ready|prepar\w+|wait\w*) for (?:the |this |my |our )?(?:\S+ ?){1,2}$/i.test(said))
    return verb?.tense === 'present'
  return verb?.tense === 'past' && isAhead(time, at) && tokens.some(({ lower }) => REFUSALS.test(lower))
}

const READY_UNITS = 14
const REFUSALS = /^(?:reject|declin|refus|skip|miss|cancel)(?:e|ped|led|ed|s|sed)?$/

/**
 * Recognises a time of the next clause (`it's the stall we liked last week`), one that another time narrows (`in
 * **winter** 2 years ago`), a single day written like a habit (`last Sundays brunch`), and a past `this` that points
 * ahead (`this Christmas Eve I baked`).
 */
function isOfOtherClause(
  { start, end, kind, startedAt }: TimeExpression,
  { text, tokens, tags, verb, verbStart, at }: Told
): boolean {
  if (/^ (?:(?:break|holidays?|vacation) )?\S+ (?:year|month|week)s? ago\b/i.test(text.slice(end, end + NARROW_UNITS)))
    return true
  if (kind === 'recurring' && /\b(?:last|this|next|that) $/i.test(text.slice(Math.max(0, start - OWNER_UNITS), start)))
    return true
  if (verb === undefined) return false
  if (verb.tense === 'past')
    return /^this /i.test(text.slice(start, end)) && start < verbStart && at !== undefined && (startedAt ?? '') > at
  if (verb.tense !== 'present') return false
  return tokens.some(
    (token, i) =>
      token.start > verbStart &&
      token.end < start &&
      SUBJECT_PRONOUNS.has(token.lower) &&
      [tags[i + 1], tags[i + 2]].some((tag) => tag === 'VERB' || tag === 'AUX')
  )
}

const NARROW_UNITS = 40

function isNarrated({ start, end }: TimeExpression, { text, verb }: Told): boolean {
  return verb?.tense === 'past' && /^the (?:next|following) /i.test(text.slice(start, end))
}

function isApart({ startedAt: from, endedAt: to, precision }: TimeExpression, other: TimeExpression): boolean {
  const isSame = other.precision === precision && other.relation === undefined
  return isSame && (precision === 'year' || precision === 'day') && from !== other.startedAt && to !== other.endedAt
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
