import type { Chunk, FactDraft, Sight, Words } from '../clauses/clause.ts'
import { CLAUSE_OPENERS, COPULAS, FINITE_AUXILIARIES, NOMINATIVES, REPORTING_VERBS } from '../clauses/word-classes.ts'
import { NOUN_TAGS, type Tag } from '../language/token.ts'
import { isListing } from './list-values.ts'

/**
 * Fits the words of a fact of talk to what its clause says: a value ends before another statement and includes its whole
 * list, and a relative clause is about the right noun.
 */
export function fitDraft(sight: Sight, draft: FactDraft): FactDraft {
  return fitRelative(sight, completeList(sight, cutJoined(sight, completeSubject(sight, draft))))
}

/** Ends a value before another statement: "I bake bread, | **and the cakes are** for my aunt". */
function cutJoined(sight: Sight, draft: FactDraft): FactDraft {
  const { clause, value } = draft
  const last = value.at(-1)
  if (clause === undefined || last === undefined) return draft
  const end = findThanks(sight, last) ?? findLooseEnd(sight, last)
  if (end !== undefined) return { ...draft, value: [...value.slice(0, -1), { from: last.from, to: end }] }
  if (REPORTING_VERBS.has(clause.verb.base)) return draft
  const joint = findJoint(sight, last)
  if (joint === undefined || (COPULAS.has(clause.verb.base) && sight.parse.tags[last.from] === 'ADJ')) return draft
  return joint - 1 <= last.from
    ? draft
    : { ...draft, value: [...value.slice(0, -1), { from: last.from, to: joint - 1 }] }
}

/**
 * Returns the start of thanks to another person, "I was just cold | **thanks** for the coat", or of a second person,
 * "proud of the songs | **Carla** and I wrote".
 */
function findThanks({ parse: { tags }, lower }: Sight, { from, to }: Words): number | undefined {
  for (let at = from + 1; at < to; at++)
    if ((lower(at) === 'thanks' || lower(at) === 'thank') && lower(at + 1) !== 'to')
      return tags[at - 1] === 'CCONJ' ? at - 1 : at
  const isPerson = lower(to) === 'and' && NOMINATIVES.has(lower(to + 1)) && tags[to - 1] === 'PROPN'
  return isPerson && to - 1 > from && tags[to - 2] === 'NOUN' && lower(to - 2).endsWith('s') ? to - 1 : undefined
}

/** Returns the start of what opens another statement: "a lamp for the shed, | **but currently**", "a talk, | **and since** …". */
function findLooseEnd({ parse: { tags }, lower }: Sight, { from, to }: Words): number | undefined {
  for (let at = from + 1; at < to; at++) {
    if (tags[at] !== 'CCONJ' || lower(at - 1) !== ',') continue
    const isLast = at + 1 === to || (at + 2 === to && tags[at + 1] === 'ADV')
    if (isLast || lower(at + 1) === 'since' || lower(at + 1) === 'because') return at - 1
  }
  return undefined
}

/** Adds the rest of a noun to a subject that a participle seems to end: "**my morning iced tea** helps me". */
function completeSubject({ parse: { chunks, tags } }: Sight, draft: FactDraft): FactDraft {
  const { clause, subject } = draft
  if (clause === undefined || clause.kind === 'relative' || subject.to <= subject.from) return draft
  const [participle, noun] = [chunks[clause.at - 2], chunks[clause.at - 1]]
  const verb = chunks[clause.at] as Chunk
  if (participle?.from !== subject.to || participle.verb === undefined || participle.verb.hasAuxiliary) return draft
  const isNoun = noun?.kind === 'noun' && noun.to === verb.from && NOUN_TAGS.has(tags[noun.from] ?? 'X')
  return isNoun && !VERBAL.has(tags[subject.from] ?? 'X')
    ? { ...draft, subject: { from: subject.from, to: verb.from } }
    : draft
}

/** Tags of the first word of a clause that was taken for a subject. */
const VERBAL: ReadonlySet<Tag> = new Set<Tag>(['AUX', 'VERB'])

/** Returns the `and` behind a comma, before a noun and the finite verb of another statement. */
function findJoint({ parse: { tags }, lower }: Sight, { from, to }: Words): number | undefined {
  let joint: number | undefined
  for (let at = from; at < to; at++) {
    if (OPENERS.has(lower(at)) || tags[at] === 'SCONJ') return undefined
    if (tags[at] === 'CCONJ' && lower(at - 1) === ',') joint = at
    if (joint === undefined || at < joint + 2 || !NOUN_TAGS.has(tags[at - 1] ?? 'X')) continue
    if (tags[at] === 'AUX' && FINITE_AUXILIARIES.has(lower(at))) return joint
  }
  return undefined
}

/** After these, a value may contain a clause. */
const OPENERS = new Set([...CLAUSE_OPENERS, ...'i you he she it we they'.split(' ')])

/** Extends a value to the end of its list: "a box with **a lamp, a rope, and two maps**". */
function completeList(sight: Sight, draft: FactDraft): FactDraft {
  const { clause, value } = draft
  const last = value.at(-1)
  if (clause === undefined || last === undefined || isListing(clause)) return draft
  const end = findListEnd(sight, last.to)
  return end === undefined ? draft : { ...draft, value: [...value.slice(0, -1), { from: last.from, to: end }] }
}

/** Returns the end of ", a rope, and two maps", if nothing follows it in its sentence or up to the next mark. */
function findListEnd({ parse: { tags }, lower }: Sight, from: number): number | undefined {
  if (lower(from) !== ',') return undefined
  let at = from + 1
  while (lower(at) === ',' || LISTED.has(tags[at] ?? 'X')) at++
  const and = at
  if (lower(and) !== 'and' && lower(and) !== 'or') return undefined
  at++
  while (LISTED.has(tags[at] ?? 'X')) at++
  const isNoun = NOUN_TAGS.has(tags[at - 1] ?? 'X')
  // "… and two maps **monthly**"
  if (tags[at] === 'ADV') at++
  const isEnd = at >= tags.length || tags[at] === 'PUNCT'
  const isList = and > from + 1 || lower(at) === ','
  return isEnd && isList && isNoun && at > and + 1 ? at : undefined
}

/** Tags of the words of a list. */
const LISTED: ReadonlySet<Tag> = new Set<Tag>(['NOUN', 'PROPN', 'ADJ', 'NUM', 'DET', 'SYM', 'ADP'])

/**
 * Corrects a relative clause of talk: a property is not what the clause describes ("the speed **of my boat**, which has a
 * sail"), and what follows the clause may belong to the verb before its noun ("add the salt I bought **to the soup**").
 * Returns other facts unchanged.
 */
function fitRelative(sight: Sight, draft: FactDraft): FactDraft {
  const { clause } = draft
  if (clause?.kind !== 'relative' || clause.antecedent === undefined) return draft
  const { chunks } = sight.parse
  const [noun, joint, owned] = chunks.slice(clause.antecedent.from, clause.antecedent.to)
  if (noun === undefined) return draft
  if (draft.subject.from === noun.from) {
    const isOwned = joint?.kind === 'preposition' && owned !== undefined && OWNERS.has(sight.lower(owned.from))
    const isProperty = isOwned && clause.marker !== 'who' && PROPERTY.test(sight.lower(noun.head))
    return isProperty ? { ...draft, subject: { from: owned.from, to: draft.subject.to } } : draft
  }
  const holder = chunks[clause.antecedent.from - 1]?.verb
  if (holder === undefined || !BRINGING_VERBS.has(holder.base)) return draft
  const value = draft.value.map((words) => (words.from === noun.from ? words : cutAtGoal(sight, words)))
  return { ...draft, value: value.filter(({ from, to }) => to > from) }
}

const OWNERS = new Set(['my', 'our'])

/** Endings of nouns for what a thing is like. */
const PROPERTY = /(?:ance|ence|ancy|ency|ity|ness)$|^(?:speed|size|design|layout|development)$/

/** Verbs that bring one thing to another. */
const BRINGING_VERBS = new Set(
  'add adapt adjust apply attach bring compare connect give lend link match move relate send tailor take transfer'.split(
    ' '
  )
)

function cutAtGoal({ parse: { chunks, tags, tokens } }: Sight, { from, to }: Words): Words {
  for (let at = from; at < to; at++) {
    const isVerb = chunks.some((chunk) => chunk.verb?.form === 'infinitive' && chunk.from <= at && at < chunk.to)
    if (tokens[at]?.lower === 'to' && (tags[at] === 'ADP' || tags[at] === 'PART' || isVerb)) return { from, to: at }
  }
  return { from, to }
}
