import type { Sentence, Tag, Token } from '../language/token.ts'
import { CLAUSE_ENDS, CLAUSE_OPENERS, SUBJECT_PRONOUNS } from './event-words.ts'

/** A stretch of a sentence's tokens with one happening in it: `from` and `to` are token numbers, half-open. */
export type EventClause = { from: number; to: number; hasVerb: boolean }

export type Tagged = { tokens: readonly Token[]; tags: readonly Tag[] }

/**
 * A sentence cut where a subject with a verb of its own begins anew ("We ate early | and he left at nine"). What has no
 * verb belongs to what follows it at the start of a sentence (`Last week, …`), else to what stands before.
 */
export function eventClauses(sentence: Sentence, tags: readonly Tag[]): EventClause[] {
  const tagged = { tokens: sentence.tokens, tags }
  const cuts = sentence.tokens.flatMap((_, at) => (at > 0 && begins(tagged, at) ? [at] : []))
  const ends = [...cuts, sentence.tokens.length]
  const clauses: EventClause[] = []
  for (const [number, from] of [0, ...cuts].entries())
    addClause(clauses, { from, to: ends[number] ?? from, hasVerb: hasVerb(tags, from, ends[number] ?? from) })
  return clauses
}

function addClause(clauses: EventClause[], clause: EventClause): void {
  const last = clauses.at(-1)
  if (last === undefined || (last.hasVerb && clause.hasVerb)) clauses.push(clause)
  else clauses[clauses.length - 1] = { from: last.from, to: clause.to, hasVerb: last.hasVerb || clause.hasVerb }
}

function hasVerb(tags: readonly Tag[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (tags[at] === 'VERB' || tags[at] === 'AUX') return true
  return false
}

function begins(tagged: Tagged, at: number): boolean {
  const before = tagged.tokens[at - 1]?.lower ?? ''
  if (CLAUSE_ENDS.has(before)) return true
  const word = tagged.tokens[at]?.lower ?? ''
  if (!CLAUSE_OPENERS.has(word) || (word === '-' && !isSpaced(tagged.tokens, at))) return false
  const next = tagged.tokens[at + 1]?.lower ?? ''
  return opensSubject(tagged, CLAUSE_OPENERS.has(next) && next !== 'that' ? at + 2 : at + 1)
}

/** A dash between words, not in one. */
function isSpaced(tokens: readonly Token[], at: number): boolean {
  const [before, dash] = [tokens[at - 1], tokens[at]]
  return before !== undefined && dash !== undefined && before.end < dash.start
}

/** So many words may stand between the start of a subject and its verb. */
const SUBJECT_TOKENS_MAX = 6

/** Whether a noun phrase with a verb after it begins here. */
function opensSubject({ tokens, tags }: Tagged, at: number): boolean {
  if (SUBJECT_PRONOUNS.has(tokens[at]?.lower ?? '')) return isVerbNear(tags, at + 1)
  let nouns = 0
  for (let next = at; next < at + SUBJECT_TOKENS_MAX; next++) {
    const tag = tags[next]
    if (tag === 'NOUN' || tag === 'PROPN' || tag === 'PRON') nouns++
    else if (tag === 'VERB' || tag === 'AUX') return nouns > 0 && !tokens[next]?.lower.endsWith('ing')
    else if (tag !== 'DET' && tag !== 'ADJ' && tag !== 'NUM' && !(tag === 'PART' && nouns > 0)) return false
  }
  return false
}

function isVerbNear(tags: readonly Tag[], at: number): boolean {
  return [at, at + 1, at + 2].some((place) => tags[place] === 'VERB' || tags[place] === 'AUX')
}
