import type { Clause } from './clause.ts'
import type { VerbPlace } from './read-clauses.ts'

/** The clause of a verb, with what is known of it so far. */
export function newClause(place: VerbPlace, more: Partial<Clause> & Pick<Clause, 'kind' | 'start'>): Clause {
  return {
    at: place.at,
    verb: place.verb,
    subject: undefined,
    openings: [],
    marker: '',
    within: undefined,
    antecedent: undefined,
    end: 0,
    ...more
  }
}
