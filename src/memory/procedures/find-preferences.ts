import type { Token } from '../language/token.ts'
import { findClauseEnd } from './find-clause-end.ts'
import { findPreferenceSubject, PREFERENCE_RULES } from './preference-rules.ts'
import { computeSpan, type ProcedureDraft } from './procedure-draft.ts'
import type { Spoken } from './spoken.ts'
import { toThirdPerson } from './to-third-person.ts'

/** Finds what the speaker of a sentence, or a person it names, prefers, likes, avoids or does habitually. */
export function findPreferences(spoken: Spoken): ProcedureDraft[] {
  if (spoken.isAside) return []
  const drafts: ProcedureDraft[] = []
  for (let at = spoken.head; at < spoken.tokens.length; ) {
    const from = skipHedge(spoken, at)
    const to = Math.max(findClauseEnd(spoken.tokens, from), from + 1)
    const draft = readPreference(spoken, from, to) ?? readReason(spoken, from, to)
    if (draft !== undefined) drafts.push(draft)
    at = findNextClause(spoken, to)
  }
  return drafts
}

function readPreference(spoken: Spoken, from: number, to: number): ProcedureDraft | undefined {
  const { text, tokens, speaker } = spoken
  const subject = findPreferenceSubject(tokens, from, to)
  const clause = subject && { tokens, to, subject }
  const rule = clause && PREFERENCE_RULES.find(({ holds }) => holds(clause))?.rule
  const found = rule ?? matchFavourite({ tokens, from, to })
  if (found === undefined) return undefined
  return {
    rule: found,
    statement: toThirdPerson({ text, tokens, from, to, speaker }),
    ...computeSpan(tokens, { from, to })
  }
}

/** "That's **why I love** maps", "I stayed home, **because I hate** queues" */
function readReason(spoken: Spoken, from: number, to: number): ProcedureDraft | undefined {
  if (UNREAL.has(spoken.tokens[from]?.lower ?? '')) return undefined
  for (let at = from + 1; at < to; at++) {
    if (spoken.tokens[at]?.lower !== 'i' || !REASONS.has(spoken.tokens[at - 1]?.lower ?? '')) continue
    return readPreference(spoken, at, to)
  }
  return undefined
}

const REASONS: ReadonlySet<string> = new Set(['why', 'because', 'since', 'cause', 'reason', 'reasons'])
const UNREAL: ReadonlySet<string> = new Set(['if', 'unless', 'he', 'she', 'they', 'when'])

/** Skips `I think`, `I guess that`. */
function skipHedge({ tokens }: Spoken, at: number): number {
  if (tokens[at]?.lower !== 'i' || !HEDGES.has(tokens[at + 1]?.lower ?? '')) return at
  return tokens[at + 2]?.lower === 'that' ? at + 3 : at + 2
}

const HEDGES: ReadonlySet<string> = new Set(['think', 'guess', 'believe', 'suppose'])

/** Skips the marks and small words that join two clauses. */
function findNextClause({ tokens }: Spoken, end: number): number {
  let at = end
  while (at < tokens.length && (tokens[at]?.tag === 'PUNCT' || JOINTS.has(tokens[at]?.lower ?? ''))) at++
  return at
}

const JOINTS: ReadonlySet<string> = new Set(['and', 'but', 'so', 'or', 'yet', 'although', 'though', 'because'])

/**
 * Matches a favourite whose owner and value are stated: "My **favourite** editor is Helix", "green is Ada's
 * **favourite** colour". Rejects `this is my favourite`, which only points, and `my favourite is back`, which names
 * nothing.
 */
function matchFavourite({ tokens, from, to }: Clause): 'preference.favourite' | undefined {
  for (let at = from; at < Math.min(to, from + REACH); at++) {
    if (!FAVOURITES.has(tokens[at]?.lower ?? '') || !isOwned(tokens, at)) continue
    return namesIt({ tokens, from, to }, at) ? 'preference.favourite' : undefined
  }
  return undefined
}

type Clause = { tokens: readonly Token[]; from: number; to: number }

/** Maximum distance from the start of the clause; a later mention is incidental. */
const REACH = 12

const FAVOURITES: ReadonlySet<string> = new Set([
  'favourite',
  'favorite',
  'fave',
  'favourites',
  'favorites',
  'preferred',
  'go-to'
])
const POINTING: ReadonlySet<string> = new Set(
  'it|that|this|these|those|they|which|he|she|one|there|here|what|you|when|if|not|back|so|on|such|always|too'.split('|')
)

/** `my favourite`, `our least favourite`, `Ada's favourite` */
function isOwned(tokens: readonly Token[], at: number): boolean {
  let owner = at - 1
  while (owner > at - OWNER_REACH && DEGREES.has(tokens[owner]?.lower ?? '')) owner--
  return OWNERS.has(tokens[owner]?.lower ?? '')
}

const OWNER_REACH = 5
const DEGREES: ReadonlySet<string> = new Set([
  'least',
  'most',
  'absolute',
  'all',
  '-',
  'time',
  'all-time',
  'current',
  'new',
  'very'
])
const OWNERS: ReadonlySet<string> = new Set(['my', 'our', "'s", '’s'])

function namesIt({ tokens, from, to }: Clause, at: number): boolean {
  const copula = findCopula({ tokens, from: at + 1, to })
  if (copula !== undefined) {
    const named = tokens[copula + 1]
    return copula + 1 < to && named !== undefined && !POINTING.has(named.lower) && named.tag !== 'PUNCT'
  }
  const first = tokens[from]
  const before = findCopula({ tokens, from: from + 1, to: at })
  return (
    before !== undefined &&
    first !== undefined &&
    !POINTING.has(first.lower) &&
    first.tag !== 'AUX' &&
    first.tag !== 'ADP'
  )
}

function findCopula({ tokens, from, to }: Clause): number | undefined {
  for (let at = from; at < Math.min(to, from + REACH); at++) {
    const lower = tokens[at]?.lower
    if (lower === 'is' || lower === 'are') return at
    if (lower === "'s" && tokens[at]?.tag !== 'PART') return at
  }
  return undefined
}
