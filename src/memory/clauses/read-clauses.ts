import type { Tag, Token } from '../language/token.ts'
import type { Chunk, Clause, Parse, ReadState, VerbPlace } from './clause.ts'
import { findChunks } from './find-chunks.ts'
import { linkFinite } from './link-finite.ts'
import { linkNonfinite } from './link-nonfinite.ts'
import { REPORTING_VERBS } from './word-classes.ts'

/**
 * Splits a sentence into clauses. Every verb group opens one; the words between it and the previous verb decide how the
 * two relate. Reads from left to right with a stack of subjects that wait for their verb. Follows the clause types of
 * ClausIE (Del Corro and Gemulla 2013) on shallow chunks as in ReVerb (Fader et al. 2011), without a dependency parser.
 */
export function readClauses(tokens: readonly Token[], tags: readonly Tag[]): Parse {
  const chunks = findChunks(tokens, tags)
  const state: ReadState = { tokens, tags, chunks, clauses: [], waiting: [] }
  for (const [at, chunk] of chunks.entries()) {
    if (chunk.verb === undefined) continue
    const place = { state, at, verb: chunk.verb, from: (state.clauses.at(-1)?.at ?? -1) + 1 }
    const clause = isFiniteVerb(place) ? linkFinite(place) : linkNonfinite(place)
    if (clause !== undefined) state.clauses.push(clause)
  }
  linkFrontedParticiple(state)
  settleEnds(state)
  return state
}

function isFiniteVerb({ verb, state, at, from }: VerbPlace): boolean {
  if (verb.form === 'finite') return true
  return verb.form === 'bare' && !isReduced({ state, at, verb, from })
}

/** Recognises a participle without its own subject: "a dog **named** Rex", ", **founded** in 1905,". */
function isReduced(place: VerbPlace): boolean {
  const { state, at, from } = place
  let before = at - 1
  while (before >= from && state.chunks[before]?.kind === 'adverb') before--
  const isPreposition = state.chunks[at + 1]?.kind === 'preposition'
  if (before < from) return state.clauses.length === 0 && at === 0 && isPreposition && hasFiniteAfter(state, at)
  switch (state.chunks[before]?.kind) {
    case 'comma':
      if (state.clauses.length > 0) return isPreposition
      return closesBeforeVerb(state, at) && !isApposed(state.chunks, from, before)
    case 'and':
      return state.clauses.at(-1)?.kind === 'participle' && state.waiting.length > 0
    case 'opening':
      return true
    case 'marker':
      return isPreposition && hasFiniteAfter(state, at)
    case 'noun':
      return isReducedAfterNoun(place, before)
    default:
      return false
  }
}

/** Distinguishes it from a past tense by the words after it, and by whether the noun is already an object. */
function isReducedAfterNoun({ state, at, from }: VerbPlace, before: number): boolean {
  if (isNominative(state, before)) return false
  const next = state.chunks[at + 1]
  const isBy = next?.kind === 'preposition' && state.tokens[next.from]?.lower === 'by'
  if (isBy || (!isOpened(state, from, before) && runsIntoVerb(state, at))) return true
  const current = state.clauses.at(-1)
  if (current?.kind === 'participle' && state.waiting.length > 0 && !hasFiniteAfter(state, at)) return false
  return current !== undefined && !opensAnew(state, from, before) && !REPORTING_VERBS.has(current.verb.base)
}

/** Finds a comma and a later finite verb: "The shop, **opened** in May, sells …". */
function closesBeforeVerb({ chunks }: ReadState, at: number): boolean {
  for (let next = at + 2; next < chunks.length; next++) {
    const form = chunks[next]?.verb?.form
    if ((form === 'finite' || form === 'bare') && chunks[next - 1]?.kind === 'comma') return true
  }
  return false
}

/** Recognises an apposition, which a comma opens and closes: "His brother, Tom, **served** …". */
function isApposed(chunks: readonly Chunk[], from: number, comma: number): boolean {
  for (let at = comma - 1; at > from; at--) if (chunks[at]?.kind === 'comma') return chunks[at - 1]?.kind === 'noun'
  return false
}

/** Finds a later finite verb with nothing that opens a clause between: "The bread **baked** there sells well". */
function runsIntoVerb({ chunks }: ReadState, at: number): boolean {
  const verb = chunks[at]?.verb
  if (verb === undefined || REPORTING_VERBS.has(verb.base) || verb.main - (chunks[at]?.from ?? 0) > 0) return false
  for (let next = at + 1; next < Math.min(chunks.length, at + 12); next++) {
    const chunk = chunks[next]
    const kind = chunk?.kind
    if (kind === 'and' || kind === 'comma' || kind === 'marker' || kind === 'relative' || kind === 'stop') return false
    if (chunk?.verb?.form === 'finite')
      return chunks[at + 1]?.kind !== 'noun' && !(chunks[next - 1]?.isPronoun ?? false)
  }
  return false
}

function hasFiniteAfter({ chunks }: ReadState, at: number): boolean {
  return chunks.slice(at + 1).some((chunk) => chunk.verb?.form === 'finite' || chunk.verb?.form === 'bare')
}

function isNominative({ tokens, chunks }: ReadState, at: number): boolean {
  const head = tokens[chunks[at]?.head ?? -1]?.lower ?? ''
  return head === 'i' || head === 'he' || head === 'she' || head === 'they' || head === 'we' || head === 'it'
}

function isOpened({ chunks }: ReadState, from: number, to: number): boolean {
  return chunks.slice(from, to).some(({ kind }) => kind === 'marker' || kind === 'relative')
}

/** Finds a marker, comma, `and` or stop between the previous verb and this noun. */
function opensAnew({ chunks }: ReadState, from: number, to: number): boolean {
  for (let at = to; at >= from; at--) {
    const kind = chunks[at]?.kind
    if (kind === 'marker' || kind === 'relative' || kind === 'stop' || kind === 'comma' || kind === 'and') return true
  }
  return false
}

/**
 * Links a participle that opens the sentence to the noun after its comma: "**Founded in 1950**, the club has a hall".
 */
function linkFrontedParticiple({ clauses, chunks }: ReadState): void {
  const [first, second] = clauses.filter((clause) => clause.kind !== 'gerund' && clause.kind !== 'infinitive')
  if (first === undefined || second === undefined || first.subject !== undefined || second.subject === undefined) return
  const { form, hasAuxiliary } = first.verb
  if ((form !== 'ing' && form !== 'bare' && form !== 'participle') || hasAuxiliary || second.kind !== 'main') return
  // "Just **got** back, it was late": `got` alone is a past tense.
  if (first.verb.base === 'get' && form !== 'ing') return
  const at = chunks[second.start]?.kind === 'comma' ? second.start : second.start - 1
  // "Joined a choir **and**, like I said, …", "Looking forward to it, **and** I hope …"
  if (chunks[at]?.kind !== 'comma' || chunks[at - 1]?.kind === 'and' || chunks[at + 1]?.kind === 'and') return
  first.kind = 'adjunct'
  first.subject = second.subject
}

/** Ends each clause's own words where the next clause begins; nested clauses belong to its value. */
function settleEnds({ clauses, chunks }: ReadState): void {
  let end = chunks.length
  const ends: number[] = []
  for (let i = clauses.length - 1; i >= 0; i--) {
    ends[i] = end
    end = (clauses[i] as Clause).start
  }
  for (let i = clauses.length - 1; i >= 0; i--) {
    const clause = clauses[i] as Clause
    clause.end = ends[i] as number
    for (let next = i + 1; next < clauses.length; next++) {
      const other = clauses[next] as Clause
      if (other.within !== clause || other.start !== clause.end) break
      clause.end = other.end
      while (next + 1 < clauses.length && (clauses[next + 1] as Clause).start < clause.end) next++
    }
  }
}
