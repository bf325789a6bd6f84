import type { Clause } from './clause.ts'
import type { FoundSubject } from './find-subject.ts'
import { newClause } from './new-clause.ts'
import type { ReadState, VerbPlace } from './read-clauses.ts'
import { NOMINATIVES } from './words/clause-words.ts'
import { CAUSATIVE_VERBS } from './words/verb-classes.ts'

/** "It made me **laugh**", "they helped Ann **move**": a base form after somebody who is made, let or helped to. */
export function bareInfinitive(place: VerbPlace, current: Clause): Clause | undefined {
  const { state, at, from, verb } = place
  if (!CAUSATIVE_VERBS.has(current.verb.base) || verb.hasAuxiliary || verb.opens !== verb.base) return undefined
  if (verb.form !== 'finite' || state.chunks.slice(from, at).some(({ kind }) => kind === 'and' || kind === 'comma'))
    return undefined
  return newClause(place, {
    kind: 'infinitive',
    start: at,
    within: current,
    subject: at > from ? { from, to: from + 1 } : current.subject
  })
}

/** "**Painting the house** takes time": a verb in -ing that opens the sentence is the subject. */
export function gerundSubject(place: VerbPlace, current: Clause, found: FoundSubject | undefined): Clause | undefined {
  const { state, at, from } = place
  const first = state.clauses[0] ?? current
  if (first.verb.form !== 'ing' || first.subject !== undefined || first.verb.hasAuxiliary) return undefined
  if (found !== undefined && current !== first && current.kind !== 'relative') return undefined
  if (
    startsNominative(state, found) ||
    state.chunks.slice(from, at).some((chunk) => chunk.kind === 'comma' || chunk.kind === 'and')
  )
    return undefined
  if (first.kind !== 'adjunct') return undefined
  first.kind = 'gerund'
  return newClause(place, { kind: 'main', start: at, subject: { from: first.at, to: at } })
}

/** "… **he** went": a pronoun that can only be a subject. */
export function startsNominative({ chunks, tokens }: ReadState, found: FoundSubject | undefined): boolean {
  return found !== undefined && NOMINATIVES.has(tokens[chunks[found.subject.from]?.head ?? -1]?.lower ?? '')
}
