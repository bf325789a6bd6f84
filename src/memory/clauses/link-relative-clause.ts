import { classifyVerbForm } from '../language/verb-forms.ts'
import { type Clause, createClause, type Phrase, type VerbPlace } from './clause.ts'
import { findSubject, keepWaiting } from './find-subject.ts'
import { FREE_RELATIVES, OBJECT_CONTROL_VERBS, OBJECT_PRONOUNS, REPORTING_VERBS } from './word-classes.ts'

/**
 * Links a relative or `that` clause: "the man **who** saw it", "the house **that** he built", "she said **that** he
 * came".
 */
export function linkRelativeClause(place: VerbPlace, border: number): Clause | undefined {
  const { state, at, from } = place
  const { chunks, tokens, clauses } = state
  const marker = tokens[chunks[border]?.from ?? -1]?.lower ?? ''
  const current = clauses.at(-1)
  const found = findSubject(chunks, border + 1, at)
  const antecedent = findAntecedent(place, border)
  if (FREE_RELATIVES.has(marker)) {
    return createClause(place, { kind: 'complement', start: border, marker, within: current, subject: found?.subject })
  }
  const isComplement =
    marker === 'that' &&
    found !== undefined &&
    (antecedent === undefined || border === from || takesThat(place, border, antecedent))
  if (isComplement) {
    return createClause(place, { kind: 'complement', start: border, marker, within: current, ...found })
  }
  if (antecedent === undefined) {
    if (found !== undefined)
      return createClause(place, { kind: 'complement', start: border, marker, within: current, ...found })
    if (marker === 'that' && border === from)
      return createClause(place, {
        kind: 'complement',
        start: border,
        marker,
        within: current,
        subject: { from: border, to: border + 1 }
      })
    return undefined
  }
  keepWaiting(place, antecedent)
  return createClause(place, {
    kind: 'relative',
    start: border,
    marker,
    antecedent,
    subject: found?.subject ?? antecedent,
    openings: found?.openings ?? []
  })
}

/** Recognises an object between the verb and its `that` clause: "told Ann **that** …". */
function takesThat({ state, from }: VerbPlace, border: number, antecedent: Phrase): boolean {
  const current = state.clauses.at(-1)
  const head = state.tokens[state.chunks[antecedent.to - 1]?.head ?? -1]?.lower ?? ''
  if (CONTENT_NOUNS.has(head)) return true
  return (
    current !== undefined &&
    REPORTING_VERBS.has(current.verb.base) &&
    antecedent.from === from &&
    border - from === 1 &&
    OBJECT_CONTROL_VERBS.has(current.verb.base)
  )
}

/** Nouns whose `that` clause is their content: "a **feeling** that it will snow". */
const CONTENT_NOUNS = new Set(
  'feeling idea fact hope belief claim news chance sign doubt thought impression rumour rumor assumption conclusion view statement evidence reminder proof realization promise guarantee contradiction possibility probability opinion theory'.split(
    ' '
  )
)

/** Finds the noun phrase that a relative pronoun refers to, with its modifiers: "the man in the hat, **who** …". */
function findAntecedent(place: VerbPlace, border: number): Phrase | undefined {
  const { state, from } = place
  const { chunks } = state
  let end = border
  while (end > from && ['comma', 'preposition', 'quote', 'closing'].includes(chunks[end - 1]?.kind ?? '')) end--
  if (chunks[end - 1]?.kind !== 'noun' || end <= from) return undefined
  if (OBJECT_PRONOUNS.has(state.tokens[chunks[end - 1]?.from ?? -1]?.lower ?? '')) return undefined
  const agreeing = findAgreeingNoun(place, end)
  if (agreeing !== undefined) return agreeing
  // "a song by **Ida Berg that I like**": without a comma, `that` cannot describe a name.
  const isRestrictive = end === border && state.tokens[chunks[border]?.from ?? -1]?.lower === 'that'
  let start = end - 1
  while (
    start - 2 >= from &&
    chunks[start - 1]?.kind === 'preposition' &&
    chunks[start - 2]?.kind === 'noun' &&
    (state.tokens[chunks[start - 1]?.from ?? -1]?.lower === 'of' || (isRestrictive && isBareName(place, start)))
  )
    start -= 2
  return { from: start, to: end }
}

/** Recognises a name without an article: "Ida Berg", but not "the Berg family". */
function isBareName({ state: { chunks, tags } }: VerbPlace, at: number): boolean {
  const chunk = chunks[at]
  return chunk !== undefined && tags.slice(chunk.from, chunk.to).every((tag) => tag === 'PROPN')
}

/** Finds a noun further left that agrees with the verb if the nearest does not: "the **prices** of oil that rise". */
function findAgreeingNoun({ state, from, verb }: VerbPlace, end: number): Phrase | undefined {
  const { chunks, tokens, tags } = state
  const wanted = findNumber(verb.opens, verb.base)
  if (wanted === undefined) return undefined
  const fits = (at: number) => {
    const head = chunks[at]?.head ?? -1
    const isPlural = tokens[head]?.lower.endsWith('s') === true && tags[head] === 'NOUN'
    return wanted === 'plural' ? isPlural : !isPlural
  }
  if (fits(end - 1)) return undefined
  for (let at = end - 3; at >= from && at > end - 8; at -= 2) {
    if (chunks[at + 1]?.kind !== 'preposition' || chunks[at]?.kind !== 'noun') return undefined
    if (fits(at)) return { from: at, to: end }
  }
  return undefined
}

/** Returns the number that a verb form requires: `are` plural, `lives` singular, most forms neither. */
function findNumber(opens: string, base: string): 'plural' | 'singular' | undefined {
  if (opens === 'are' || opens === 'were' || opens === 'have' || opens === 'do') return 'plural'
  if (opens === 'is' || opens === 'was' || opens === 'has' || opens === 'does') return 'singular'
  if (opens === base) return classifyVerbForm(opens) === 'base' ? 'plural' : undefined
  return classifyVerbForm(opens) === 'present' ? 'singular' : undefined
}
