import type { FactRecord } from '../../contract/snapshot.ts'
import type { ClauseVerb } from './clause-verb.ts'
import { type EventClause, QUOTE, type Tagged } from './event-clause.ts'
import { CONDITIONS, NEGATIONS, SUBJECT_PRONOUNS, UNREAL_WORDS } from './event-words.ts'

/** Whether a sentence asks: then nothing in it is said to have happened. */
export function isAsked({ tokens, tags }: Tagged): boolean {
  for (let at = tokens.length - 1; at >= Math.max(0, tokens.length - 4); at--)
    if (tokens[at]?.text.includes('?')) return true
  let at = 0
  while (tags[at] === 'INTJ' || tags[at] === 'PUNCT' || tags[at] === 'CCONJ') at++
  const next = tokens[at + 1]?.lower ?? ''
  if (tags[at] === 'AUX' && (SUBJECT_PRONOUNS.has(next) || /^(?:your|the|this|that|there)$/.test(next))) return true
  return /^(?:who|what|where|when|why|how)$/.test(tokens[at]?.lower ?? '') && tags[at + 1] === 'AUX'
}

/** Whether a clause hangs on a condition: it holds one, or another clause of the sentence does and it is not of the past. */
export function isSupposed({ tokens }: Tagged, { from, to }: EventClause, verb: ClauseVerb | undefined): boolean {
  const at = tokens.findIndex(({ lower }) => CONDITIONS.has(lower))
  if (at < 0) return false
  return verb?.tense !== 'past' || tokens.slice(from, to).some(({ lower }) => CONDITIONS.has(lower))
}

/** Whether a clause only denies, wishes, asks for or quotes what it speaks of: words up to its verb tell, not later ones. */
export function isUnreal(tagged: Tagged, { from, to }: EventClause, verb: ClauseVerb | undefined): boolean {
  const end = verb === undefined ? to : Math.min(to, verb.at + 3)
  for (let at = from; at < end; at++) {
    if (isWait(tagged.tokens, at)) break
    if (deniesAt(tagged, at, verb === undefined || at > verb.at || at === from) || supposesAt(tagged, at)) return true
  }
  return isQuoted(tagged.tokens, from)
}

/** `no` denies what happened only after the verb (`had no time`); before it, it tells of somebody (`no friend of mine`). */
function deniesAt({ tokens, tags }: Tagged, at: number, mayBeNo: boolean): boolean {
  const word = tokens[at]?.lower ?? ''
  if (word === 'no') return mayBeNo && tags[at] === 'DET'
  return NEGATIONS.has(word) && tokens[at + 1]?.lower !== 'only'
}

function supposesAt({ tokens, tags }: Tagged, at: number): boolean {
  const word = tokens[at]?.lower ?? ''
  if (UNREAL_WORDS.has(word)) return tags[at] !== 'NOUN'
  if (word === 'may') return tags[at] === 'AUX'
  return word === 'going' && tokens[at + 1]?.lower === 'to' && /^(?:was|were)$/.test(tokens[at - 1]?.lower ?? '')
}

/** `can't wait` is no denial, but what is looked forward to. */
function isWait(tokens: Tagged['tokens'], at: number): boolean {
  const [word, not, wait] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  return (
    (word?.lower === 'ca' || word?.lower === 'can') &&
    wait?.lower === 'wait' &&
    /^(?:n['’]t|not)$/.test(not?.lower ?? '')
  )
}

function isQuoted(tokens: Tagged['tokens'], from: number): boolean {
  let open = 0
  for (let at = 0; at < from; at++) if (QUOTE.test(tokens[at]?.text ?? '')) open++
  return open % 2 === 1
}

/** Whether the facts of a clause all say that it is not so, or only may be. `start` and `end` in UTF-16 code units. */
export function isDenied(facts: readonly FactRecord[], { start, end }: { start: number; end: number }): boolean {
  const own = facts.filter(({ span: [from, to] }) => from >= start && to <= end)
  return (
    own.length > 0 && own.every(({ negated, modality }) => negated || modality === 'possible' || modality === 'wanted')
  )
}
