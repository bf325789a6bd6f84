import { clauseEnd } from './clause-end.ts'
import type { Draft } from './draft.ts'
import { spanOf } from './draft.ts'
import { favourite } from './favourite.ts'
import { PREFERENCE_RULES } from './preference-rules.ts'
import { preferenceSubject } from './preference-subject.ts'
import type { Spoken } from './spoken.ts'
import { thirdPerson } from './third-person.ts'

/** What the speaker of a sentence, or somebody it names, likes better, likes, avoids or does as a habit. */
export function findPreferences(spoken: Spoken): Draft[] {
  if (spoken.isAside) return []
  const drafts: Draft[] = []
  for (let at = spoken.head; at < spoken.tokens.length; ) {
    const from = afterHedge(spoken, at)
    const to = Math.max(clauseEnd(spoken.tokens, from), from + 1)
    const draft = preferenceIn(spoken, from, to) ?? reasonIn(spoken, from, to)
    if (draft !== undefined) drafts.push(draft)
    at = nextClause(spoken, to)
  }
  return drafts
}

function preferenceIn(spoken: Spoken, from: number, to: number): Draft | undefined {
  const { text, tokens, speaker } = spoken
  const subject = preferenceSubject(tokens, from, to)
  const clause = { tokens, to, subject }
  const rule =
    subject === undefined ? undefined : PREFERENCE_RULES.find(({ holds }) => holds({ ...clause, subject }))?.rule
  const found = rule ?? favourite({ tokens, from, to })
  if (found === undefined) return undefined
  return { rule: found, statement: thirdPerson({ text, tokens, from, to, speaker }), ...spanOf(tokens, { from, to }) }
}

/** "That's **why I love** maps", "I stayed home, **because I hate** queues" */
function reasonIn(spoken: Spoken, from: number, to: number): Draft | undefined {
  if (UNREAL.has(spoken.tokens[from]?.lower ?? '')) return undefined
  for (let at = from + 1; at < to; at++) {
    if (spoken.tokens[at]?.lower !== 'i' || !REASONS.has(spoken.tokens[at - 1]?.lower ?? '')) continue
    return preferenceIn(spoken, at, to)
  }
  return undefined
}

const REASONS: ReadonlySet<string> = new Set(['why', 'because', 'since', 'cause', 'reason', 'reasons'])
const UNREAL: ReadonlySet<string> = new Set(['if', 'unless', 'he', 'she', 'they', 'when'])

/** Past `I think`, `I guess that`. */
function afterHedge({ tokens }: Spoken, at: number): number {
  if (tokens[at]?.lower !== 'i' || !HEDGES.has(tokens[at + 1]?.lower ?? '')) return at
  return tokens[at + 2]?.lower === 'that' ? at + 3 : at + 2
}

const HEDGES: ReadonlySet<string> = new Set(['think', 'guess', 'believe', 'suppose'])

/** Past the marks and small words that join two clauses. */
function nextClause({ tokens }: Spoken, end: number): number {
  let at = end
  while (at < tokens.length && (tokens[at]?.tag === 'PUNCT' || JOINTS.has(tokens[at]?.lower ?? ''))) at++
  return at
}

const JOINTS: ReadonlySet<string> = new Set(['and', 'but', 'so', 'or', 'yet', 'although', 'though', 'because'])
