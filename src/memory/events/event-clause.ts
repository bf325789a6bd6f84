import type { Tag, Token } from '../language/token.ts'
import { CLAUSE_ENDS, CLAUSE_OPENERS, REPORTS, SUBJECT_PRONOUNS } from './event-words.ts'

/**
 * A stretch of a sentence's tokens with one happening in it: `from` and `to` are token numbers, half-open. `isOpened`
 * tells that its first word only joins it to what stands before (`and`, `when`).
 */
export type EventClause = { from: number; to: number; hasVerb: boolean; isOpened: boolean }

export type Tagged = { tokens: readonly Token[]; tags: readonly Tag[] }

/**
 * A sentence cut where a subject with a verb of its own begins anew ("We ate early | and he left at nine"). What has no
 * verb belongs to what follows it after a comma (`Last week, …`), else to what stands before.
 */
export function splitEventClauses(tagged: Tagged): EventClause[] {
  const { tokens } = tagged
  const clauses: EventClause[] = []
  let [from, cut]: [number, Cut | undefined] = [0, undefined]
  for (let at = 1; at <= tokens.length; at++) {
    const next = at < tokens.length ? findCut(tagged, at) : 'end'
    if (next === undefined) continue
    addClause(clauses, { from, to: at, hasVerb: hasVerb(tagged, from, at), isOpened: cut === 'word' }, cut)
    from = at
    cut = next
  }
  return clauses
}

/** What a clause begins with: after a mark that ends the one before, with a word that joins, or with its subject. */
type Cut = 'end' | 'word' | 'subject'

function addClause(clauses: EventClause[], clause: EventClause, cut: Cut | undefined): void {
  const last = clauses.at(-1)
  const isApart = last === undefined || (clause.hasVerb && (last.hasVerb || cut === 'end'))
  if (isApart) clauses.push(clause)
  else clauses[clauses.length - 1] = { ...last, to: clause.to, hasVerb: last.hasVerb || clause.hasVerb }
}

/** A verb of its own: not one that only goes with another (`while walking`, `to see`). */
function hasVerb({ tokens, tags }: Tagged, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (tags[at] === 'AUX') return true
    if (tags[at] === 'VERB' && !tokens[at]?.lower.endsWith('ing') && tokens[at - 1]?.lower !== 'to') return true
  }
  return false
}

function findCut(tagged: Tagged, at: number): Cut | undefined {
  const before = tagged.tokens[at - 1]?.lower ?? ''
  const word = tagged.tokens[at]?.lower ?? ''
  if (CLAUSE_ENDS.has(before) || (before === '-' && isSpaced(tagged.tokens, at - 1))) return 'end'
  if (QUOTE_MARK.test(before) && opensSubject(tagged, at)) return 'end'
  if (REPORTS.has(before) && opensSubject(tagged, at)) return 'subject'
  if (!CLAUSE_OPENERS.has(word)) return undefined
  const next = tagged.tokens[at + 1]?.lower ?? ''
  return opensSubject(tagged, CLAUSE_OPENERS.has(next) && next !== 'that' ? at + 2 : at + 1) ? 'word' : undefined
}

/** A mark that opens or closes what somebody else said. */
export const QUOTE_MARK = /^["“”«»„]+$/

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
