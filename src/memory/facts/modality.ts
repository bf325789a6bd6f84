import type { Clause } from './clause.ts'
import type { Draft, Sight } from './draft.ts'
import type { VerbGroup } from './verb-group.ts'
import { PLANNING_VERBS, WANTING_VERBS } from './words/verb-classes.ts'

/** The verb's modality; an adverb like `maybe` in its clause makes it possible. */
export function modalityOf(sight: Sight, clause: Clause): Draft['modality'] {
  const { chunks } = sight.parse
  const said = verbModality(clause.verb)
  if (said !== undefined) return said
  const from = chunks[Math.min(clause.start, clause.subject?.from ?? clause.at)]?.from ?? 0
  const to = chunks[clause.at]?.to ?? 0
  for (let at = Math.max(0, from - 2); at < to; at++) if (HEDGES.has(sight.lower(at))) return 'possible'
  return undefined
}

const HEDGES = new Set([
  'maybe',
  'perhaps',
  'possibly',
  'probably',
  'supposedly',
  'allegedly',
  'apparently',
  'presumably'
])

/** Whether the words claim that it is so, or only that it may, shall, ought to or is wanted to be. */
function verbModality(verb: VerbGroup): Draft['modality'] {
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
