import type { Chunk } from './chunk.ts'
import type { Draft, Sight, Words } from './draft.ts'
import { EVALUATIONS } from './words/evaluations.ts'
import { COPULAS } from './words/verb-classes.ts'

/**
 * In talk, "It was fun to see the lake" and "Baking is a great way to unwind" say how the speaker finds something. Such a fact
 * is turned into one about the speaker: finds, "fun to see the lake". Others stay what they are.
 */
export function asOpinion(sight: Sight, draft: Draft): Draft {
  const { clause } = draft
  if (
    clause === undefined ||
    draft.rule === 'speaker.left-out' ||
    draft.rule === 'existence.there-is' ||
    draft.negated ||
    draft.modality !== undefined
  )
    return draft
  if (
    !COPULAS.has(clause.verb.base) ||
    clause.verb.isPassive ||
    clause.kind === 'relative' ||
    clause.kind === 'participle'
  )
    return draft
  const first = draft.value[0]
  if (first === undefined || !judges(sight, first) || !isThing(sight, draft.subject)) return draft
  const verb = sight.parse.chunks[clause.at] as Chunk
  const isPast = PAST.has(sight.lower(verb.from)) || PAST.has(sight.lower(clause.verb.main))
  const subject = { from: verb.from, to: verb.from }
  const isEmpty = EMPTY.has(sight.lower(draft.subject.from)) && draft.subject.to === draft.subject.from + 1
  if (isEmpty && first.to - first.from < TELLING_TOKENS && draft.value.length === 1) return { ...draft, value: [] }
  const value = [draft.subject, ...draft.value]
  return { ...draft, rule: 'opinion.finds', subject, predicate: [], said: isPast ? 'found' : 'finds', value }
}

/** An evaluating word near the start of the value: "so much fun", "a really great way". */
function judges({ lower }: Sight, { from, to }: Words): boolean {
  for (let at = from; at < Math.min(to, from + NEAR_TOKENS); at++) if (EVALUATIONS.has(lower(at))) return true
  return false
}

const NEAR_TOKENS = 5

/** "That is great", "It was so much fun": of what is not named, less than this tells nothing. */
const TELLING_TOKENS = 3

/** Persons are what they are; only things are found to be so. */
function isThing({ parse, lower }: Sight, subject: Words): boolean {
  if (subject.to === subject.from) return false
  const head = lower(subject.to - 1)
  return !PERSONS.has(head) && !PERSONS.has(lower(subject.from)) && parse.tags[subject.to - 1] !== 'PROPN'
}

const PERSONS = new Set([
  'i',
  'you',
  'he',
  'she',
  'we',
  'they',
  'who',
  'your',
  'my',
  'our',
  'there',
  'everyone',
  'people',
  'us',
  'me',
  'him',
  'them'
])
const EMPTY = new Set(['it', 'this', 'that', 'these', 'those'])
const PAST = new Set(['was', 'were', 'had', 'felt', 'seemed', 'looked', 'sounded', 'became'])
