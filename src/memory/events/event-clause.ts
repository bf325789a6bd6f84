import { opensQuestion } from '../facts/trim-asides.ts'
import type { Tag, Token } from '../language/token.ts'
import { CLAUSE_ENDS, CLAUSE_OPENERS, OBJECTS, REPORTS, SUBJECT_PRONOUNS } from './event-words.ts'

/**
 * A range of a sentence's tokens that describes one event: `from` and `to` are token indexes, half-open. `isOpened` is
 * true if the first word only joins the clause to what precedes it (`and`, `when`).
 */
export type EventClause = { from: number; to: number; hasVerb: boolean; isOpened: boolean }

export type Tagged = { tokens: readonly Token[]; tags: readonly Tag[] }

/**
 * Splits a sentence wherever a subject with its own verb begins ("We ate early | and he left at nine"). A part without
 * a verb joins the part after its comma (`Last week, …`), otherwise the part before it.
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

/** What a clause starts after or with: a mark that ends the previous one, a joining word, or a subject. */
type Cut = 'end' | 'word' | 'subject'

function addClause(clauses: EventClause[], clause: EventClause, cut: Cut | undefined): void {
  const last = clauses.at(-1)
  const isApart = last === undefined || (clause.hasVerb && (last.hasVerb || cut === 'end'))
  if (isApart) clauses.push(clause)
  else clauses[clauses.length - 1] = { ...last, to: clause.to, hasVerb: last.hasVerb || clause.hasVerb }
}

/** Checks for a finite verb; `while walking` and `to see` have none. */
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
  if (opensAddedQuestion(tagged, at)) return 'end'
  if (endsReport(tagged, at) && opensSubject(tagged, at)) return 'subject'
  if (!CLAUSE_OPENERS.has(word) || (word === 'so' && PRO_VERBS.has(before))) return undefined
  const next = tagged.tokens[at + 1]?.lower ?? ''
  const subject = CLAUSE_OPENERS.has(next) && next !== 'that' ? at + 2 : at + 1
  return opensSubject(tagged, subject) || opensSubject(tagged, skipAdverbs(tagged, subject)) ? 'word' : undefined
}

/** Verbs before `so` that stand for another one: "will **do so** when I can". */
const PRO_VERBS: ReadonlySet<string> = new Set(['do', 'does', 'did', 'doing', 'done'])

/** Checks that what is reported begins here: "I think | she left", "he told me | she left". */
function endsReport({ tokens }: Tagged, at: number): boolean {
  const [first, last] = [tokens[at - 2]?.lower ?? '', tokens[at - 1]?.lower ?? '']
  return first === 'told' ? OBJECTS.has(last) : last !== 'told' && REPORTS.has(last)
}

/** "We cook **and then** we eat" */
function skipAdverbs({ tags }: Tagged, at: number): number {
  return tags[at] === 'ADV' ? at + 1 : at
}

/**
 * Checks for a question behind a statement: "The exam is in May, **can you** help me", "It fell, **but how can I** lift
 * it".
 */
export function opensAddedQuestion({ tokens, tags }: Tagged, at: number): boolean {
  const isJoined = JOINTS.has(tokens[at]?.lower ?? '')
  const before = tokens[at - 1]?.lower ?? ''
  const isApart = isJoined || before === ',' || before === '-' || ASKING.has(tokens[at]?.lower ?? '')
  return isApart && opensQuestion(tokens, tags, isJoined ? at + 1 : at)
}

const JOINTS: ReadonlySet<string> = new Set(['so', 'but', 'and'])
const ASKING: ReadonlySet<string> = new Set(['why', 'how'])

/** A mark that opens or closes a quotation. */
export const QUOTE_MARK = /^["“”«»„]+$/

/** Checks for a dash between words, not inside one. */
function isSpaced(tokens: readonly Token[], at: number): boolean {
  const [before, dash] = [tokens[at - 1], tokens[at]]
  return before !== undefined && dash !== undefined && before.end < dash.start
}

/** Maximum number of words between the start of a subject and its verb. */
const SUBJECT_TOKENS_MAX = 6

/** Checks whether a noun phrase followed by a verb begins here. */
function opensSubject({ tokens, tags }: Tagged, at: number): boolean {
  if (SUBJECT_PRONOUNS.has(tokens[at]?.lower ?? '')) return isVerbNear(tags, at + 1)
  let nouns = 0
  let last = at + SUBJECT_TOKENS_MAX
  for (let next = at; next < last; next++) {
    const tag = tags[next]
    if (nouns > 0 && isNamedAside({ tokens, tags }, next)) [next, last] = [next + 2, last + 3]
    else if (tag === 'NOUN' || tag === 'PROPN' || tag === 'PRON') nouns++
    else if (tag === 'VERB' || tag === 'AUX') return nouns > 0 && !tokens[next]?.lower.endsWith('ing')
    else if (tag !== 'DET' && tag !== 'ADJ' && tag !== 'NUM' && !(tag === 'PART' && nouns > 0)) return false
  }
  return false
}

/** "my brother**, Bo,** sold it" */
function isNamedAside({ tokens, tags }: Tagged, at: number): boolean {
  return tokens[at]?.lower === ',' && tags[at + 1] === 'PROPN' && tokens[at + 2]?.lower === ','
}

function isVerbNear(tags: readonly Tag[], at: number): boolean {
  return [at, at + 1, at + 2].some((place) => tags[place] === 'VERB' || tags[place] === 'AUX')
}
