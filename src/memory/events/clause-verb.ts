import type { FactRecord } from '../../contract/snapshot.ts'
import { classifyVerbForm, isIrregularForm, toVerbBase } from '../language/verb-forms.ts'
import { type EventClause, QUOTE_MARK, type Tagged } from './event-clause.ts'
import { CONDITIONS, FUTURE_HELPERS, MOODS, NEGATIONS, REPORTS, SUBJECT_PRONOUNS, UNREAL_WORDS } from './event-words.ts'

/**
 * The verb that determines when a clause takes place: its token index, its base form, and the tense that it and its
 * auxiliaries express. `isDuty` marks an obligation ("has to"), `isMood` a state of mind ("is worried about"),
 * `isPerfect` a present that is also a perfect ("has got").
 */
export type ClauseVerb = {
  at: number
  base: string
  tense: 'past' | 'present' | 'future'
  isDuty: boolean
  isGoingOn: boolean
  isMood?: boolean
  isPerfect?: boolean
}

/** Returns the verb of a clause, or undefined if there is none. After "here is", it is that of what is shown. */
export function findClauseVerb(tagged: Tagged, clause: EventClause): ClauseVerb | undefined {
  const verb = findFiniteVerb(tagged, clause)
  if (verb?.base !== 'be' || verb.tense !== 'present') return verb
  const words = tagged.tokens.slice(clause.from, verb.at).map(({ lower }) => lower)
  const shown = words.includes('here') ? findFiniteVerb(tagged, { ...clause, from: verb.at + 1 }) : undefined
  if (shown?.tense === 'past' && isAfterSubject(tagged, shown.at)) return shown
  const next = tagged.tokens.slice(verb.at + 1, verb.at + 1 + MOOD_TOKENS).map(({ lower }) => lower)
  return next.some((word) => MOODS.has(word)) ? { ...verb, isMood: true } : verb
}

/** Checks that the word before a verb and its adverbs can be its subject: "here is a cake **I** made". */
function isAfterSubject({ tokens, tags }: Tagged, at: number): boolean {
  let before = at - 1
  while (tags[before] === 'ADV' || tags[before] === 'AUX') before--
  return SUBJECT_PRONOUNS.has(tokens[before]?.lower ?? '') || tags[before] === 'NOUN' || tags[before] === 'PROPN'
}

/** `is kinda really worried about`. */
const MOOD_TOKENS = 4

/** Returns the first finite verb of a clause. */
function findFiniteVerb(tagged: Tagged, { from, to }: EventClause): ClauseVerb | undefined {
  for (let at = from; at < to; at++) {
    const tag = tagged.tags[at]
    const word = tagged.tokens[at]?.lower ?? ''
    if (tag !== 'VERB' && tag !== 'AUX' && !FUTURE_HELPERS.has(word)) continue
    if (tag === 'VERB' && (isInfinitive(tagged, at) || isSeasonBreak(tagged, at))) continue
    const found = readVerbAt({ tagged, at, to })
    if (found !== undefined) return found
  }
  return findMistakenVerb(tagged, { from, to })
}

/** "This **winter break** I'm going skiing" */
function isSeasonBreak({ tokens }: Tagged, at: number): boolean {
  return tokens[at]?.lower === 'break' && SEASONS.test(tokens[at - 1]?.lower ?? '')
}

const SEASONS = /^(?:winter|spring|summer|fall|autumn|easter|christmas|lunch|semester)$/

/** Finds a past tense after a name or a noun that the tagger did not recognise as a verb: "Nadia married Piet". */
function findMistakenVerb(
  { tokens, tags }: Tagged,
  { from, to }: Pick<EventClause, 'from' | 'to'>
): ClauseVerb | undefined {
  for (let at = from + 1; at < to; at++) {
    const { text = '', lower = '' } = tokens[at] ?? {}
    const before = tags[at - 1]
    const isPast = lower.endsWith('ed') || isIrregularForm(lower)
    const isSubject = before === 'PROPN' || before === 'PRON' || (before === 'NOUN' && from === 0)
    if (!isPast || text !== lower || !isSubject) continue
    return { at, base: toVerbBase(lower), tense: 'past', isDuty: false, isGoingOn: false }
  }
  return undefined
}

type Place = { tagged: Tagged; at: number; to: number }

const BE: ReadonlySet<string> = new Set(['am', 'is', 'are', "'m", "'re", "'s", '’m', '’re', '’s', 'be'])
const PAST_HELPERS: ReadonlySet<string> = new Set(['was', 'were', 'had', 'did'])
const HAVE: ReadonlySet<string> = new Set(['have', 'has', "'ve", '’ve', "'s", '’s'])

function isInfinitive({ tokens, tags }: Tagged, at: number): boolean {
  return (
    tokens[at - 1]?.lower === 'to' && classifyVerbForm(tokens[at]?.lower ?? '') === 'base' && tags[at - 1] !== 'ADP'
  )
}

function readVerbAt({ tagged, at, to }: Place): ClauseVerb | undefined {
  const word = tagged.tokens[at]?.lower ?? ''
  const main = findMainVerb({ tagged, at, to })
  const mainWord = tagged.tokens[main]?.lower ?? word
  const form = classifyVerbForm(mainWord)
  const verb = { at: main, base: toVerbBase(mainWord), isDuty: false, isGoingOn: form === 'ing' }
  const helpers = tagged.tokens.slice(at, main + 1)
  if (helpers.some(({ lower }) => FUTURE_HELPERS.has(lower))) return { ...verb, tense: 'future' }
  if (leadsOn({ tagged, at: main, to }, FUTURE_LEADS)) return { ...verb, tense: 'future' }
  if (leadsOn({ tagged, at: main, to }, DUTY_LEADS)) return { ...verb, tense: 'future', isDuty: true }
  if (PAST_HELPERS.has(word)) return { ...verb, tense: 'past' }
  if (main !== at && BE.has(word) && !(HAVE.has(word) && form === 'participle'))
    return { ...verb, tense: 'present', isMood: MOODS.has(mainWord) }
  if (main !== at && isHaveGot({ tagged, at, to: main }))
    return { ...verb, base: 'have', tense: 'present', isPerfect: true }
  if (main !== at && HAVE.has(word)) return { ...verb, tense: form === 'base' ? 'present' : 'past' }
  if (form === 'ing') return main === at ? undefined : { ...verb, tense: 'present' }
  return { ...verb, tense: form === 'past' || form === 'either' || form === 'participle' ? 'past' : 'present' }
}

/** "I**'ve got** a flight on 20 August" is in the present. */
function isHaveGot({ tagged: { tokens, tags }, at, to: main }: Place): boolean {
  return HAVE.has(tokens[at]?.lower ?? '') && tokens[main]?.lower === 'got' && tags[main + 1] !== 'VERB'
}

/** Finds the verb after its auxiliaries: `moved` in `has just been moved`. */
function findMainVerb({ tagged, at, to }: Place): number {
  let main = at
  if (tagged.tags[at] === 'VERB' && !FUTURE_HELPERS.has(tagged.tokens[at]?.lower ?? '')) return at
  for (let next = at + 1; next < to && next <= at + HELPERS_MAX; next++) {
    const tag = tagged.tags[next]
    if (tag === 'VERB' || tag === 'AUX') main = next
    else if (tag !== 'ADV' && tag !== 'PART' && !(tag === 'PRON' && next === at + 1)) break
    if (tag === 'VERB' || (tag === 'PART' && tagged.tokens[next]?.lower === 'to')) break
  }
  return main
}

const HELPERS_MAX = 4

/** Verbs that make the next one future when `to` (or the given word) follows. */
const FUTURE_LEADS: Readonly<Record<string, RegExp>> = {
  go: /^to$/,
  plan: /^(?:to|on|for|a|an|our|my|the)$/,
  intend: /^to$/,
  arrange: /^to$/,
  look: /^forward$/,
  wait: /^to$/,
  schedule: /^(?:for|to)$/
}

const DUTY_LEADS: Readonly<Record<string, RegExp>> = { have: /^to$/, need: /^to$/ }

function leadsOn({ tagged: { tokens, tags }, at, to }: Place, leads: Readonly<Record<string, RegExp>>): boolean {
  const word = tokens[at]?.lower ?? ''
  const base = toVerbBase(word)
  const next = tokens[at + 1]?.lower ?? ''
  if (at + 1 >= to || !Object.hasOwn(leads, base) || !leads[base]?.test(next)) return false
  if (base === 'look') return true
  if (base === 'go' && word !== 'going') return false
  if (base === 'wait' && word !== 'wait') return false
  if (leads === DUTY_LEADS && classifyVerbForm(word) !== 'base' && word !== 'has' && word !== 'needs') return false
  if (next !== 'to') return base === 'plan' ? word !== 'planned' || tags[at] === 'VERB' : true
  return tags[at + 2] === 'VERB' || tags[at + 2] === 'AUX'
}

/** Checks whether a sentence is a question. A question claims nothing. */
export function isAsked({ tokens, tags }: Tagged): boolean {
  for (let at = tokens.length - 1; at >= Math.max(0, tokens.length - 4); at--)
    if (tokens[at]?.text.includes('?')) return true
  let at = 0
  while (tags[at] === 'INTJ' || tags[at] === 'PUNCT' || tags[at] === 'CCONJ') at++
  const next = tokens[at + 1]?.lower ?? ''
  if (tags[at] === 'AUX' && (SUBJECT_PRONOUNS.has(next) || /^(?:your|the|this|that|there)$/.test(next))) return true
  return /^(?:who|what|where|when|why|how)$/.test(tokens[at]?.lower ?? '') && tags[at + 1] === 'AUX'
}

/**
 * Checks whether a clause is hypothetical: it contains a condition, or another clause of the sentence does and this one
 * is not in the past.
 */
export function isSupposed({ tokens }: Tagged, { from, to }: EventClause, verb: ClauseVerb | undefined): boolean {
  const at = tokens.findIndex(({ lower }) => CONDITIONS.has(lower))
  if (at < 0) return false
  return verb?.tense !== 'past' || tokens.slice(from, to).some(({ lower }) => CONDITIONS.has(lower))
}

/** Checks whether a clause denies, wishes, requests or quotes its content. Only words up to its verb are considered. */
export function isUnreal(tagged: Tagged, { from, to }: EventClause, verb: ClauseVerb | undefined): boolean {
  const end = verb === undefined ? to : Math.min(to, verb.at + 3)
  const reporting = tagged.tokens[from - 1]?.lower ?? ''
  if (UNREAL_WORDS.has(reporting) && tagged.tags[from - 1] === 'VERB') return true
  // "I don't think | I finished it"
  if (REPORTS.has(reporting) && NEGATIONS.has(tagged.tokens[from - 2]?.lower ?? '')) return true
  for (let at = from; at < end; at++) {
    if (isWait(tagged.tokens, at)) break
    if (deniesAt(tagged, at, verb === undefined || at > verb.at || at === from) || supposesAt(tagged, at)) return true
  }
  return isQuoted(tagged.tokens, from)
}

/** `no` is a denial only after the verb (`had no time`); before it, it belongs to the subject (`no friend of mine`). */
function deniesAt({ tokens, tags }: Tagged, at: number, mayBeNo: boolean): boolean {
  const word = tokens[at]?.lower ?? ''
  if (word === 'no') return mayBeNo && tags[at] === 'DET'
  return NEGATIONS.has(word) && tokens[at + 1]?.lower !== 'only'
}

function supposesAt({ tokens, tags }: Tagged, at: number): boolean {
  const word = tokens[at]?.lower ?? ''
  if (UNREAL_WORDS.has(word)) return tags[at] !== 'NOUN'
  if (word === 'may') return tags[at] === 'AUX'
  // "I'**d** leave it there every summer", but not "I'd left it"
  if (word === "'d" || word === '’d')
    return classifyVerbForm(tokens[at + 1]?.lower ?? '') === 'base' && tags[at + 1] === 'VERB'
  // "I **was going to** call", "I **was planning** to call"
  const isIntended = word === 'planning' || (word === 'going' && tokens[at + 1]?.lower === 'to')
  return isIntended && /^(?:was|were)$/.test(tokens[at - 1]?.lower ?? '')
}

/** `can't wait` expresses anticipation, not denial. */
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
  for (let at = 0; at < from; at++) if (QUOTE_MARK.test(tokens[at]?.text ?? '')) open++
  return open % 2 === 1
}

/** Checks whether all facts of a clause are negated or only possible. `start` and `end` are UTF-16 code units. */
export function isDenied(facts: readonly FactRecord[], { start, end }: { start: number; end: number }): boolean {
  const own = facts.filter(({ span: [from, to] }) => from >= start && to <= end)
  return (
    own.length > 0 && own.every(({ negated, modality }) => negated || modality === 'possible' || modality === 'wanted')
  )
}
