import { classifyVerbForm } from '../language/verb-forms.ts'
import { type Clause, createClause, type Phrase, type ReadState, type VerbPlace } from './clause.ts'
import { type FoundSubject, findLastOpener, findSubject, keepWaiting, resumeWaiting } from './find-subject.ts'
import { linkRelativeClause } from './link-relative-clause.ts'
import { CAUSATIVE_VERBS, NOMINATIVES, OBJECT_CONTROL_VERBS, REPORTING_VERBS, SPEECH_VERBS } from './word-classes.ts'

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
  const isAsked = before !== undefined && border === place.from && REPORTING_VERBS.has(before.verb.base)
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
  const found = findSubject(chunks, from, at)
  const current = state.clauses.at(-1)
  const waiting = state.waiting.at(-1)
  if (current === undefined || chunks[from - 1]?.kind === 'stop') {
    const quoted = current === undefined ? linkSpeechBefore(place, found) : undefined
    if (quoted !== undefined) return quoted
    if (found === undefined && current !== undefined) return linkCoordinate(place, from)
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
    const within = opener === 'and' && !isAfterOpening && current.kind === 'complement' ? current.within : undefined
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

/** Links a verb after `and` or a comma to the subject of the previous finite clause. */
function linkCoordinate(place: VerbPlace, from: number): Clause | undefined {
  const { state, at } = place
  const { chunks } = state
  let start = at
  while (start > from && ['adverb', 'quote'].includes(chunks[start - 1]?.kind ?? '')) start--
  const isLinked = ['and', 'comma'].includes(chunks[start - 1]?.kind ?? '')
  // "I set up two routes: GET /notes": a colon opens a list.
  const opener = chunks[start - 1]
  if (!isLinked && (opener?.kind !== 'stop' || state.tokens[opener.from]?.text === ':')) return undefined
  const before = isLinked ? findParallel(place, chunks[start - 2]?.kind === 'comma') : findLastFinite(state)
  if (before !== undefined && !isCoordinable(before, place)) return undefined
  while (start > from && ['and', 'comma'].includes(chunks[start - 1]?.kind ?? '')) start--
  lendWords(before, place, start)
  return createClause(place, {
    kind: before === undefined ? 'main' : SHARED_KINDS.has(before.kind) ? before.kind : 'coordinate',
    start: isLinked ? start : at,
    subject: before?.subject,
    openings: before?.openings ?? [],
    marker: before?.marker ?? '',
    within: before?.kind === 'infinitive' ? before : before?.within,
    antecedent: before?.antecedent
  })
}

/** Kinds of clause that a coordinated verb continues: "ensure that it works **and follows** the rules". */
const SHARED_KINDS: ReadonlySet<Clause['kind']> = new Set<Clause['kind']>(['infinitive', 'complement'])

function isAfterHaving({ state, verb, at }: VerbPlace): boolean {
  const last = state.clauses.at(-1)
  if (state.chunks[at - 1]?.kind !== 'and') return false
  return last?.kind === 'gerund' && last.verb.opens === 'having' && verb.form === 'bare'
}

/** Copies to a coordinated verb what it shares with the one before. `start` is the first chunk of its clause. */
function lendWords(before: Clause | undefined, place: VerbPlace, start: number): void {
  const { chunks, tokens } = place.state
  if (!lendCatenative(before, place)) lendModal(before, place)
  const joint = chunks.slice(start, place.at).find(({ kind }) => kind === 'and')
  if (tokens[joint?.from ?? -1]?.lower === 'or') lendNegation(before, place)
}

/** Copies a modal to a coordinated verb: "we can walk and **swim**". */
function lendModal(before: Clause | undefined, { verb }: VerbPlace): void {
  const modal = before?.verb.modal
  const isHelper = verb.hasAuxiliary && verb.base !== 'have'
  if (before === undefined || modal === undefined || isHelper || verb.opens !== verb.base) return
  verb.modal = modal
  verb.borrowed = FULL_MODALS.get(modal) ?? modal
  if (before.verb.isNegated) verb.borrowed = `${verb.borrowed} not`
  verb.isNegated = before.verb.isNegated
}

/** Copies the verb before an infinitive to a coordinated one if there is one: "we **had to** walk and **swim**". */
function lendCatenative(before: Clause | undefined, { state, verb }: VerbPlace): boolean {
  const isHelper = verb.hasAuxiliary && verb.base !== 'have'
  if (before === undefined || isHelper || verb.opens !== verb.base) return false
  const { first, base, main, modal, isPerfect, isNegated, lead } = before.verb
  const from = state.chunks[before.at]?.from ?? main
  if (first === base || before.kind === 'infinitive') return false
  if (lead === undefined && !LEADS.has(state.tokens[main - 1]?.lower ?? '')) return false
  if (classifyVerbForm(verb.opens) !== 'base') return false
  verb.lead = lead ?? { from, to: main }
  Object.assign(verb, { first, modal, isPerfect, isNegated })
  return true
}

/** Precede an infinitive that others share. */
const LEADS = new Set(['to', 'wanna', 'gonna', 'gotta'])

/** Copies a denial to the other verb of an alternative: "I **never** planned or **prepared** it". */
function lendNegation(before: Clause | undefined, { state, verb }: VerbPlace): void {
  if (before?.verb.isNegated !== true || verb.borrowed !== undefined || verb.lead !== undefined) return
  const words = state.tokens.slice(state.chunks[before.at]?.from ?? before.verb.main, before.verb.main)
  const isNever = words.some(({ lower }) => lower === 'never')
  verb.borrowed = isNever ? 'never' : verb.opens === verb.base ? 'does not' : 'not'
  verb.isNegated = true
}

const FULL_MODALS = new Map([
  ["'ll", 'will'],
  ["'d", 'would'],
  ['ca', 'can'],
  ['wo', 'will']
])

/**
 * Rejects unlikely coordination: a base form can only follow a base form. "She sang and **dances**" passes, "he sang
 * and **obscure** songs" does not.
 */
function isCoordinable(before: Clause, { verb, state, from, at }: VerbPlace): boolean {
  if (verb.hasAuxiliary || verb.opens !== verb.base || classifyVerbForm(verb.opens) !== 'base') return true
  // "I couldn't help but laugh": I laughed.
  const isDeniedHelp = before.verb.base === 'help' && before.verb.isNegated
  if (isDeniedHelp || isListed(state, from, at)) return false
  if (before.verb.form === 'infinitive' || before.verb.modal !== undefined || before.verb.hasAuxiliary) return true
  return (
    before.verb.first === before.verb.opens ||
    classifyVerbForm(before.verb.opens) === 'base' ||
    before.verb.opens === 'to'
  )
}

/**
 * Recognises a noun that was taken for a verb in a list: "forms, like essays, cover letters and **grant** uses", "and
 * faster **build** times".
 */
function isListed({ tokens, tags, chunks }: ReadState, from: number, at: number): boolean {
  const verb = chunks[at]
  if (verb === undefined || tags[verb.to] !== 'NOUN') return false
  if (/er$/.test(tokens[verb.to - 2]?.lower ?? '') && verb.to - verb.from > 1) return true
  const words = tokens.slice(chunks[from]?.from ?? verb.from, verb.to)
  return words.some(({ lower }) => LIST_OPENERS.has(lower))
}

/** Open a list of things, which a verb cannot continue. */
const LIST_OPENERS = new Set(['both', 'like', 'including', 'between', 'specifically', 'especially', 'particularly'])

/**
 * Finds the clause that a verb is coordinated with: an infinitive or modal for a base form, otherwise the last finite
 * one.
 */
function findParallel({ state, verb }: VerbPlace, hasComma: boolean): Clause | undefined {
  const last = state.clauses.at(-1)
  const isBase = verb.form === 'finite' && verb.opens === verb.base && !verb.hasAuxiliary
  if (isBase && last?.kind === 'infinitive') return last
  const before = findLastFinite(state)
  const main = state.clauses.findLast((clause) => clause.kind === 'main' || clause.kind === 'coordinate')
  return hasComma && before?.kind === 'adverbial' && main !== undefined ? main : before
}

/** Returns the nearest clause with a finite verb. */
function findLastFinite({ clauses }: ReadState): Clause | undefined {
  for (let i = clauses.length - 1; i >= 0 && i >= clauses.length - 6; i--) {
    const clause = clauses[i] as Clause
    if (
      clause.kind !== 'infinitive' &&
      clause.kind !== 'participle' &&
      clause.kind !== 'gerund' &&
      clause.kind !== 'adjunct'
    )
      return clause
  }
  return clauses.at(-1)
}

/** Links a verb of saying to the quotation before it: `"…", said Bob` and `…, he said`. */
function linkSpeechBefore(place: VerbPlace, found: FoundSubject | undefined): Clause | undefined {
  const { state, at, verb, from } = place
  const { chunks } = state
  if (!SPEECH_VERBS.has(verb.base)) return undefined
  if (found === undefined) {
    const isAfterMark = at === from || ['comma', 'quote'].includes(chunks[at - 1]?.kind ?? '')
    const follows = chunks[at + 2]?.kind
    if (
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

/** Links a gerund that opens the sentence as the subject: "**Painting the house** takes time". */
function linkGerundSubject(place: VerbPlace, current: Clause, found: FoundSubject | undefined): Clause | undefined {
  const { state, at, from } = place
  const first = state.clauses[0] ?? current
  if (first.verb.form !== 'ing' || first.subject !== undefined || first.verb.hasAuxiliary) return undefined
  if (found !== undefined && current !== first && current.kind !== 'relative') return undefined
  if (
    startsNominative(state, found) ||
    state.chunks.slice(from, at).some((chunk) => chunk.kind === 'comma' || chunk.kind === 'and')
  )
    return undefined
  if (first.kind !== 'adjunct') return undefined
  first.kind = 'gerund'
  return createClause(place, { kind: 'main', start: at, subject: { from: first.at, to: at } })
}

/** Recognises a pronoun that can only be a subject: "… **he** went". */
function startsNominative({ chunks, tokens }: ReadState, found: FoundSubject | undefined): boolean {
  return found !== undefined && NOMINATIVES.has(tokens[chunks[found.subject.from]?.head ?? -1]?.lower ?? '')
}
