import type { Tag } from '../language/token.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'
import { type Chunk, type Clause, createClause, type Phrase, type ReadState, type VerbPlace } from './clause.ts'
import { type FoundSubject, findLastOpener, findSubject, keepWaiting, resumeWaiting } from './find-subject.ts'
import { findLastFinite, isAfterHaving, linkCoordinate } from './link-coordinate.ts'
import { linkRelativeClause } from './link-relative-clause.ts'
import {
  CAUSATIVE_VERBS,
  NOMINATIVES,
  OBJECT_CONTROL_VERBS,
  OBJECT_PRONOUNS,
  REPORTING_VERBS,
  SPEECH_VERBS,
  TIME_NOUNS
} from './word-classes.ts'

/** Links a finite verb to its subject and to the clause it depends on. */
export function linkFinite(place: VerbPlace): Clause | undefined {
  const { state, at, from } = place
  const border = findLastOpener(state, from, at)
  const kind = state.chunks[border]?.kind
  if (kind === 'relative') return linkRelativeClause(place, border) ?? linkPlainClause(place, border + 1)
  if (kind === 'marker') return linkMarkedClause(place, border)
  return linkPlainClause(place, kind === 'stop' ? border + 1 : from)
}

/** Links a clause with a subordinator: "because he came", "if it rains", "when the train stops". */
function linkMarkedClause(place: VerbPlace, border: number): Clause {
  const { state, at } = place
  const marker = state.tokens[state.chunks[border]?.from ?? -1]?.lower ?? ''
  const found = findSubject(state.chunks, border + 1, at)
  const start = isModified(state, border) && border - 1 >= place.from ? border - 1 : border
  const before = findLastFinite(state)
  const role = marker === 'as' && found !== undefined ? findRoleBefore(place, border, found.subject) : undefined
  if (role !== undefined && found !== undefined && before === undefined)
    return createClause(place, { kind: 'main', start: border, subject: found.subject, openings: [role] })
  const isAsked = before !== undefined && border === place.from && takesClause(state, before, marker)
  if (ALWAYS_COMPLEMENT.has(marker) || (isAsked && MAYBE_COMPLEMENT.has(marker)))
    return createClause(place, { kind: 'complement', start: border, marker, within: state.clauses.at(-1), ...found })
  const isPlace =
    (marker === 'where' || marker === 'when') && state.chunks[border - 1]?.kind === 'noun' && border > place.from
  if (isPlace) keepWaiting(place, { from: border - 1, to: border })
  // "I am stuck, so please help": a request has no subject.
  const isRequest = marker === 'so' && classifyVerbForm(place.verb.opens) === 'base' && !place.verb.hasAuxiliary
  return createClause(place, {
    kind: 'adverbial',
    start,
    marker,
    subject: found?.subject ?? (isRequest ? undefined : before?.subject),
    openings: found?.openings ?? []
  })
}

/** Recognises a verb of saying or thinking, and "My best day was **when** we moved". */
function takesClause(state: ReadState, before: Clause, marker: string): boolean {
  const { base } = before.verb
  if (REPORTING_VERBS.has(base)) return true
  return marker === 'when' && base === 'be' && before.subject !== undefined && !isPronounSubject(state, before)
}

/** Recognises an adverb that belongs to the subordinator: "**even** though", but not "I read **now** as I wait". */
function isModified({ chunks, tokens }: ReadState, border: number): boolean {
  const before = chunks[border - 1]
  return before?.kind === 'adverb' && !OF_CLAUSE_BEFORE.has(tokens[before.to - 1]?.lower ?? '')
}

const OF_CLAUSE_BEFORE = new Set(['now', 'then', 'again', 'too', 'later', 'already', 'yet', 'anymore', 'lately'])

/** Finds a role before the subject: "**As a child** Ann lived here". */
function findRoleBefore({ state }: VerbPlace, border: number, subject: Phrase): Phrase | undefined {
  const isNoun = subject.from === border + 2 && state.chunks[border + 1]?.kind === 'noun'
  return isNoun && startsNominative(state, { subject, openings: [] }) ? { from: border, to: border + 2 } : undefined
}

/** "She knows **how** it works"; "asked **if** it works" only after verbs of saying and thinking. */
const ALWAYS_COMPLEMENT = new Set(['whether', 'how', 'why'])
const MAYBE_COMPLEMENT = new Set(['if', 'when', 'where'])

/**
 * Links a verb whose clause has no opening word: the first verb, one after `and`, one whose subject waits, a verb of
 * saying.
 */
function linkPlainClause(place: VerbPlace, from: number): Clause | undefined {
  const { state, at } = place
  const { chunks } = state
  const found = findPlainSubject(place, from)
  const current = state.clauses.at(-1)
  const waiting = state.waiting.at(-1)
  if (current === undefined || chunks[from - 1]?.kind === 'stop') {
    const quoted = current === undefined ? linkSpeechBefore(place, found) : undefined
    if (quoted !== undefined) return quoted
    if (found === undefined && current !== undefined) return linkCoordinate(place, from)
    const contact = current === undefined ? linkContactClause(place, found) : undefined
    if (contact !== undefined) return contact
    return createClause(place, { kind: 'main', start: from, ...found })
  }
  const quoted = linkSpeechBefore(place, found)
  if (quoted !== undefined) return quoted
  if (waiting !== undefined && !startsNominative(state, found)) return resumeWaiting(place, waiting)
  const caused = linkBareInfinitive(place, current)
  if (caused !== undefined) return caused
  const gerund = linkGerundSubject(place, current, found)
  if (gerund !== undefined) return gerund
  // "without having found **or signed** it"
  if (isAfterHaving(place)) return createClause(place, { kind: 'gerund', start: at })
  if (found === undefined) return linkCoordinate(place, from)
  return linkAfterSubject(place, found, current)
}

/** Finds the subject before a verb, also behind the object of a preposition: "I left for the coast and **I** slept". */
function findPlainSubject({ state: { chunks, tokens }, at }: VerbPlace, from: number): FoundSubject | undefined {
  const found = findSubject(chunks, from, at)
  if (found !== undefined) return found
  const [and, person] = [chunks[at - 2], chunks[at - 1]]
  if (at - 2 <= from || and?.kind !== 'and' || person?.kind !== 'noun') return undefined
  const isOne = person.to === person.from + 1 && NOMINATIVES.has(tokens[person.from]?.lower ?? '')
  return isOne ? { subject: { from: at - 1, to: at }, openings: [] } : undefined
}

/** Links a relative clause without a pronoun at the start of a sentence: "The book **I read** last year is long". */
function linkContactClause(place: VerbPlace, found: FoundSubject | undefined): Clause | undefined {
  const { chunks, tokens, tags } = place.state
  if (!startsNominative(place.state, found)) return undefined
  // "The cake **I think** was his"
  if (REPORTING_VERBS.has(place.verb.base) && chunks[place.at + 1]?.verb !== undefined) return undefined
  const { from } = (found as FoundSubject).subject
  const noun = chunks[from - 1]
  const isDefinite = DETERMINERS.has(tags[noun?.from ?? -1] ?? 'X') && noun !== undefined && noun.to > noun.from + 1
  if (noun?.kind !== 'noun' || !isDefinite || TIME_NOUNS.has(tokens[noun.head]?.lower ?? '')) return undefined
  const antecedent = { from: from - 1, to: from }
  const end = findOwnVerb(place)
  if (end === undefined) return undefined
  place.state.waiting.push({
    subject: { from: from - 1, to: end },
    openings: [],
    marker: '',
    within: undefined,
    kind: 'main'
  })
  return createClause(place, { kind: 'relative', start: from, antecedent, subject: { from, to: from + 1 } })
}

const DETERMINERS: ReadonlySet<Tag> = new Set<Tag>(['DET', 'PRON', 'NUM'])

/** Returns the chunk of a later finite verb that nothing separates from this one. */
function findOwnVerb({ state: { chunks }, at }: VerbPlace): number | undefined {
  for (let next = at + 1; next < chunks.length; next++) {
    const { kind, verb } = chunks[next] as Chunk
    if (verb?.form === 'finite') return next
    if (kind !== 'noun' && kind !== 'preposition' && kind !== 'adverb' && kind !== 'adjective') return undefined
  }
  return undefined
}

/** Decides whether a noun phrase between two verbs is the object of the first or the subject of the second. */
function linkAfterSubject(place: VerbPlace, found: FoundSubject, current: Clause): Clause {
  const { state, from } = place
  const { chunks } = state
  const { subject } = found
  const openStart = findOpeningStart(state, from, subject.from)
  const opener = chunks[openStart - 1]?.kind
  if (REPORTING_VERBS.has(current.verb.base) && openStart === from) {
    return createClause(place, { kind: 'complement', start: from, within: current, ...found })
  }
  if (opener === 'and' || opener === 'comma') {
    const isAfterOpening = current.kind === 'adverbial' && opener === 'comma'
    // "I wish I could row, **but** I swim"
    const isContrast = chunks[openStart - 1]?.isContrast === true && startsNominative(state, found)
    const isSame = opener === 'and' && !isAfterOpening && !isContrast && current.kind === 'complement'
    const within = isSame ? current.within : undefined
    const openings = found.openings.filter((phrase) => phrase.from >= openStart - 1)
    return createClause(place, { kind: 'main', start: openStart - 1, within, subject, openings })
  }
  const inner = findLastAnd(state, subject)
  if (inner >= 0 && !isPair(place, subject))
    return createClause(place, { kind: 'main', start: inner, subject: { from: inner + 1, to: subject.to } })
  const isTold = OBJECT_CONTROL_VERBS.has(current.verb.base) && REPORTING_VERBS.has(current.verb.base)
  if (isTold && chunks[from]?.kind === 'noun' && subject.from === from + 1)
    return createClause(place, { kind: 'complement', start: subject.from, within: current, ...found, openings: [] })
  if (endsOpeningClause(place, found)) return createClause(place, { kind: 'main', start: subject.from, subject })
  if (chunks[subject.from - 1]?.kind === 'noun' && subject.from - 1 >= from) {
    const antecedent = { from: findPartStart(state, from, subject.from - 1), to: subject.from }
    return createClause(place, { kind: 'relative', start: subject.from, antecedent, ...found, openings: [] })
  }
  if (isReducedAfterAll(current) && !isPronounSubject(state, current)) {
    const { subject: whose, openings } = current
    current.kind = 'participle'
    return createClause(place, { kind: 'main', start: place.at, subject: whose, openings })
  }
  return createClause(place, { kind: 'complement', start: subject.from, within: current, ...found })
}

/** Recognises two persons directly after a noun: "the songs **Ann and I** wrote". */
function isPair({ state, from, verb }: VerbPlace, subject: Phrase): boolean {
  const { chunks, tokens, tags } = state
  const [before, name, , last] = chunks.slice(subject.from - 1, subject.to)
  if (subject.to - subject.from !== 3 || subject.from <= from || verb.hasAuxiliary) return false
  const isNamed = tags[name?.from ?? -1] === 'PROPN' && tags[before?.head ?? -1] === 'NOUN'
  return before?.kind === 'noun' && isNamed && NOMINATIVES.has(tokens[last?.from ?? -1]?.lower ?? '')
}

/** Returns where a noun phrase begins that names a part: "**some of the best** tea I drank", "**one of** the trips". */
function findPartStart({ chunks, tokens }: ReadState, from: number, noun: number): number {
  const isPart =
    noun - 2 >= from &&
    tokens[chunks[noun - 1]?.from ?? -1]?.lower === 'of' &&
    PARTS.has(tokens[chunks[noun - 2]?.head ?? -1]?.lower ?? '')
  return isPart ? noun - 2 : noun
}

const PARTS = new Set('one two three some many most few several couple all part any'.split(' '))

/** Recognises the main clause behind an opening one without a comma: "When I visit Canada **I swim**". */
function endsOpeningClause({ state }: VerbPlace, found: FoundSubject): boolean {
  return (
    startsNominative(state, found) && state.clauses.every(({ kind }) => kind === 'adverbial' || kind === 'infinitive')
  )
}

/** Recognises an earlier "past tense" that was a participle: "The man **seen** there died". */
function isReducedAfterAll(current: Clause): boolean {
  return current.verb.form === 'bare' && current.kind === 'main' && current.subject !== undefined
}

function isPronounSubject({ chunks, tokens }: ReadState, { subject }: Clause): boolean {
  const chunk = chunks[subject?.from ?? -1]
  return chunk?.isPronoun === true || tokens[chunk?.head ?? -1]?.lower === 'i'
}

/** Returns where the adverbials before a subject begin: "…, in 1990 **Bob**" begins at `in`. */
function findOpeningStart({ chunks }: ReadState, from: number, subject: number): number {
  let start = subject
  while (start > from) {
    const kind = chunks[start - 1]?.kind
    if (kind === 'and' || kind === 'comma' || kind === 'stop') break
    if (kind === 'adverb' || kind === 'quote' || kind === 'other') start--
    else break
  }
  return start
}

function findLastAnd({ chunks }: ReadState, { from, to }: Phrase): number {
  for (let at = to - 1; at > from; at--) if (chunks[at]?.kind === 'and') return at
  return -1
}

/** Links a verb of saying to the quotation before it: `"…", said Bob` and `…, he said`. */
function linkSpeechBefore(place: VerbPlace, found: FoundSubject | undefined): Clause | undefined {
  const { state, at, verb, from } = place
  const { chunks } = state
  if (!SPEECH_VERBS.has(verb.base)) return undefined
  if (found === undefined) {
    const isAfterMark = at === from || ['comma', 'quote'].includes(chunks[at - 1]?.kind ?? '')
    const follows = chunks[at + 2]?.kind
    const isObject = OBJECTS.has(state.tokens[chunks[at + 1]?.from ?? -1]?.lower ?? '')
    if (
      isObject ||
      !isAfterMark ||
      chunks[at + 1]?.kind !== 'noun' ||
      (follows !== undefined && follows !== 'stop' && follows !== 'comma')
    )
      return undefined
    return createClause(place, { kind: 'speech', start: at, subject: { from: at + 1, to: at + 2 } })
  }
  const next = chunks[at + 1]?.kind
  const opener = chunks[found.subject.from - 1]?.kind
  if ((opener !== 'comma' && opener !== 'quote') || !(next === undefined || next === 'stop' || next === 'comma'))
    return undefined
  const first = state.clauses.length === 0 ? findSubject(chunks, from, found.subject.from - 1) : undefined
  if (state.clauses.length === 0 && (first === undefined || next !== 'comma')) return undefined
  if (first !== undefined) state.waiting.push({ ...first, marker: '', within: undefined, kind: 'main' })
  return createClause(place, { kind: 'speech', start: found.subject.from - 1, subject: found.subject })
}

/** "He helped explain **it**" quotes nothing. */
const OBJECTS = new Set([...OBJECT_PRONOUNS, 'it', 'this', 'that'])

/** Links a base form after a causative verb and its object: "It made me **laugh**", "they helped Ann **move**". */
function linkBareInfinitive(place: VerbPlace, current: Clause): Clause | undefined {
  const { state, at, from, verb } = place
  if (!CAUSATIVE_VERBS.has(current.verb.base) || verb.hasAuxiliary || verb.opens !== verb.base) return undefined
  if (verb.form !== 'finite' || state.chunks.slice(from, at).some(({ kind }) => kind === 'and' || kind === 'comma'))
    return undefined
  return createClause(place, {
    kind: 'infinitive',
    start: at,
    within: current,
    subject: at > from ? { from, to: from + 1 } : current.subject
  })
}

/**
 * Links a gerund that opens the sentence or a new statement as the subject: "**Painting the house** takes time", "…, but
 * **cleaning the brushes** takes longer".
 */
function linkGerundSubject(place: VerbPlace, current: Clause, found: FoundSubject | undefined): Clause | undefined {
  const { state, at, from } = place
  const between = state.chunks.slice(from, at)
  if (startsNominative(state, found) || between.some(({ kind }) => kind === 'comma')) return undefined
  const gerunds = opensStatement(place, current) ? [current] : listOpeningGerunds(place, current, found)
  const [first] = gerunds
  if (first === undefined) return undefined
  for (const gerund of gerunds) Object.assign(gerund, { kind: 'gerund', subject: undefined, within: undefined })
  return createClause(place, { kind: 'main', start: at, subject: { from: first.at, to: at } })
}

/** Lists the gerunds at the start of a sentence that are the subject of a verb. */
function listOpeningGerunds(place: VerbPlace, current: Clause, found: FoundSubject | undefined): Clause[] {
  const { clauses, chunks } = place.state
  const isLoose = ({ kind, verb, subject }: Clause) =>
    kind === 'adjunct' && verb.form === 'ing' && subject === undefined && !verb.hasAuxiliary
  const first = clauses[0] ?? current
  if (!isLoose(first)) return []
  if (disagrees(place) && clauses.every(isLoose)) return clauses
  const isInside = current.kind === 'relative' || current.kind === 'infinitive'
  if (found !== undefined && current !== first && !isInside) return []
  // "Having it to remind me of the care **and** support from my team is great"
  const isJoined = chunks.slice(place.from, place.at).some(({ kind }) => kind === 'and')
  return isJoined && (current.kind !== 'infinitive' || place.verb.base !== 'be') ? [] : [first]
}

/** Recognises "…, **but cleaning** the brushes", and the same with `and` where it ends no list. */
function opensStatement({ state: { chunks, clauses, tokens }, at: next }: VerbPlace, { at, verb }: Clause): boolean {
  const before = clauses.at(-2)
  const joint = chunks[at - 1]
  if (verb.form !== 'ing' || verb.hasAuxiliary || joint?.kind !== 'and' || before?.verb.form !== 'finite') return false
  // "…, but knowing **there is** help"
  if (tokens[chunks[next - 1]?.from ?? -1]?.lower === 'there') return false
  if (joint.isContrast) return true
  return chunks[at - 2]?.kind === 'comma' && chunks.slice(before.at, at - 2).every(({ kind }) => kind !== 'comma')
}

/** Recognises a singular verb behind a plural: "Mixing **paints** and cleaning **brushes takes** time". */
function disagrees({ state: { chunks, tokens, tags }, at, verb }: VerbPlace): boolean {
  const head = chunks[at - 1]?.kind === 'noun' ? (chunks[at - 1]?.head ?? -1) : -1
  const isPlural = tags[head] === 'NOUN' && /[^su]s$/.test(tokens[head]?.lower ?? '')
  return isPlural && (SINGULAR.has(verb.opens) || classifyVerbForm(verb.opens) === 'present')
}

const SINGULAR = new Set(['is', 'was', 'has', 'does'])

/** Recognises a pronoun that can only be a subject: "… **he** went". */
function startsNominative({ chunks, tokens }: ReadState, found: FoundSubject | undefined): boolean {
  return found !== undefined && NOMINATIVES.has(tokens[chunks[found.subject.from]?.head ?? -1]?.lower ?? '')
}
