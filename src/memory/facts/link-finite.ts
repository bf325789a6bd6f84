import { verbForm } from '../language/verb-forms.ts'
import type { Phrase } from './chunk.ts'
import type { Clause } from './clause.ts'
import { type FoundSubject, findSubject } from './find-subject.ts'
import type { ReadState, VerbPlace, Waiting } from './read-clauses.ts'
import { FREE_RELATIVES, NOMINATIVES, OBJECT_PRONOUNS } from './words/clause-words.ts'
import { CAUSATIVE_VERBS, OBJECT_CONTROL_VERBS, REPORTING_VERBS, SPEECH_VERBS } from './words/verb-classes.ts'

/** Links a finite verb to its subject and to the clause it hangs on. */
export function linkFinite(place: VerbPlace): Clause | undefined {
  const { state, at, from } = place
  const border = lastOpener(state, from, at)
  const kind = state.chunks[border]?.kind
  if (kind === 'relative') return relativeClause(place, border) ?? plainClause(place, border + 1)
  if (kind === 'marker') return markedClause(place, border)
  if (kind === 'stop') {
    state.waiting.length = border < from ? 0 : state.waiting.length
    return plainClause(place, border + 1)
  }
  return plainClause(place, from)
}

/** The last chunk before the verb that opens a clause; one before `from` where there is none. */
function lastOpener({ chunks }: ReadState, from: number, at: number): number {
  for (let i = at - 1; i >= from; i--) {
    const kind = chunks[i]?.kind
    if (kind === 'marker' || kind === 'relative') return i
    if (
      kind === 'stop' &&
      !isClosingDash(
        chunks.map((chunk) => chunk.kind),
        from,
        i
      )
    )
      return i
  }
  return from - 1
}

/** The second of a pair of dashes closes what they put between. */
function isClosingDash(_kinds: readonly string[], _from: number, _at: number): boolean {
  return false
}

function clauseOf(place: VerbPlace, more: Partial<Clause> & Pick<Clause, 'kind' | 'start'>): Clause {
  return {
    at: place.at,
    verb: place.verb,
    subject: undefined,
    openings: [],
    marker: '',
    within: undefined,
    antecedent: undefined,
    end: 0,
    ...more
  }
}

/** "the man **who** saw it", "the house **that** he built", "she said **that** he came". */
function relativeClause(place: VerbPlace, border: number): Clause | undefined {
  const { state, at, from } = place
  const { chunks, tokens, clauses } = state
  const marker = tokens[chunks[border]?.from ?? -1]?.lower ?? ''
  const current = clauses.at(-1)
  const found = findSubject(chunks, border + 1, at)
  const antecedent = findAntecedent(place, border)
  if (FREE_RELATIVES.has(marker)) {
    return clauseOf(place, { kind: 'complement', start: border, marker, within: current, subject: found?.subject })
  }
  const isComplement =
    marker === 'that' &&
    found !== undefined &&
    (antecedent === undefined || border === from || takesThat(current, border, from, antecedent))
  if (isComplement) {
    return clauseOf(place, { kind: 'complement', start: border, marker, within: current, ...found })
  }
  if (antecedent === undefined) {
    if (found !== undefined)
      return clauseOf(place, { kind: 'complement', start: border, marker, within: current, ...found })
    if (marker === 'that' && border === from)
      return clauseOf(place, {
        kind: 'complement',
        start: border,
        marker,
        within: current,
        subject: { from: border, to: border + 1 }
      })
    return undefined
  }
  keepWaiting(place, antecedent)
  return clauseOf(place, {
    kind: 'relative',
    start: border,
    marker,
    antecedent,
    subject: found?.subject ?? antecedent,
    openings: found?.openings ?? []
  })
}

/** "told Ann **that** …": an object stands between the verb and its clause. */
function takesThat(current: Clause | undefined, border: number, from: number, antecedent: Phrase): boolean {
  return (
    current !== undefined &&
    REPORTING_VERBS.has(current.verb.base) &&
    antecedent.from === from &&
    border - from === 1 &&
    OBJECT_CONTROL_VERBS.has(current.verb.base)
  )
}

/** The noun phrase that a relative pronoun stands for, with what belongs to it: "the man in the hat, **who** …". */
function findAntecedent(place: VerbPlace, border: number): Phrase | undefined {
  const { state, from } = place
  const { chunks } = state
  let end = border
  while (end > from && ['comma', 'preposition', 'quote', 'closing'].includes(chunks[end - 1]?.kind ?? '')) end--
  if (chunks[end - 1]?.kind !== 'noun' || end <= from) return undefined
  if (OBJECT_PRONOUNS.has(state.tokens[chunks[end - 1]?.from ?? -1]?.lower ?? '')) return undefined
  const agreeing = agreeingNoun(place, end)
  if (agreeing !== undefined) return agreeing
  let start = end - 1
  while (
    start - 2 >= from &&
    chunks[start - 1]?.kind === 'preposition' &&
    chunks[start - 2]?.kind === 'noun' &&
    state.tokens[chunks[start - 1]?.from ?? -1]?.lower === 'of'
  )
    start -= 2
  return { from: start, to: end }
}

/** "the **prices** of oil that rise": a noun further left whose number fits the verb, where the nearest does not. */
function agreeingNoun({ state, from, verb }: VerbPlace, end: number): Phrase | undefined {
  const { chunks, tokens, tags } = state
  const wanted = numberOf(verb.opens, verb.base)
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

/** Which number a verb form wants before it: `are` plural, `lives` singular; most tell nothing. */
function numberOf(opens: string, base: string): 'plural' | 'singular' | undefined {
  if (opens === 'are' || opens === 'were' || opens === 'have' || opens === 'do') return 'plural'
  if (opens === 'is' || opens === 'was' || opens === 'has' || opens === 'does') return 'singular'
  if (opens === base) return verbForm(opens) === 'base' ? 'plural' : undefined
  return verbForm(opens) === 'present' ? 'singular' : undefined
}

/** The antecedent has no verb yet: it is the subject of one to come. */
export function keepWaiting(place: VerbPlace, antecedent: Phrase): void {
  const { state, from } = place
  const { clauses, chunks, waiting } = state
  const current = clauses.at(-1)
  const border = lastOpener(state, from, antecedent.from)
  const opener = chunks[border]?.kind
  const start = border < from ? from : border + 1
  const isApposed = chunks[antecedent.from - 1]?.kind === 'comma' && chunks[antecedent.from - 2]?.kind === 'noun'
  const apart = isApposed && current === undefined ? findSubject(chunks, start, antecedent.from - 1) : undefined
  const found = apart ?? findSubject(chunks, start, antecedent.to)
  if (found === undefined) return
  const isFirst = current === undefined || opener === 'stop'
  const isAfterOpening = current?.kind === 'adverbial' && chunks[antecedent.from - 1]?.kind === 'comma'
  const isOpened = opener === 'marker' || (opener === 'relative' && current !== undefined)
  const isAfterAnd = chunks[found.subject.from - 1]?.kind === 'and' && antecedent.from > from + 1
  if (!isFirst && !isAfterOpening && !isOpened && !isAfterAnd) return
  const marker = isOpened ? (state.tokens[chunks[border]?.from ?? -1]?.lower ?? '') : ''
  const kind = opener === 'marker' ? 'adverbial' : opener === 'relative' ? 'complement' : 'main'
  waiting.push({
    subject: found.subject,
    openings: found.openings,
    marker,
    within: kind === 'complement' ? current : undefined,
    kind
  })
}

/** "because he came", "if it rains", "when the train stops". */
function markedClause(place: VerbPlace, border: number): Clause {
  const { state, at } = place
  const marker = state.tokens[state.chunks[border]?.from ?? -1]?.lower ?? ''
  const found = findSubject(state.chunks, border + 1, at)
  const start = state.chunks[border - 1]?.kind === 'adverb' && border - 1 >= place.from ? border - 1 : border
  const before = lastFinite(state)
  const isWhether =
    marker === 'whether' ||
    (marker === 'if' && before !== undefined && border === place.from && REPORTING_VERBS.has(before.verb.base))
  const isHow =
    marker === 'how' ||
    marker === 'why' ||
    (FREE_RELATIVES.has(marker) &&
      border === place.from &&
      before !== undefined &&
      REPORTING_VERBS.has(before.verb.base))
  if (isWhether || isHow)
    return clauseOf(place, { kind: 'complement', start: border, marker, within: state.clauses.at(-1), ...found })
  return clauseOf(place, {
    kind: 'adverbial',
    start,
    marker,
    subject: found?.subject ?? before?.subject,
    openings: found?.openings ?? []
  })
}

/** A verb without a word that opens its clause: the first one, one after `and`, one whose subject waits, one that is said. */
function plainClause(place: VerbPlace, from: number): Clause | undefined {
  const { state, at } = place
  const { chunks } = state
  const found = findSubject(chunks, from, at)
  const current = state.clauses.at(-1)
  const waiting = state.waiting.at(-1)
  if (current === undefined || chunks[from - 1]?.kind === 'stop') {
    const quoted = current === undefined ? speechBefore(place, found) : undefined
    if (quoted !== undefined) return quoted
    if (found === undefined && current !== undefined) return coordinate(place, from)
    return clauseOf(place, { kind: 'main', start: from, ...found })
  }
  const quoted = speechBefore(place, found)
  if (quoted !== undefined) return quoted
  if (waiting !== undefined && !startsNominative(state, found)) return resume(place, waiting)
  const caused = bareInfinitive(place, current)
  if (caused !== undefined) return caused
  const gerund = gerundSubject(place, current, found)
  if (gerund !== undefined) return gerund
  if (found === undefined) return coordinate(place, from)
  return afterSubject(place, found, current)
}

/** "It made me **laugh**", "they helped Ann **move**": a base form after somebody who is made, let or helped to. */
function bareInfinitive(place: VerbPlace, current: Clause): Clause | undefined {
  const { state, at, from, verb } = place
  if (!CAUSATIVE_VERBS.has(current.verb.base) || verb.hasAuxiliary || verb.opens !== verb.base) return undefined
  if (verb.form !== 'finite' || state.chunks.slice(from, at).some(({ kind }) => kind === 'and' || kind === 'comma'))
    return undefined
  return clauseOf(place, {
    kind: 'infinitive',
    start: at,
    within: current,
    subject: at > from ? { from, to: from + 1 } : current.subject
  })
}

/** "**Painting the house** takes time": a verb in -ing that opens the sentence is the subject. */
function gerundSubject(place: VerbPlace, current: Clause, found: FoundSubject | undefined): Clause | undefined {
  const { state, at, from } = place
  const first = state.clauses[0] ?? current
  if (first.verb.form !== 'ing' || first.subject !== undefined || first.verb.hasAuxiliary) return undefined
  if (found !== undefined && current !== first) return undefined
  if (
    startsNominative(state, found) ||
    state.chunks.slice(from, at).some((chunk) => chunk.kind === 'comma' || chunk.kind === 'and')
  )
    return undefined
  if (first.kind !== 'adjunct') return undefined
  first.kind = 'gerund'
  return clauseOf(place, { kind: 'main', start: at, subject: { from: first.at, to: at } })
}

function startsNominative({ chunks, tokens }: ReadState, found: FoundSubject | undefined): boolean {
  return found !== undefined && NOMINATIVES.has(tokens[chunks[found.subject.from]?.head ?? -1]?.lower ?? '')
}

function resume(place: VerbPlace, waiting: Waiting): Clause {
  place.state.waiting.pop()
  return clauseOf(place, { ...waiting, start: place.at })
}

/** A verb after `and` or a comma shares the subject of the finite clause before. */
function coordinate(place: VerbPlace, from: number): Clause | undefined {
  const { state, at } = place
  const { chunks } = state
  let start = at
  while (start > from && ['adverb', 'quote'].includes(chunks[start - 1]?.kind ?? '')) start--
  const isLinked = ['and', 'comma'].includes(chunks[start - 1]?.kind ?? '')
  if (!isLinked && chunks[start - 1]?.kind !== 'stop') return undefined
  const before = isLinked ? parallel(place, chunks[start - 2]?.kind === 'comma') : lastFinite(state)
  if (before !== undefined && !goTogether(before, place)) return undefined
  while (start > from && ['and', 'comma'].includes(chunks[start - 1]?.kind ?? '')) start--
  return clauseOf(place, {
    kind: before === undefined ? 'main' : before.kind === 'infinitive' ? 'infinitive' : 'coordinate',
    start: isLinked ? start : at,
    subject: before?.subject,
    openings: before?.openings ?? [],
    marker: before?.marker ?? '',
    within: before?.kind === 'infinitive' ? before : before?.within,
    antecedent: before?.antecedent
  })
}

/** "She sang and **dances**" may be; "he sang and **obscure** songs" is no verb: a base form goes with base forms only. */
function goTogether(before: Clause, { verb }: VerbPlace): boolean {
  if (verb.hasAuxiliary || verb.opens !== verb.base || verbForm(verb.opens) !== 'base') return true
  if (before.verb.form === 'infinitive' || before.verb.modal !== undefined || before.verb.hasAuxiliary) return true
  return before.verb.first === before.verb.opens || verbForm(before.verb.opens) === 'base' || before.verb.opens === 'to'
}

/** The clause that a coordinated verb goes with: a base form goes with an infinitive or modal, others with the last finite one. */
function parallel({ state, verb }: VerbPlace, hasComma: boolean): Clause | undefined {
  const last = state.clauses.at(-1)
  const isBase = verb.form === 'finite' && verb.opens === verb.base && !verb.hasAuxiliary
  if (isBase && last?.kind === 'infinitive') return last
  const before = lastFinite(state)
  const main = state.clauses.findLast((clause) => clause.kind === 'main' || clause.kind === 'coordinate')
  return hasComma && before?.kind === 'adverbial' && main !== undefined ? main : before
}

function lastFinite({ clauses }: ReadState): Clause | undefined {
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

/** A noun phrase before the verb, and a verb before that: whose is the noun? */
function afterSubject(place: VerbPlace, found: FoundSubject, current: Clause): Clause {
  const { state, from } = place
  const { chunks } = state
  const { subject } = found
  const openStart = openingStart(state, from, subject.from)
  const opener = chunks[openStart - 1]?.kind
  if (REPORTING_VERBS.has(current.verb.base) && openStart === from) {
    return clauseOf(place, { kind: 'complement', start: from, within: current, ...found })
  }
  if (opener === 'and' || opener === 'comma') {
    const isAfterOpening = current.kind === 'adverbial' && opener === 'comma'
    const within = opener === 'and' && !isAfterOpening && current.kind === 'complement' ? current.within : undefined
    const openings = found.openings.filter((phrase) => phrase.from >= openStart - 1)
    return clauseOf(place, { kind: 'main', start: openStart - 1, within, subject, openings })
  }
  const inner = lastAnd(state, subject)
  if (inner >= 0) return clauseOf(place, { kind: 'main', start: inner, subject: { from: inner + 1, to: subject.to } })
  const isTold = OBJECT_CONTROL_VERBS.has(current.verb.base) && REPORTING_VERBS.has(current.verb.base)
  if (isTold && chunks[from]?.kind === 'noun' && subject.from === from + 1)
    return clauseOf(place, { kind: 'complement', start: subject.from, within: current, ...found, openings: [] })
  if (chunks[subject.from - 1]?.kind === 'noun' && subject.from - 1 >= from) {
    const antecedent = { from: subject.from - 1, to: subject.from }
    return clauseOf(place, { kind: 'relative', start: subject.from, antecedent, ...found, openings: [] })
  }
  if (isReducedAfterAll(state, current) && !isPronounSubject(state, current)) {
    const { subject: whose, openings } = current
    current.kind = 'participle'
    return clauseOf(place, { kind: 'main', start: place.at, subject: whose, openings })
  }
  return clauseOf(place, { kind: 'complement', start: subject.from, within: current, ...found })
}

/** "The man **seen** there died": what looked like a past tense was a participle. */
function isReducedAfterAll(_state: ReadState, current: Clause): boolean {
  return current.verb.form === 'bare' && current.kind === 'main' && current.subject !== undefined
}

function isPronounSubject({ chunks, tokens }: ReadState, { subject }: Clause): boolean {
  const chunk = chunks[subject?.from ?? -1]
  return chunk?.isPronoun === true || tokens[chunk?.head ?? -1]?.lower === 'i'
}

/** Where the openings of a subject begin: "…, in 1990 **Bob**" begins at `in`. */
function openingStart({ chunks }: ReadState, from: number, subject: number): number {
  let start = subject
  while (start > from) {
    const kind = chunks[start - 1]?.kind
    if (kind === 'and' || kind === 'comma' || kind === 'stop') break
    if (kind === 'adverb' || kind === 'quote' || kind === 'other') start--
    else break
  }
  return start
}

function lastAnd({ chunks }: ReadState, { from, to }: Phrase): number {
  for (let at = to - 1; at > from; at--) if (chunks[at]?.kind === 'and') return at
  return -1
}

/** `"…", said Bob` and `…, he said`: what stands before is what was said. */
function speechBefore(place: VerbPlace, found: FoundSubject | undefined): Clause | undefined {
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
    return clauseOf(place, { kind: 'speech', start: at, subject: { from: at + 1, to: at + 2 } })
  }
  const next = chunks[at + 1]?.kind
  const opener = chunks[found.subject.from - 1]?.kind
  if ((opener !== 'comma' && opener !== 'quote') || !(next === undefined || next === 'stop' || next === 'comma'))
    return undefined
  const first = state.clauses.length === 0 ? findSubject(chunks, from, found.subject.from - 1) : undefined
  if (state.clauses.length === 0 && (first === undefined || next !== 'comma')) return undefined
  if (first !== undefined) state.waiting.push({ ...first, marker: '', within: undefined, kind: 'main' })
  return clauseOf(place, { kind: 'speech', start: found.subject.from - 1, subject: found.subject })
}
