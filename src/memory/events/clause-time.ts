import type { TextSource } from '../text-source.ts'
import { readTimes } from '../time/read-times.ts'
import type { Tense } from '../time/time-expression.ts'
import type { ClauseVerb } from './clause-verb.ts'
import type { EventClause, Tagged } from './event-clause.ts'
import { type EventTime, eventTime, HABIT } from './event-time.ts'
import { HABIT_WORDS, SCHEDULING_VERBS, TIMETABLE_VERBS } from './event-words.ts'

/** A clause in its sentence. `isTimed`: something in the sentence may be a time. */
export type TimedClause = { source: TextSource; tagged: Tagged; clause: EventClause; isTimed: boolean }

/** When a clause says that it is, by its time expressions and its verb; undefined where it names no time. */
export function clauseTime(timed: TimedClause, verb: ClauseVerb | undefined): EventTime | undefined {
  const { source, tagged, clause, isTimed } = timed
  const [first, last] = [tagged.tokens[clause.from], tagged.tokens[clause.to - 1]]
  if (!isTimed || first === undefined || last === undefined) return undefined
  const range = { from: first.start, to: last.end }
  const times = readTimes(source.text, { ...range, at: source.at, tense: tenseOfTimes(source, verb, range) })
  const time = eventTime(times, verb, source.at)
  const words = times.map(({ start, end }) => source.text.slice(start, end))
  return time !== undefined && isHabit(timed, verb, words) ? HABIT : time
}

type Range = { from: number; to: number }

/** Which Friday is meant: in the present tense of a timetable, and where something is put off or booked, the next. */
function tenseOfTimes({ text, at }: TextSource, verb: ClauseVerb | undefined, { from, to }: Range): Tense | undefined {
  if (verb === undefined) return undefined
  if (verb.tense === 'present') return TIMETABLE_VERBS.has(verb.base) || verb.isGoingOn ? 'future' : undefined
  if (verb.tense === 'future' || !SCHEDULING_VERBS.has(verb.base)) return verb.tense
  const [first] = readTimes(text, { from, to, at, tense: 'future' })
  const isAimed =
    first !== undefined && /\b(?:to|for|until|till) (?:the )?$/i.test(text.slice(from, first.start).slice(-10))
  return isAimed || first?.relation === 'until' ? 'future' : 'past'
}

/** "We usually hike at Easter", "in winter we heat with wood": of no one Easter and no one winter. */
function isHabit({ tagged, clause }: TimedClause, verb: ClauseVerb | undefined, times: readonly string[]): boolean {
  if (verb?.tense !== 'present') return false
  if (!verb.isGoingOn && times.some((words) => /^(?:winter|spring|summer|autumn|fall)$/i.test(words))) return true
  return tagged.tokens.slice(clause.from, verb.at).some(({ lower }) => HABIT_WORDS.has(lower))
}
