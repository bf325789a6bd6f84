import { verbForm } from '../language/verb-forms.ts'
import type { Clause } from './clause.ts'
import { newClause } from './new-clause.ts'
import type { ReadState, VerbPlace } from './read-clauses.ts'

/** A verb after `and` or a comma shares the subject of the finite clause before. */
export function coordinate(place: VerbPlace, from: number): Clause | undefined {
  const { state, at } = place
  const { chunks } = state
  let start = at
  while (start > from && ['adverb', 'quote'].includes(chunks[start - 1]?.kind ?? '')) start--
  const isLinked = ['and', 'comma'].includes(chunks[start - 1]?.kind ?? '')
  if (!isLinked && chunks[start - 1]?.kind !== 'stop') return undefined
  const before = isLinked ? parallel(place, chunks[start - 2]?.kind === 'comma') : lastFinite(state)
  if (before !== undefined && !goTogether(before, place)) return undefined
  while (start > from && ['and', 'comma'].includes(chunks[start - 1]?.kind ?? '')) start--
  lendModal(before, place)
  return newClause(place, {
    kind: before === undefined ? 'main' : before.kind === 'infinitive' ? 'infinitive' : 'coordinate',
    start: isLinked ? start : at,
    subject: before?.subject,
    openings: before?.openings ?? [],
    marker: before?.marker ?? '',
    within: before?.kind === 'infinitive' ? before : before?.within,
    antecedent: before?.antecedent
  })
}

/** "we can walk and **swim**": the modal goes for both. */
function lendModal(before: Clause | undefined, { verb }: VerbPlace): void {
  const modal = before?.verb.modal
  if (before === undefined || modal === undefined || verb.hasAuxiliary || verb.opens !== verb.base) return
  verb.modal = modal
  verb.borrowed = FULL_MODALS.get(modal) ?? modal
  if (before.verb.isNegated) verb.borrowed = `${verb.borrowed} not`
  verb.isNegated = before.verb.isNegated
}

const FULL_MODALS = new Map([
  ["'ll", 'will'],
  ["'d", 'would'],
  ['ca', 'can'],
  ['wo', 'will']
])

/** "She sang and **dances**" may be; "he sang and **obscure** songs" is no verb: a base form goes with base forms only. */
function goTogether(before: Clause, { verb }: VerbPlace): boolean {
  if (verb.hasAuxiliary || verb.opens !== verb.base || verbForm(verb.opens) !== 'base') return true
  if (before.verb.form === 'infinitive' || before.verb.modal !== undefined || before.verb.hasAuxiliary) return true
  return before.verb.first === before.verb.opens || verbForm(before.verb.opens) === 'base' || before.verb.opens === 'to'
}

/** The clause that a coordinated verb goes with: a base form goes with an infinitive or modal, others with the last finite one. */
function parallel({ state, verb }: VerbPlace, hasComma: boolean): Clause | undefined {
  const last = state.clauses.at(-1)
  const isBase = verb.form === 'finite' && verb.opens === verb.base && !verb.hasAuxiliary
  if (isBase && last?.kind === 'infinitive') return last
  const before = lastFinite(state)
  const main = state.clauses.findLast((clause) => clause.kind === 'main' || clause.kind === 'coordinate')
  return hasComma && before?.kind === 'adverbial' && main !== undefined ? main : before
}

/** The nearest clause with a finite verb. */
export function lastFinite({ clauses }: ReadState): Clause | undefined {
  for (let i = clauses.length - 1; i >= 0 && i >= clauses.length - 6; i--) {
    const clause = clauses[i] as Clause
    if (
      clause.kind !== 'infinitive' &&
      clause.kind !== 'participle' &&
      clause.kind !== 'gerund' &&
      clause.kind !== 'adjunct'
    )
      return clause
  }
  return clauses.at(-1)
}
