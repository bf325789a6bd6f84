import type { FactRecord } from '../../contract/snapshot.ts'
import type { EventClause, Tagged } from './event-clause.ts'
import { CONDITIONS, NEGATIONS, SUBJECT_PRONOUNS, UNREAL_WORDS } from './event-words.ts'

/** Whether a sentence asks or supposes: then nothing in it is said to have happened. */
export function isSupposed({ tokens, tags }: Tagged): boolean {
  for (let at = tokens.length - 1; at >= Math.max(0, tokens.length - 4); at--)
    if (tokens[at]?.text.includes('?')) return true
  if (tokens.some(({ lower }) => CONDITIONS.has(lower))) return true
  let at = 0
  while (tags[at] === 'INTJ' || tags[at] === 'PUNCT' || tags[at] === 'CCONJ') at++
  const next = tokens[at + 1]?.lower ?? ''
  if (tags[at] === 'AUX' && (SUBJECT_PRONOUNS.has(next) || /^(?:your|the|this|that|there)$/.test(next))) return true
  return /^(?:who|what|where|when|why|how)$/.test(tokens[at]?.lower ?? '') && tags[at + 1] === 'AUX'
}

/** Whether a clause only denies, wishes, asks for or quotes what it speaks of. */
export function isUnreal({ tokens, tags }: Tagged, { from, to }: EventClause): boolean {
  for (let at = from; at < to; at++) {
    const word = tokens[at]?.lower ?? ''
    if (word === 'not' && tokens[at + 1]?.lower === 'only') continue
    if (NEGATIONS.has(word) || (word === 'no' && tags[at] === 'DET')) return true
    if (UNREAL_WORDS.has(word) && tags[at] !== 'NOUN' && !isWait(tokens[at + 1]?.lower, tokens[at + 2]?.lower))
      return true
    if (word === 'may' && tags[at] === 'AUX') return true
    if (word === 'going' && /^(?:was|were)$/.test(tokens[at - 1]?.lower ?? '') && tokens[at + 1]?.lower === 'to')
      return true
  }
  return isQuoted(tokens, from)
}

/** `can't wait` is no denial, but what is looked forward to. */
function isWait(next: string | undefined, afterNext: string | undefined): boolean {
  return afterNext === 'wait' && next !== undefined && /^n['’]t$/.test(next)
}

const QUOTES = /^["“”«»„]+$/

function isQuoted(tokens: Tagged['tokens'], from: number): boolean {
  let open = 0
  for (let at = 0; at < from; at++) if (QUOTES.test(tokens[at]?.text ?? '')) open++
  return open % 2 === 1
}

/** Whether the facts of a clause all say that it is not so, or only may be. `start` and `end` in UTF-16 code units. */
export function isDenied(facts: readonly FactRecord[], { start, end }: { start: number; end: number }): boolean {
  const own = facts.filter(({ span: [from, to] }) => from >= start && to <= end)
  return (
    own.length > 0 && own.every(({ negated, modality }) => negated || modality === 'possible' || modality === 'wanted')
  )
}
