import {
  type Chunk,
  type Clause,
  createClause,
  type Phrase,
  type ReadState,
  type VerbPlace,
  type Waiting
} from './clause.ts'
import { REPORTING_VERBS } from './word-classes.ts'

/** The subject before a verb, and the chunks from `from` up to the subject. */
export type FoundSubject = { subject: Phrase; openings: Phrase[] }

/**
 * Finds the subject of a verb at `to` in the chunks from `from` on: the last noun phrase with its prepositional phrases
 * and coordinations. Skips adverbs and text between commas or brackets. Returns undefined if there is none.
 */
export function findSubject(chunks: readonly Chunk[], from: number, to: number): FoundSubject | undefined {
  let end = to
  while (end > from && SKIPPED.has(kindAt(chunks, end - 1))) end--
  const last = kindAt(chunks, end - 1)
  if (end > from && (last === 'comma' || last === 'closing' || isDash(chunks[end - 1])))
    end = skipParenthesis(chunks, from, end)
  if (end <= from || kindAt(chunks, end - 1) !== 'noun') return undefined
  const start = findGroupStart(chunks, from, end)
  if (start === undefined) return undefined
  return { subject: { from: start, to: end }, openings: listOpenings(chunks, from, start) }
}

const SKIPPED: ReadonlySet<string> = new Set(['adverb', 'quote', 'other'])

const kindAt = (chunks: readonly Chunk[], at: number) => chunks[at]?.kind ?? 'stop'

const isDash = (chunk: Chunk | undefined) => chunk?.kind === 'stop' && chunk.to - chunk.from === 1

/** Returns where an insertion between commas begins: "Bob, my brother, | lives". */
function skipParenthesis(chunks: readonly Chunk[], from: number, end: number): number {
  const closes = kindAt(chunks, end - 1)
  const opens = closes === 'comma' ? 'comma' : closes === 'closing' ? 'opening' : 'stop'
  if (
    kindAt(chunks, end - 2) === 'adverb' &&
    kindAt(chunks, end - 3) === 'noun' &&
    closes === 'comma' &&
    end - 3 >= from
  )
    return end - 2
  let at = end - 2
  while (at > from && kindAt(chunks, at) !== opens) at--
  if (at <= from) return from
  let before = at
  while (before > from && kindAt(chunks, before - 1) === 'quote') before--
  if (kindAt(chunks, before - 1) !== 'noun') return from
  // Leave "In May, Ann, …" alone. A time phrase is not a subject.
  return before
}

/**
 * Steps back over "of the house", "and Ann", ", Bob and Ann". Returns undefined if all of it depends on a preposition.
 */
function findGroupStart(chunks: readonly Chunk[], from: number, end: number): number | undefined {
  let start = end - 1
  let hasAnd = false
  while (start - 2 >= from && !isPronoun(chunks[start])) {
    const step = stepBack(chunks, { from, start, hasAnd })
    if (step === undefined) break
    start = step.start
    hasAnd ||= step.isAnd
  }
  while (start > from && kindAt(chunks, start - 1) === 'quote') start--
  return start > from && kindAt(chunks, start - 1) === 'preposition' ? undefined : start
}

type Group = { from: number; start: number; hasAnd: boolean }

/** Returns the start of the noun phrase that is linked to the group from its left. */
function stepBack(
  chunks: readonly Chunk[],
  { from, start, hasAnd }: Group
): { start: number; isAnd: boolean } | undefined {
  let link = start - 1
  while (link > from && kindAt(chunks, link) === 'quote') link--
  if (kindAt(chunks, link) === 'preposition' && kindAt(chunks, link - 1) === 'adjective') link--
  const kind = kindAt(chunks, link)
  const before = kindAt(chunks, link - 1)
  const isAnd = kind === 'and' && chunks[link]?.isContrast === false
  if (isAnd && before === 'comma' && kindAt(chunks, link - 2) === 'noun') return { start: link - 2, isAnd }
  if (before !== 'noun') return undefined
  const isLink = isAnd || kind === 'preposition' || kind === 'adjective' || (kind === 'comma' && hasAnd)
  return isLink ? { start: link - 1, isAnd } : undefined
}

/** Recognises a pronoun, which is not coordinated with anything to its left: "… to Bob, and | it". */
function isPronoun(chunk: Chunk | undefined): boolean {
  return chunk?.kind === 'noun' && chunk.isPronoun
}

/** Lists the adverbials before a subject, split at commas, without bare conjunctions and marks. */
function listOpenings(chunks: readonly Chunk[], from: number, to: number): Phrase[] {
  const phrases: Phrase[] = []
  let start = from
  for (let at = from; at <= to; at++) {
    const kind = at < to ? kindAt(chunks, at) : 'comma'
    if (kind !== 'comma' && kind !== 'and' && kind !== 'stop' && kind !== 'opening' && kind !== 'closing') continue
    if (kind === 'and' && at > start && at < to - 1) continue
    if (at > start) phrases.push({ from: start, to: at })
    start = at + 1
  }
  return phrases.filter((phrase) => isAdverbial(chunks, phrase) && kindAt(chunks, phrase.to - 1) !== 'and')
}

/** Recognises a prepositional phrase, an adverb other than a discourse word, or a time. */
function isAdverbial(chunks: readonly Chunk[], { from, to }: Phrase): boolean {
  const kind = kindAt(chunks, from)
  if (kind === 'preposition') return to > from + 1
  if (kind === 'adverb') return to > from + 1
  return false
}

/** Registers an antecedent that has no verb yet as the subject of a later verb. */
export function keepWaiting(place: VerbPlace, antecedent: Phrase): void {
  const { state, from } = place
  const { clauses, chunks, waiting } = state
  const current = clauses.at(-1)
  const border = findLastOpener(state, from, antecedent.from)
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
  const isReported = isReportedSubject(place, found.subject, antecedent)
  if (![isFirst, isAfterOpening, isOpened, isAfterAnd, isReported].includes(true)) return
  const marker = isOpened ? (state.tokens[chunks[border]?.from ?? -1]?.lower ?? '') : ''
  const kind = opener === 'marker' ? 'adverbial' : opener === 'relative' || isReported ? 'complement' : 'main'
  waiting.push({
    subject: found.subject,
    openings: found.openings,
    marker,
    within: kind === 'complement' ? current : undefined,
    kind
  })
}

/** Recognises the subject of a reported statement or a fear: "I'm worried **my stall on the quay**, which is old, is too small". */
function isReportedSubject({ state, from }: VerbPlace, subject: Phrase, antecedent: Phrase): boolean {
  const { chunks, clauses } = state
  const current = clauses.at(-1)
  if (current === undefined || subject.from !== from || !REPORTING_VERBS.has(current.verb.base)) return false
  if (chunks[antecedent.to]?.kind !== 'comma') return false
  for (let at = antecedent.to + 2; at < chunks.length; at++)
    if (chunks[at]?.verb?.form === 'finite' && chunks[at - 1]?.kind === 'comma') return true
  return false
}

/** Creates the clause of a verb whose subject was waiting for it. */
export function resumeWaiting(place: VerbPlace, waiting: Waiting): Clause {
  place.state.waiting.pop()
  return createClause(place, { ...waiting, start: place.at })
}

/** Returns the last chunk before a verb that opens a clause, or an index before `from` if there is none. */
export function findLastOpener({ chunks }: ReadState, from: number, at: number): number {
  for (let i = at - 1; i >= from; i--) {
    const kind = chunks[i]?.kind
    if (kind === 'marker' || kind === 'relative' || kind === 'stop') return i
  }
  return from - 1
}
