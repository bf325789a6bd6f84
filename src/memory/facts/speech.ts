import type { Clause } from './clause.ts'
import { type FoundSubject, findSubject } from './find-subject.ts'
import { newClause } from './new-clause.ts'
import type { VerbPlace } from './read-clauses.ts'
import { SPEECH_VERBS } from './words/verb-classes.ts'

/** `"…", said Bob` and `…, he said`: what stands before is what was said. */
export function speechBefore(place: VerbPlace, found: FoundSubject | undefined): Clause | undefined {
  const { state, at, verb, from } = place
  const { chunks } = state
  if (!SPEECH_VERBS.has(verb.base)) return undefined
  if (found === undefined) {
    const isAfterMark = at === from || ['comma', 'quote'].includes(chunks[at - 1]?.kind ?? '')
    const follows = chunks[at + 2]?.kind
    if (
      !isAfterMark ||
      chunks[at + 1]?.kind !== 'noun' ||
      (follows !== undefined && follows !== 'stop' && follows !== 'comma')
    )
      return undefined
    return newClause(place, { kind: 'speech', start: at, subject: { from: at + 1, to: at + 2 } })
  }
  const next = chunks[at + 1]?.kind
  const opener = chunks[found.subject.from - 1]?.kind
  if ((opener !== 'comma' && opener !== 'quote') || !(next === undefined || next === 'stop' || next === 'comma'))
    return undefined
  const first = state.clauses.length === 0 ? findSubject(chunks, from, found.subject.from - 1) : undefined
  if (state.clauses.length === 0 && (first === undefined || next !== 'comma')) return undefined
  if (first !== undefined) state.waiting.push({ ...first, marker: '', within: undefined, kind: 'main' })
  return newClause(place, { kind: 'speech', start: found.subject.from - 1, subject: found.subject })
}
