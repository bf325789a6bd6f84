import { type Clause, createClause, type Phrase, type VerbPlace } from './clause.ts'
import { keepWaiting } from './find-subject.ts'
import { OBJECT_CONTROL_VERBS } from './word-classes.ts'

/** Links an infinitive or a participle to the clause or noun that it describes. */
export function linkNonfinite(place: VerbPlace): Clause | undefined {
  const { verb } = place
  return verb.form === 'infinitive' ? linkInfinitive(place) : linkParticiple(place)
}

/**
 * Links an infinitive: "came **to see** it", "asked Bob **to come**". The object of verbs like `ask` is its subject.
 */
function linkInfinitive(place: VerbPlace): Clause {
  const { state, at, from } = place
  const { chunks, clauses } = state
  const current = clauses.at(-1)
  if (current === undefined && chunks[at - 1]?.kind === 'noun') {
    const antecedent = { from: at - 1, to: at }
    keepWaiting(place, antecedent)
  }
  const isObject = current !== undefined && OBJECT_CONTROL_VERBS.has(current.verb.base) && chunks[from]?.kind === 'noun'
  const subject = isObject ? { from, to: from + 1 } : current?.subject
  return createClause(place, { kind: 'infinitive', start: at, within: current, subject })
}

function linkParticiple(place: VerbPlace): Clause {
  const { state, at, from } = place
  const { chunks, clauses } = state
  const current = clauses.at(-1)
  let before = at - 1
  while (before >= from && chunks[before]?.kind === 'adverb') before--
  const kind = before >= from ? chunks[before]?.kind : undefined
  if (kind === 'noun') return linkToNoun(place, before)
  if (kind === 'comma' || kind === 'opening') return linkAfterComma(place, before)
  if (
    kind === 'and' &&
    current !== undefined &&
    (current.verb.form === place.verb.form || current.kind === 'participle')
  )
    return createClause(place, { ...current, kind: current.kind, start: before, at, verb: place.verb })
  if (kind === 'marker')
    return createClause(place, {
      kind: 'adjunct',
      start: before,
      marker: 'when',
      within: undefined,
      subject: current?.subject
    })
  if (kind === undefined && current !== undefined)
    return createClause(place, { kind: 'gerund', start: at, within: current, subject: current.subject })
  const edge = chunks[before - 1]?.kind
  if (kind === 'preposition' && (edge === 'and' || edge === 'comma') && before - 1 >= from)
    return createClause(place, { kind: 'gerund', start: before - 1, subject: current?.subject })
  if (current === undefined && kind !== 'preposition' && before < from)
    return createClause(place, { kind: 'adjunct', start: from })
  return createClause(place, { kind: 'gerund', start: at, within: current, subject: current?.subject })
}

/** "a dog **named** Rex", "the man **standing** there". */
function linkToNoun(place: VerbPlace, before: number): Clause {
  const spent = place.state.clauses.at(-1)
  const head = place.state.tokens[place.state.chunks[before]?.head ?? -1]?.lower ?? ''
  if (spent !== undefined && place.verb.form === 'ing' && SPENT.has(head))
    return createClause(place, { kind: 'gerund', start: before + 1, within: spent, subject: spent.subject })
  const { chunks, clauses, tokens } = place.state
  let start = before
  while (
    start - 2 >= place.from &&
    chunks[start - 1]?.kind === 'preposition' &&
    chunks[start - 2]?.kind === 'noun' &&
    tokens[chunks[start - 1]?.from ?? -1]?.lower === 'of'
  )
    start -= 2
  const antecedent: Phrase = { from: start, to: before + 1 }
  keepWaiting(place, antecedent)
  return createClause(place, {
    kind: 'participle',
    start: before + 1,
    within: clauses.at(-1),
    subject: antecedent,
    antecedent
  })
}

/** "had a good **time** cooking", "spent the **day** reading": the subject of the clause does both. */
const SPENT = new Set([
  'time',
  'fun',
  'blast',
  'trouble',
  'day',
  'days',
  'hours',
  'evening',
  'weekend',
  'week',
  'success',
  'luck',
  'experience',
  'morning'
])

/**
 * Links a participle after a comma: in ", **saying** nothing" to the subject of the clause, in ", **founded** in 1905,"
 * to a noun that still waits for its verb.
 */
function linkAfterComma(place: VerbPlace, comma: number): Clause {
  const before = place.state.clauses.at(-1)
  if (before?.kind === 'gerund' && place.verb.form === 'ing' && before.within !== undefined)
    return createClause(place, { kind: 'gerund', start: comma, within: before, subject: before.subject })
  const { state, from } = place
  const { chunks, clauses } = state
  const current = clauses.at(-1)
  const noun = chunks[comma - 1]?.kind === 'noun' ? { from: comma - 1, to: comma } : undefined
  if (noun !== undefined && current === undefined) {
    keepWaiting(place, noun)
    return createClause(place, { kind: 'participle', start: comma, subject: noun, antecedent: noun })
  }
  const isAboutNoun = place.verb.form !== 'ing' && noun !== undefined && comma - 1 >= from
  return createClause(place, {
    kind: isAboutNoun ? 'participle' : 'adjunct',
    start: comma,
    subject: isAboutNoun ? noun : current?.subject,
    antecedent: isAboutNoun ? noun : undefined
  })
}
