import type { Clause, FactDraft, Sight } from '../clauses/clause.ts'
import type { VerbGroup } from '../clauses/verb-group.ts'
import { NEEDING_VERBS, PLANNING_VERBS, WANTING_VERBS } from '../clauses/word-classes.ts'

/** Returns the verb's modality; an adverb such as `maybe` in its clause makes it possible. */
export function findModality(sight: Sight, clause: Clause): FactDraft['modality'] {
  const { chunks } = sight.parse
  const said = findVerbModality(clause.verb)
  // "I decided to try it" mostly means that the speaker tried it.
  if (said === 'planned' && clause.verb.opens === 'decided' && isOfSpeaker(sight, clause)) return undefined
  // "My favorite **has to be** the blue one" states it.
  if (said === 'needed' && clause.verb.base === 'be' && names(sight, clause, FAVORITES)) return undefined
  if (said !== undefined) return said
  const from = chunks[Math.min(clause.start, clause.subject?.from ?? clause.at)]?.from ?? 0
  const to = chunks[clause.at]?.to ?? 0
  for (let at = Math.max(0, from - 2); at < to; at++) if (HEDGES.has(sight.lower(at))) return 'possible'
  return undefined
}

const FAVORITES = new Set(['favorite', 'favourite', 'best', 'coolest', 'funniest', 'worst'])

/** Checks whether the subject or the words after the verb include one of the given words. */
function names({ parse: { chunks }, lower }: Sight, { at, end, subject }: Clause, words: ReadonlySet<string>): boolean {
  const from = chunks[subject?.from ?? at]?.from ?? 0
  const to = chunks[end - 1]?.to ?? from
  for (let i = from; i < to; i++) if (words.has(lower(i))) return true
  return false
}

function isOfSpeaker({ parse, lower }: Sight, { subject }: Clause): boolean {
  const first = lower(parse.chunks[subject?.from ?? -1]?.from ?? -1)
  return subject === undefined || first === 'i' || first === 'we'
}

const HEDGES = new Set([
  'maybe',
  'perhaps',
  'possibly',
  'probably',
  'supposedly',
  'allegedly',
  'apparently',
  'presumably',
  'hopefully'
])

/** Returns undefined if the verb claims its content, otherwise whether it is possible, obligatory or wanted. */
function findVerbModality(verb: VerbGroup): FactDraft['modality'] {
  if (verb.modal !== undefined) return classifyModal(verb, verb.modal)
  const { first, base } = verb
  if (WANTING_VERBS.has(first)) return first === 'dream' && first === base ? undefined : 'wanted'
  if (first === base) return undefined
  if (NEEDING_VERBS.has(first)) return 'needed'
  return PLANNING_VERBS.has(first) ? 'planned' : undefined
}

/**
 * Classifies a modal: "must have gone" is a guess, "must go" an obligation, "would like to" a wish, "would go"
 * hypothetical. `can` states a fact.
 */
function classifyModal(verb: VerbGroup, modal: string): FactDraft['modality'] {
  if (modal === 'must' && (verb.isPerfect || verb.base === 'be')) return 'possible'
  // "I couldn't sleep" states an inability.
  if (modal === 'could' && verb.isNegated && !verb.isPerfect) return undefined
  // "I could feel the cold" states what was felt.
  if (modal === 'could' && SENSES.has(verb.base) && !verb.isPerfect) return undefined
  if ((modal === 'would' || modal === "'d") && LIKING.has(verb.first)) return 'wanted'
  return MODALS.get(modal)
}

const SENSES = new Set(['feel', 'see', 'hear', 'smell', 'taste', 'tell'])

const MODALS = new Map<string, FactDraft['modality']>([
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
