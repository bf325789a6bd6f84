import type { Phrase } from './chunk.ts'
import type { Clause } from './clause.ts'
import type { FoundSubject } from './find-subject.ts'
import { newClause } from './new-clause.ts'
import type { ReadState, VerbPlace } from './read-clauses.ts'
import { OBJECT_CONTROL_VERBS, REPORTING_VERBS } from './words/verb-classes.ts'

/** A noun phrase before the verb, and a verb before that: whose is the noun? */
export function afterSubject(place: VerbPlace, found: FoundSubject, current: Clause): Clause {
  const { state, from } = place
  const { chunks } = state
  const { subject } = found
  const openStart = openingStart(state, from, subject.from)
  const opener = chunks[openStart - 1]?.kind
  if (REPORTING_VERBS.has(current.verb.base) && openStart === from) {
    return newClause(place, { kind: 'complement', start: from, within: current, ...found })
  }
  if (opener === 'and' || opener === 'comma') {
    const isAfterOpening = current.kind === 'adverbial' && opener === 'comma'
    const within = opener === 'and' && !isAfterOpening && current.kind === 'complement' ? current.within : undefined
    const openings = found.openings.filter((phrase) => phrase.from >= openStart - 1)
    return newClause(place, { kind: 'main', start: openStart - 1, within, subject, openings })
  }
  const inner = lastAnd(state, subject)
  if (inner >= 0) return newClause(place, { kind: 'main', start: inner, subject: { from: inner + 1, to: subject.to } })
  const isTold = OBJECT_CONTROL_VERBS.has(current.verb.base) && REPORTING_VERBS.has(current.verb.base)
  if (isTold && chunks[from]?.kind === 'noun' && subject.from === from + 1)
    return newClause(place, { kind: 'complement', start: subject.from, within: current, ...found, openings: [] })
  if (chunks[subject.from - 1]?.kind === 'noun' && subject.from - 1 >= from) {
    const antecedent = { from: subject.from - 1, to: subject.from }
    return newClause(place, { kind: 'relative', start: subject.from, antecedent, ...found, openings: [] })
  }
  if (isReducedAfterAll(current) && !isPronounSubject(state, current)) {
    const { subject: whose, openings } = current
    current.kind = 'participle'
    return newClause(place, { kind: 'main', start: place.at, subject: whose, openings })
  }
  return newClause(place, { kind: 'complement', start: subject.from, within: current, ...found })
}

/** "The man **seen** there died": what looked like a past tense was a participle. */
function isReducedAfterAll(current: Clause): boolean {
  return current.verb.form === 'bare' && current.kind === 'main' && current.subject !== undefined
}

function isPronounSubject({ chunks, tokens }: ReadState, { subject }: Clause): boolean {
  const chunk = chunks[subject?.from ?? -1]
  return chunk?.isPronoun === true || tokens[chunk?.head ?? -1]?.lower === 'i'
}

/** Where the openings of a subject begin: "…, in 1990 **Bob**" begins at `in`. */
function openingStart({ chunks }: ReadState, from: number, subject: number): number {
  let start = subject
  while (start > from) {
    const kind = chunks[start - 1]?.kind
    if (kind === 'and' || kind === 'comma' || kind === 'stop') break
    if (kind === 'adverb' || kind === 'quote' || kind === 'other') start--
    else break
  }
  return start
}

function lastAnd({ chunks }: ReadState, { from, to }: Phrase): number {
  for (let at = to - 1; at > from; at--) if (chunks[at]?.kind === 'and') return at
  return -1
}
