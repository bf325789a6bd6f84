import type { Tag, Token } from '../language/token.ts'
import { classifyVerbForm, MODAL_VERBS, mayBeParticiple, toVerbBase } from '../language/verb-forms.ts'
import { CATENATIVE_VERBS, GERUND_VERBS } from './word-classes.ts'

/** A verb with its auxiliaries. `bare` is a form that may be a past tense or a participle without an auxiliary. */
export type VerbGroup = {
  form: 'finite' | 'infinitive' | 'ing' | 'participle' | 'bare'
  /** Base form of the last verb, which carries the meaning. */
  base: string
  /** Base form of the first full verb: `want` in "want to go". */
  first: string
  /** Token index of the last verb. */
  main: number
  isPassive: boolean
  isNegated: boolean
  /** The modal of the verb it is coordinated with: "can swim and **dive**". */
  borrowed?: string
  /** Token range of the verb that it shares an infinitive with: "**had to** walk and **swim**". */
  lead?: { from: number; to: number }
  /** First modal, in lower case. */
  modal: string | undefined
  /** Has `have` before the verb: "has gone", "must have been". */
  isPerfect: boolean
  /** Begins with an auxiliary, as questions do: "do you", "have you". */
  hasAuxiliary: boolean
  /** Lower-case form of the first word, which shows tense and number. */
  opens: string
}

type Words = { tokens: readonly Token[]; tags: readonly Tag[] }
type Draft = VerbGroup & { to: number }

/**
 * Reads the verb group that begins at a token, with the index of the first token after it; undefined if there is none.
 */
export function readVerbGroup(words: Words, from: number): Draft | undefined {
  let at = from
  while (words.tags[at] === 'ADV' && at - from < ADVERBS_MAX && leadsToVerb(words, at)) at++
  const opening = readOne(words, at)
  if (opening === undefined) return undefined
  const isNever = at > from && words.tokens.slice(from, at).some((token) => NEGATIONS.has(token.lower))
  let group = opening
  group.isNegated = (opening.isNegated || isNever) && !isEager(opening)
  for (let links = 0; links < LINKS_MAX; links++) {
    const next = linkCatenative(words, group)
    if (next === undefined) break
    group = {
      ...group,
      base: next.base,
      main: next.main,
      isPassive: next.isPassive,
      isNegated: group.isNegated || next.isNegated,
      to: next.to
    }
  }
  return group
}

/** "**can't wait** to see her" expresses anticipation, not denial. */
function isEager({ base, modal }: Draft): boolean {
  return base === 'wait' && (modal === 'can' || modal === 'ca')
}

/** Maximum number of adverbs before the first verb: "never really wanted". */
const ADVERBS_MAX = 3

/** Maximum number of linked verbs: "wants to start to learn to …". */
const LINKS_MAX = 4

/** Follows a catenative verb to the next one: "tries **to win**", "started **writing**". */
function linkCatenative(words: Words, group: Draft): Draft | undefined {
  const at = words.tags[group.to] === 'ADV' && words.tokens[group.to + 1]?.lower === 'to' ? group.to + 1 : group.to
  if (words.tokens[at] === undefined) return undefined
  const next = readOne(words, at)
  if (next === undefined) return undefined
  if (SLURRED.has(group.base)) return next
  if (next.form === 'infinitive') return CATENATIVE_VERBS.has(group.base) || group.isPassive ? next : undefined
  return next.form === 'ing' && !next.hasAuxiliary && GERUND_VERBS.has(group.base) && at === group.to ? next : undefined
}

/** Contractions of "going to", "want to" and "got to". */
const SLURRED = new Set(['gonna', 'wanna', 'gotta'])

function readOne(words: Words, from: number): Draft | undefined {
  const { tokens, tags } = words
  const isInfinitive = tags[from] === 'PART' && tokens[from]?.lower === 'to'
  if (!isInfinitive && tags[from] !== 'AUX' && tags[from] !== 'VERB') return undefined
  const start = isInfinitive ? from + 1 : from
  const isNegated = isInfinitive && tokens[from - 1]?.lower === 'not'
  const parts: Parts = { tokens, from, main: -1, end: start, helpers: [], isNegated, isInfinitive }
  for (let at = start; at < tokens.length && at - from < GROUP_TOKENS_MAX && parts.main < 0; at++) {
    if (!takeWord(words, at, parts)) break
  }
  return parts.main < 0 && parts.helpers.length === 0 ? undefined : toDraft(parts)
}

/** Adds one word to the group; returns false if the group ends before it. */
function takeWord(words: Words, at: number, parts: Parts): boolean {
  const tag = words.tags[at]
  const { lower } = words.tokens[at] as Token
  if (NEGATIONS.has(lower) && (lower !== 'no' || words.tokens[at + 1]?.lower === 'longer')) {
    parts.isNegated = true
    if (lower !== 'never') parts.end = at + 1
    return true
  }
  if (isNoLonger(words, at)) {
    parts.end = at + 1
    return true
  }
  // "the best meal I **had** | was rice"
  if (tag === 'AUX' && parts.helpers.length > 0 && FINITE_BE.has(lower)) return false
  if (tag === 'AUX') parts.helpers.push(lower)
  else if (tag === 'VERB' && fits(parts.helpers, lower)) parts.main = at
  else return (tag === 'ADV' || lower === 'all' || lower === 'both') && leadsToVerb(words, at)
  parts.end = at + 1
  return true
}

const FINITE_BE = new Set(['is', 'are', 'was', 'were', 'am'])

/** "is **no longer** valid". */
function isNoLonger({ tokens }: Words, at: number): boolean {
  return tokens[at]?.lower === 'longer' && tokens[at - 1]?.lower === 'no'
}

/** A longer run of auxiliaries and adverbs is not a verb group. */
const GROUP_TOKENS_MAX = 9

const NEGATIONS = new Set(['not', "n't", 'never', 'nt', 'no'])

/**
 * Checks whether a form can follow the auxiliaries: "is **winning**", "have **won**", "can **win**", but not "is
 * **the** …".
 */
function fits(helpers: readonly string[], lower: string): boolean {
  const last = helpers.at(-1)
  if (last === undefined) return true
  const form = classifyVerbForm(lower)
  if (BE.has(last)) return form === 'ing' || mayBeParticiple(lower) || lower === 'gonna' || last === "'s"
  if (HAVE.has(last)) return mayBeParticiple(lower) || form === 'base'
  return true
}

/** Checks whether a verb or auxiliary follows an adverb: "has **also** been **widely** used". */
function leadsToVerb({ tags, tokens }: Words, from: number): boolean {
  for (let at = from + 1; at < Math.min(tags.length, from + 3); at++) {
    if (tags[at] === 'VERB' || (tags[at] === 'AUX' && at === from + 1)) return true
    if (OPENERS.has((tokens[at] as Token).lower)) return false
    if (tags[at] !== 'ADV' && !NEGATIONS.has((tokens[at] as Token).lower)) return false
  }
  return false
}

/** Open a clause of their own: "specifically **how** it works". */
const OPENERS = new Set(['how', 'when', 'where', 'why'])

type Parts = {
  tokens: readonly Token[]
  from: number
  main: number
  end: number
  helpers: string[]
  isNegated: boolean
  isInfinitive: boolean
}

function toDraft({ tokens, from, main, end, helpers, isNegated, isInfinitive }: Parts): Draft {
  const mainAt = main >= 0 ? main : skipNegation(tokens, from, end)
  const lower = (tokens[mainAt] as Token).lower
  const before = main >= 0 ? helpers.at(-1) : helpers.at(-2)
  const isPassive = main >= 0 && before !== undefined && BE.has(before) && mayBeParticiple(lower)
  const token = tokens[mainAt] as Token
  const base = token.tag === 'VERB' && /^\p{L}+$/u.test(token.lemma) ? token.lemma : toVerbBase(lower)
  return {
    form: classifyForm(isInfinitive, helpers, lower),
    base,
    first: base,
    main: mainAt,
    isPassive,
    isNegated,
    modal: helpers.find((helper) => MODAL_VERBS.has(helper)),
    isPerfect: helpers.some((helper) => HAVE.has(helper)),
    hasAuxiliary: helpers.length > 0,
    opens: (tokens[from] as Token).lower,
    to: end
  }
}

/** Returns the last auxiliary before a negation: "**is** not", "**is** no longer". */
function skipNegation(tokens: readonly Token[], from: number, end: number): number {
  let at = end - 1
  if (tokens[at]?.lower === 'longer' && tokens[at - 1]?.lower === 'no') at--
  return NEGATIONS.has((tokens[at] as Token).lower) && at > from ? at - 1 : at
}

function classifyForm(isInfinitive: boolean, helpers: readonly string[], lower: string): VerbGroup['form'] {
  if (isInfinitive) return 'infinitive'
  const opening = helpers[0]
  if (opening !== undefined)
    return opening === 'being' || opening === 'having' ? 'ing' : opening === 'been' ? 'participle' : 'finite'
  const form = classifyVerbForm(lower)
  if (form === 'ing' || form === 'participle') return form
  return form === 'either' ? 'bare' : 'finite'
}

const BE = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being', 'am', "'s", "'re", "'m", 'get', 'got'])
const HAVE = new Set(['has', 'have', 'had', "'ve", 'having'])
