import type { Words } from '../clauses/clause.ts'
import type { Tag, Token } from '../language/token.ts'

/**
 * Returns the range of a sentence of talk without what says nothing about its content: interjections and "I mean" at
 * its start; "I think", "lol" and a question added behind a comma at its end. A question without a statement before it
 * stays whole.
 */
export function trimAsides(tokens: readonly Token[], tags: readonly Tag[]): Words {
  const from = skipOpenings(tokens)
  const asked = findAddedQuestion(tokens, tags)
  let to = asked
  for (let next = dropClosing(tokens, tags, to); next < to; next = dropClosing(tokens, tags, to)) to = next
  return to - from < 2 ? { from: 0, to: asked } : { from, to }
}

/** Skips "Ohh", "lol," and "I mean" at the start. */
function skipOpenings(tokens: readonly Token[]): number {
  let at = 0
  for (let length = measureOpening(tokens, at); length > 0 && at < OPENINGS_MAX; length = measureOpening(tokens, at))
    at += length
  return at
}

/** Maximum number of tokens before a statement. */
const OPENINGS_MAX = 8

function measureOpening(tokens: readonly Token[], at: number): number {
  const word = tokens[at]?.lower ?? ''
  const length = CALL.test(word) && tokens[at + 1]?.text !== '-' ? 1 : measureRemark(tokens, at)
  return length > 0 && tokens[at + length]?.lower === ',' ? length + 1 : length
}

/** Interjections as people write them: `ohh`, `hmmm`, `hahaha`. */
const CALL =
  /^(?:o+h+|a+h+|a+w+|u+h*m+|h+m+|wo+w+|ye+a+h+|yea|lo+l|lmao+|ha(?:ha)+h?|he(?:he)+|omg|idk|yep|yup|nope|welp)$/

/** "**I mean** we left early", "**I must say**, we love cheese", but not "I mean to leave". */
function measureRemark(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.lower !== 'i') return 0
  const [verb = '', second = '', third = ''] = [1, 2, 3].map((away) => tokens[at + away]?.lower ?? '')
  const next = tokens[at + 2]?.lower
  if (verb === 'mean') return next === 'to' || next === 'it' || next === 'that' ? 0 : 2
  const said = verb === 'must' || verb === 'gotta' || verb === "'d" ? 2 : verb === 'have' && second === 'to' ? 3 : 0
  const spoken = said === 3 ? third : second
  const isClosed = /^(?:,|that|i|we|my|our|the|this|it|you)$/.test(tokens[at + said + 1]?.lower ?? '')
  return said > 0 && /^(?:say|admit|confess)$/.test(spoken) && isClosed ? said + 1 : 0
}

/** Returns the end of a sentence without its last aside, or `to` if it has none. */
function dropClosing(tokens: readonly Token[], tags: readonly Tag[], to: number): number {
  const last = tokens[to - 1]
  if (last === undefined || to < 3) return to
  // The mark before an aside is left out with it; the mark of a sentence without one stays.
  if (/^[.!,…]+$/.test(last.text)) {
    const end = dropClosing(tokens, tags, to - 1)
    return end === to - 1 ? to : end
  }
  if (CALL.test(last.lower) || CLOSINGS.has(last.lower)) return to - 1
  if (tags[to - 1] !== 'VERB' && last.lower !== 'guess') return dropAddressed(tokens, to)
  const before = tokens[to - 2]?.lower
  if (before === 'i' && HEDGES.has(last.lower) && tokens[to - 3]?.lower !== 'that') return to - 2
  const isWorry = last.lower === 'worry' && before === "n't" && tokens[to - 3]?.lower === 'do'
  return isWorry ? to - 3 : to
}

/** "…, **you?**", "… **and you**", "…, **what about you?**", "… **you know**". */
function dropAddressed(tokens: readonly Token[], to: number): number {
  const end = tokens[to - 1]?.lower === '?' ? to - 1 : to
  if (!ADDRESS_ENDS.has(tokens[end - 1]?.lower ?? '')) return to
  const words = tokens.slice(Math.max(0, end - ADDRESS_TOKENS), end).map(({ lower }) => lower)
  const found = ADDRESS.exec(words.join(' '))
  return found === null || (end < to && found.groups?.asked === undefined)
    ? to
    : end - found[0].trim().split(' ').length
}

const ADDRESS_TOKENS = 5

/** The last words of `ADDRESS`. */
const ADDRESS_ENDS = new Set(['know', 'right', 'huh', 'out', 'you', 'yours', 'yourself'])
const ADDRESS =
  /(?:^| )(?:you know|, (?:right|huh|check it out)|(?<asked>(?:, (?:and )?|and )(?:what about |how about )?(?:you|yours|yourself)))$/

/** Written at the end of what is told. */
const CLOSINGS = new Set(['tho', 'though', 'ngl', 'tbh', 'btw', 'imo'])

/** "… **I think**". */
const HEDGES = new Set(['think', 'guess', 'believe', 'suppose', 'mean', 'hope', 'swear', 'bet', 'assume'])

/**
 * Returns the first token of a question that a comma separates from a statement, or the number of tokens: "I fly on
 * Friday, **can you** help me pack", "…, so **what are the** rules".
 */
export function findAddedQuestion(tokens: readonly Token[], tags: readonly Tag[]): number {
  let hasStatement = false
  for (let at = 2; at < tokens.length; at++) {
    hasStatement ||= tags[at - 2] === 'AUX' || tags[at - 2] === 'VERB'
    if (hasStatement && INTRODUCTIONS.has(tokens[at - 1]?.lower ?? '') && opensQuestion(tokens, tags, at)) return at
  }
  return tokens.length
}

/** Checks that a question begins at a token: "**can you** help me", "**what are the** rules". */
export function opensQuestion(tokens: readonly Token[], tags: readonly Tag[], at: number): boolean {
  const [before = '', word = ''] = [tokens[at - 1]?.lower, tokens[at]?.lower]
  const isOpened = WH_WORDS.has(word)
  const verb = isOpened ? findAskedVerb(tokens, at + 1) : at
  const helper = tokens[verb]?.lower ?? ''
  if (tags[verb] !== 'AUX' && helper !== 'will') return false
  if (word === 'had' || word === 'were' || (word === 'should' && before !== 'so') || before === 'nor') return false
  const subject = tokens[verb + 1]?.lower ?? ''
  const mayBeNoun = isOpened || before === 'so' || QUESTION_HELPERS.has(helper)
  return ASKED.has(subject) || (mayBeNoun && NOUN_OPENERS.has(subject))
}

/** Returns the auxiliary of a question: "so what kind of soup **do** you like". */
function findAskedVerb(tokens: readonly Token[], from: number): number {
  for (let at = from; at < from + ASKED_TOKENS; at++)
    if (QUESTION_HELPERS.has(tokens[at]?.lower ?? '') && tokens[at + 1]?.lower === 'you') return at
  return from
}

const ASKED_TOKENS = 5
const INTRODUCTIONS = new Set([',', 'so', 'but', '-', '–', '—'])

/** Open a question. */
export const WH_WORDS = new Set(['who', 'what', 'where', 'when', 'why', 'how', 'which'])

/** Subjects that follow the verb of a question. */
export const ASKED = new Set('you i he she it they we there this that anyone anybody'.split(' '))
const NOUN_OPENERS = new Set('the your my our these those his her their'.split(' '))

/** Precede the subject in questions only. */
const QUESTION_HELPERS = new Set('can could will would should do does did'.split(' '))
