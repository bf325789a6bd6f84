import type { Phrase } from './chunk.ts'
import type { Clause } from './clause.ts'
import { findSubject } from './find-subject.ts'
import { newClause } from './new-clause.ts'
import type { ReadState, VerbPlace, Waiting } from './read-clauses.ts'

/** The antecedent has no verb yet: it is the subject of one to come. */
export function keepWaiting(place: VerbPlace, antecedent: Phrase): void {
  const { state, from } = place
  const { clauses, chunks, waiting } = state
  const current = clauses.at(-1)
  const border = lastOpener(state, from, antecedent.from)
  const opener = chunks[border]?.kind
  const start = border < from ? from : border + 1
  const isApposed = chunks[antecedent.from - 1]?.kind === 'comma' && chunks[antecedent.from - 2]?.kind === 'noun'
  const apart = isApposed && current === undefined ? findSubject(chunks, start, antecedent.from - 1) : undefined
  const found = apart ?? findSubject(chunks, start, antecedent.to)
  if (found === undefined) return
  const isFirst = current === undefined || opener === 'stop'
  const isAfterOpening = current?.kind === 'adverbial' && chunks[antecedent.from - 1]?.kind === 'comma'
  const isOpened = opener === 'marker' || (opener === 'relative' && current !== undefined)
  const isAfterAnd = chunks[found.subject.from - 1]?.kind === 'and' && antecedent.from > from + 1
  if (!isFirst && !isAfterOpening && !isOpened && !isAfterAnd) return
  const marker = isOpened ? (state.tokens[chunks[border]?.from ?? -1]?.lower ?? '') : ''
  const kind = opener === 'marker' ? 'adverbial' : opener === 'relative' ? 'complement' : 'main'
  waiting.push({
    subject: found.subject,
    openings: found.openings,
    marker,
    within: kind === 'complement' ? current : undefined,
    kind
  })
}

/** The verb that a subject has waited for. */
export function resume(place: VerbPlace, waiting: Waiting): Clause {
  place.state.waiting.pop()
  return newClause(place, { ...waiting, start: place.at })
}

/** The last chunk before a verb that opens a clause; one before `from` where there is none. */
export function lastOpener({ chunks }: ReadState, from: number, at: number): number {
  for (let i = at - 1; i >= from; i--) {
    const kind = chunks[i]?.kind
    if (kind === 'marker' || kind === 'relative' || kind === 'stop') return i
  }
  return from - 1
}
