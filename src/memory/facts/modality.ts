import type { Clause } from './clause.ts'
import type { Draft, Sight } from './draft.ts'
import type { VerbGroup } from './verb-group.ts'
import { NEEDING_VERBS, PLANNING_VERBS, WANTING_VERBS } from './words/verb-classes.ts'

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
  if (verb.modal !== undefined) return modalSays(verb, verb.modal)
  const { first, base } = verb
  if (WANTING_VERBS.has(first)) return first === 'dream' && first === base ? undefined : 'wanted'
  if (first === base) return undefined
  if (NEEDING_VERBS.has(first)) return 'needed'
  return PLANNING_VERBS.has(first) ? 'planned' : undefined
}

/** "must have gone" guesses, "must go" demands; "would like to" wants, "would go" is a thought; `can` tells what is so. */
function modalSays(verb: VerbGroup, modal: string): Draft['modality'] {
  if (modal === 'must' && (verb.isPerfect || verb.base === 'be')) return 'possible'
  if ((modal === 'would' || modal === "'d") && LIKING.has(verb.first)) return 'wanted'
  return MODALS.get(modal)
}

const MODALS = new Map<string, Draft['modality']>([
  ['may', 'possible'],
  ['might', 'possible'],
  ['could', 'possible'],
  ['would', 'possible'],
  ["'d", 'possible'],
  ['must', 'needed'],
  ['should', 'needed'],
  ['ought', 'needed'],
  ['will', 'planned'],
  ["'ll", 'planned'],
  ['shall', 'planned'],
  ['wo', 'planned']
])

const LIKING = new Set(['like', 'love', 'prefer', 'hate', 'rather'])
