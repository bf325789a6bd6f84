import type { FactRecord } from '../../contract/snapshot.ts'
import type { VerbGroup } from './verb-group.ts'
import { PLANNING_VERBS, WANTING_VERBS } from './words/verb-classes.ts'

/** Whether the words claim that it is so, or only that it may, shall, ought to or is wanted to be. */
export function modalityOf(verb: VerbGroup): FactRecord['modality'] {
  const { modal, first, base } = verb
  const leadsOn = first !== base
  if (modal !== undefined && (POSSIBLE.has(modal) || modal === 'would' || modal === "'d")) {
    return (modal === 'would' || modal === "'d") && LIKING.has(first) ? 'wanted' : 'possible'
  }
  if (modal !== undefined && NEEDED.has(modal))
    return modal === 'must' && (verb.isPerfect || base === 'be') ? 'possible' : 'needed'
  if (modal !== undefined && PLANNED.has(modal)) return 'planned'
  if (!leadsOn) return WANTING_VERBS.has(base) && base !== 'dream' ? 'wanted' : undefined
  if (first === 'need' || first === 'have') return 'needed'
  if (WANTING_VERBS.has(first)) return 'wanted'
  return PLANNING_VERBS.has(first) ? 'planned' : undefined
}

const POSSIBLE = new Set(['may', 'might', 'could'])
const NEEDED = new Set(['must', 'should', 'ought'])
const PLANNED = new Set(['will', "'ll", 'shall', 'wo'])
const LIKING = new Set(['like', 'love', 'prefer', 'hate', 'rather'])
