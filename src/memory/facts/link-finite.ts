import { afterSubject } from './after-subject.ts'
import type { Phrase } from './chunk.ts'
import type { Clause } from './clause.ts'
import { coordinate, lastFinite } from './coordinate.ts'
import { findSubject } from './find-subject.ts'
import { newClause } from './new-clause.ts'
import type { VerbPlace } from './read-clauses.ts'
import { relativeClause } from './relative-clause.ts'
import { speechBefore } from './speech.ts'
import { bareInfinitive, gerundSubject, startsNominative } from './verb-as-noun.ts'
import { keepWaiting, lastOpener, resume } from './waiting.ts'
import { REPORTING_VERBS } from './words/verb-classes.ts'

/** Links a finite verb to its subject and to the clause it hangs on. */
export function linkFinite(place: VerbPlace): Clause | undefined {
  const { state, at, from } = place
  const border = lastOpener(state, from, at)
  const kind = state.chunks[border]?.kind
  if (kind === 'relative') return relativeClause(place, border) ?? plainClause(place, border + 1)
  if (kind === 'marker') return markedClause(place, border)
  return plainClause(place, kind === 'stop' ? border + 1 : from)
}

/** "because he came", "if it rains", "when the train stops". */
function markedClause(place: VerbPlace, border: number): Clause {
  const { state, at } = place
  const marker = state.tokens[state.chunks[border]?.from ?? -1]?.lower ?? ''
  const found = findSubject(state.chunks, border + 1, at)
  const start = state.chunks[border - 1]?.kind === 'adverb' && border - 1 >= place.from ? border - 1 : border
  const before = lastFinite(state)
  const role = marker === 'as' && found !== undefined ? roleBefore(place, border, found.subject) : undefined
  if (role !== undefined && found !== undefined && before === undefined)
    return newClause(place, { kind: 'main', start: border, subject: found.subject, openings: [role] })
  const isAsked = before !== undefined && border === place.from && REPORTING_VERBS.has(before.verb.base)
  if (ALWAYS_COMPLEMENT.has(marker) || (isAsked && MAYBE_COMPLEMENT.has(marker)))
    return newClause(place, { kind: 'complement', start: border, marker, within: state.clauses.at(-1), ...found })
  const isPlace =
    (marker === 'where' || marker === 'when') && state.chunks[border - 1]?.kind === 'noun' && border > place.from
  if (isPlace) keepWaiting(place, { from: border - 1, to: border })
  return newClause(place, {
    kind: 'adverbial',
    start,
    marker,
    subject: found?.subject ?? before?.subject,
    openings: found?.openings ?? []
  })
}

/** "**As a child** Ann lived here": a noun without a verb of its own stands before the subject. */
function roleBefore({ state }: VerbPlace, border: number, subject: Phrase): Phrase | undefined {
  const isNoun = subject.from === border + 2 && state.chunks[border + 1]?.kind === 'noun'
  return isNoun && startsNominative(state, { subject, openings: [] }) ? { from: border, to: border + 2 } : undefined
}

/** "She knows **how** it works"; "asked **if** it works" only after verbs of saying and thinking. */
const ALWAYS_COMPLEMENT = new Set(['whether', 'how', 'why'])
const MAYBE_COMPLEMENT = new Set(['if', 'when', 'where'])

/** A verb without a word that opens its clause: the first one, one after `and`, one whose subject waits, one that is said. */
function plainClause(place: VerbPlace, from: number): Clause | undefined {
  const { state, at } = place
  const { chunks } = state
  const found = findSubject(chunks, from, at)
  const current = state.clauses.at(-1)
  const waiting = state.waiting.at(-1)
  if (current === undefined || chunks[from - 1]?.kind === 'stop') {
    const quoted = current === undefined ? speechBefore(place, found) : undefined
    if (quoted !== undefined) return quoted
    if (found === undefined && current !== undefined) return coordinate(place, from)
    return newClause(place, { kind: 'main', start: from, ...found })
  }
  const quoted = speechBefore(place, found)
  if (quoted !== undefined) return quoted
  if (waiting !== undefined && !startsNominative(state, found)) return resume(place, waiting)
  const caused = bareInfinitive(place, current)
  if (caused !== undefined) return caused
  const gerund = gerundSubject(place, current, found)
  if (gerund !== undefined) return gerund
  if (found === undefined) return coordinate(place, from)
  return afterSubject(place, found, current)
}
