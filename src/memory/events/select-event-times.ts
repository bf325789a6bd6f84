import type { Tag, Token } from '../language/token.ts'
import { classifyVerbForm, mayBeParticiple } from '../language/verb-forms.ts'
import type { TimeExpression } from '../time/time-expression.ts'
import type { ClauseVerb } from './clause-verb.ts'
import { isAhead } from './event-time.ts'
import { RELATIVES, SCHEDULING_VERBS, SUBJECT_PRONOUNS, THINKING_VERBS } from './event-words.ts'

/** A text with its time, the tokens and tags of one of its clauses, and the verb of the clause. */
type Told = {
  text: string
  at: string | undefined
  tokens: readonly Token[]
  tags: readonly Tag[]
  verb: ClauseVerb | undefined
  /** Where the verb starts in the text, in UTF-16 code units. */
  verbStart: number
}

type IsForeign = (time: TimeExpression, told: Told) => boolean

/**
 * Selects the time expressions of a clause that say when its event takes place. Leaves out those that describe a thing,
 * belong to another clause or measure something. A time of day whose day is left out is left out too. Two different
 * times without a range between them say that there are two events, so neither is selected.
 */
export function selectEventTimes(times: readonly TimeExpression[], told: Told): TimeExpression[] {
  const own = times.filter((time) => !FOREIGN.some((isForeign) => isForeign(time, told)))
  if (own.length < times.length && own.every(isClock)) return []
  const [first, ...others] = own.filter(({ kind, startedAt }) => kind === 'instant' && startedAt !== undefined)
  if (first !== undefined && others.some((other) => isApart(first, other))) return []
  // "I took a contract **for 3 months** starting on 1 April"
  return first === undefined ? own : own.filter(({ relation }) => relation !== 'since')
}

function isClock({ precision }: TimeExpression): boolean {
  return precision === 'hour' || precision === 'minute'
}

/**
 * Recognises a time between a determiner and a noun: `the 7 PM slot`, `Ann's April 15 session`, `the 9 May, 2024, gala`.
 * Without a determiner, a time of day before a plural (`Sunday 10 AM classes`) and a range of years before a noun
 * (`2005-2010 cinema`) describe it too. After the verb, so does `last night's` before its noun.
 */
const isAttributive: IsForeign = ({ start, end: last, precision, kind }, { text, tokens, tags, verb, verbStart }) => {
  const end = /, \d{4}$/.test(text.slice(start, last)) && text.startsWith(', ', last) ? last + 1 : last
  const before = text.slice(Math.max(0, start - BEFORE_UNITS), start)
  const next = tokens.findIndex((token) => token.start >= end)
  const noun = tags[next] === 'ADJ' ? next + 1 : next
  const isBeside = (tokens[next]?.start ?? 0) === end + 1
  if (precision === 'hour' && tags[next] === 'NOUN' && tokens[next]?.lower.endsWith('s') && !PLACED.test(before))
    return true
  if (/^['’]s \w/.test(text.slice(end, end + 4))) return verb !== undefined && verbStart < start
  if (precision === 'year' && kind === 'range' && /^\d/.test(text.slice(start, end)))
    return isBeside && (tags[noun] === 'NOUN' || tags[noun] === 'PROPN')
  return OWNER.test(before) && tags[noun] === 'NOUN' && isBeside
}

const OWNER = /(?:(?:^|\s)(?:my|the|a|an|her|his|our|their|your|its)|['’]s) $/i
const PLACED = /\b(?:on|at|in|by|from|to|since|until) $/i

/** How far before a time the words are read that say what it belongs to, in UTF-16 code units. */
const BEFORE_UNITS = 60

/** Recognises the date of a thing or of a name: `dated 9 May`, `known today as`, `I chose to go with 9 May`. */
const isOfName: IsForeign = ({ start }, { text }) =>
  /\b(?:dated|known|being|with|about|than|between) $/i.test(text.slice(Math.max(0, start - BEFORE_UNITS), start))

/**
 * Recognises a day that describes the noun before it: `the letter of 9 May`, `the draft from Monday`. What one has, sets
 * or moves may be the day itself: `I have a deadline of 9 May`, and so may what is shown: `here's a cake from Monday`.
 */
const isOfNoun: IsForeign = ({ start, end, kind }, { text, tokens, tags, verb, verbStart }) => {
  if (kind === 'recurring' || verb === undefined || SCHEDULING_VERBS.has(verb.base)) return false
  if (/\b(?:deadline|due date)s?(?: on| for)? $/i.test(text.slice(Math.max(0, start - BEFORE_UNITS), start)))
    return verb.tense !== 'past' && !HOLDING_VERBS.has(verb.base)
  const isJoined = /^from (?!.*\b(?:to|until|till|through)\b|.*-)/i.test(text.slice(start, end))
  const at = tokens.findLastIndex((token) => (isJoined ? token.start <= start : token.end < start))
  const isThing = tags[at - 1] === 'NOUN' || tags[at - 1] === 'NUM' || tokens[at - 1]?.lower === 'those'
  if (at < 1 || !isThing) return false
  const joint = tokens[at]?.lower
  if (joint === 'from') return verb.base !== 'be' || start < verbStart
  return joint === 'of' && !HOLDING_VERBS.has(verb.base)
}

const HOLDING_VERBS: ReadonlySet<string> = new Set(['be', 'have', 'get', 'set'])

/**
 * Recognises a time to which a state of mind or a refusal refers: `is getting ready for the weekend`, `rejected the
 * shoots on 6 April`, which do not take place.
 */
const isOfState: IsForeign = (time, { text, tokens, verb, at }) => {
  const said = text.slice(Math.max(0, time.start - READY_UNITS), time.end)
  if (/(?:\bup|ready|prepar\w+|wait\w*) for (?:the |this |my |our )?(?:\S+ ?){1,2}$/i.test(said))
    return verb?.tense === 'present'
  return verb?.tense === 'past' && isAhead(time, at) && tokens.some(({ lower }) => REFUSALS.test(lower))
}

const READY_UNITS = 14
const REFUSALS = /^(?:reject|declin|refus|skip|miss|cancel)(?:e|ped|led|ed|s|sed)?$/

/** Recognises the day of a thing thought about later: `I'll focus on the meeting with Ann **on 9 May**`. */
const isOfThought: IsForeign = ({ start, precision }, { text, verb }) =>
  verb?.tense === 'future' &&
  precision === 'day' &&
  (THINKING_VERBS.has(verb.base) || verb.base === 'focus') &&
  /\b(?:on|for|about) \S.*\b(?:on|of) $/i.test(text.slice(Math.max(0, start - BEFORE_UNITS), start))

/** Recognises the day of something earlier or later: `changed it after talks on 9 May`, `before meeting her in May`. */
const isOfOccasion: IsForeign = ({ start, relation, kind }, { text, tokens, tags, verbStart }) => {
  if (kind === 'recurring' || relation !== undefined) return false
  const at = tokens.findLastIndex(
    (token) => token.start < start && (token.lower === 'after' || token.lower === 'before')
  )
  const joint = tokens[at]
  const isOwn = joint !== undefined && joint.start < verbStart && verbStart < start
  if (joint === undefined || isOwn || text.slice(joint.end, start).includes(',')) return false
  const between = tags.slice(
    at + 1,
    tokens.findIndex((token) => token.start >= start)
  )
  return between.some((tag) => tag === 'NOUN' || tag === 'PROPN' || tag === 'VERB')
}

/**
 * Recognises a time in a participle clause: `works on it, **having finished the course by June**`, `I used the notes
 * **found on Monday**`.
 */
const isOfParticiple: IsForeign = ({ start }, { text, tokens, tags, verb, verbStart }) =>
  tokens.some(({ lower, ...token }, i) => {
    if (verb === undefined || token.start <= verbStart || token.end >= start || tags[i] !== 'VERB') return false
    if (tags[i - 1] !== 'NOUN' || !mayBeParticiple(lower) || NAMING.test(lower)) return false
    return !/,| and\b/.test(text.slice(token.end, start))
  }) || /, having \w+(?:ed|en|ne|wn|ght|[dlnt]t)\b/.test(text.slice(verbStart, Math.max(verbStart, start)))

/** "a kitten **named** Miso", "a talk **planned** for Monday": these participles have no time, or that of the event. */
const NAMING = /^(?:named|called|titled|planned|scheduled|set|booked|due|based)$/

/** Recognises the time by which something is suggested: `Ann suggested **adding a page by 9 May**`. */
const isOfSuggestion: IsForeign = ({ start }, { tokens, tags, verb, verbStart }) =>
  verb !== undefined &&
  SUGGESTING_VERBS.has(verb.base) &&
  tokens.some(
    ({ lower, ...token }, i) =>
      token.start > verbStart &&
      token.start < start &&
      tags[i] === 'VERB' &&
      (lower.endsWith('ing') || tokens[i - 1]?.lower === 'to')
  )

const SUGGESTING_VERBS: ReadonlySet<string> = new Set([
  'suggest',
  'recommend',
  'advise',
  'urge',
  'ask',
  'tell',
  'encourage',
  'propose',
  'remind',
  'expect'
])

/**
 * Recognises a time of a relative clause: `it's the stall we liked last week`, `I sent the form that was due on 9 May`,
 * `I used the notes I got on Monday`.
 */
const isOfRelativeClause: IsForeign = ({ start, kind }, { text, tokens, tags, verb, verbStart }) =>
  tokens.some(({ lower, ...token }, i) => {
    if (token.start <= verbStart || token.end >= start) return false
    const opensClause = [tags[i + 1], tags[i + 2]].some((tag) => tag === 'VERB' || tag === 'AUX')
    if (RELATIVES.has(lower) && kind !== 'recurring' && !/,| and\b/.test(text.slice(token.end, start)))
      return tags[i + 1] === 'AUX' || tags[i + 1] === 'VERB'
    if (!SUBJECT_PRONOUNS.has(lower) || !opensClause || verb === undefined) return false
    // "I promised Bo **I'd** call on Sunday"
    if (verb.tense === 'present' || LATER.has(tokens[i + 1]?.lower ?? '')) return true
    const isPast = /^(?:past|either)$/.test(classifyVerbForm(tokens[i + 1]?.lower ?? ''))
    return verb.tense === 'past' && isPast && tags[i - 1] === 'NOUN' && !TELLING_VERBS.has(verb.base)
  })

/** Auxiliaries of what was to come. */
const LATER: ReadonlySet<string> = new Set(["'d", '’d', 'would', 'will', "'ll", '’ll', 'could', 'might', 'should'])

/** Verbs whose object is told what follows, or is what follows: `I told my boss I quit on Monday`. */
const TELLING_VERBS: ReadonlySet<string> = new Set(['be', 'tell', 'promise', 'show', 'text', 'remind'])

/** Recognises a time that another one narrows: `in **winter** 2 years ago`. */
const isNarrowed: IsForeign = ({ end }, { text }) =>
  /^ (?:(?:break|holidays?|vacation) )?\S+ (?:year|month|week)s? ago\b/i.test(text.slice(end, end + BEFORE_UNITS))

/** Recognises a single day written like a habit (`last Sundays brunch`) and a rate of money (`$500 monthly`). */
const isNoHabit: IsForeign = ({ start, kind }, { text }) => {
  const before = text.slice(Math.max(0, start - BEFORE_UNITS), start)
  return kind === 'recurring' && /\b(?:last|this|next|that) $|[$€£] ?\d[\d.,]*[km]? $/i.test(before)
}

/** Recognises a time of a narration, which has no reference: `the next year I sold it`. */
const isNarrated: IsForeign = ({ start, end }, { text, verb }) =>
  verb?.tense === 'past' && /^the (?:next|following) /i.test(text.slice(start, end))

/** Recognises a past `this` that points ahead: `this Christmas Eve I baked`. */
const isMisplaced: IsForeign = ({ start, end, startedAt }, { text, verb, verbStart, at }) =>
  verb?.tense === 'past' &&
  start < verbStart &&
  at !== undefined &&
  (startedAt ?? '') > at &&
  /^this /i.test(text.slice(start, end))

/**
 * Recognises a length of time: `it's possible **to get there in two hours**` says how long it takes. With a plan, `in
 * two hours` is a point in time.
 */
const isLength: IsForeign = ({ start, end }, { text, tokens, verb, verbStart }) =>
  verb?.tense === 'present' &&
  !verb.isGoingOn &&
  /^(?:in|within) /i.test(text.slice(start, end)) &&
  /\b(?:minute|hour|day|week|month|year)s?$/i.test(text.slice(start, end)) &&
  tokens.some((token) => token.lower === 'to' && token.start > verbStart && token.start < start)

/** Recognises how long something has lasted if its beginning is unclear: `for a few years now`. */
const isVagueBeginning: IsForeign = ({ start, end, relation }, { text }) =>
  relation === 'since' &&
  /^for /i.test(text.slice(start, end)) &&
  /\b(?:few|several|some|many)\b/i.test(text.slice(start, end))

/** Recognises a comparison and an example: `it got worse from Monday`, `it's nice, especially in winter`. */
const isCompared: IsForeign = ({ start, kind }, { text }) => {
  const before = text.slice(Math.max(0, start - BEFORE_UNITS), start)
  if (kind === 'recurring') return false
  return /\b(?:worse|better|more|less|up|down|\w{3,}er) (?:from|than|since) $|\b(?:especially|particularly) (?:\w+ )?$/i.test(
    before
  )
}

/** Recognises a limit of the day, not of an event: `I limit my calls **to 10 PM**`. */
const isLimit: IsForeign = ({ start, end, precision }, { text, verb }) =>
  (precision === 'hour' || precision === 'minute') &&
  verb?.tense !== 'future' &&
  !/^(?:to|until|till) /i.test(text.slice(start, end)) &&
  /\bto $/i.test(text.slice(0, start).slice(-4)) &&
  !SCHEDULING_VERBS.has(verb?.base ?? '')

/** Recognises one of several days: `on 9 and 16 May`, `on May 9 and 16`. */
const isListed: IsForeign = ({ start, end, precision }, { text }) =>
  precision === 'day' &&
  (/\b\d{1,2}(?:st|nd|rd|th)? (?:and|or|&) $/.test(text.slice(Math.max(0, start - BEFORE_UNITS), start)) ||
    /^,? (?:and|or|&) (?:the )?(?:[A-Z][a-z]{2,8} )?\d{1,2}(?:st|nd|rd|th)?(?:[,.;!?)]|$| (?!\w+s\b))/.test(
      text.slice(end, end + BEFORE_UNITS)
    ))

/** The kinds of times in a clause that do not say when its event takes place. */
const FOREIGN: readonly IsForeign[] = [
  isAttributive,
  isOfName,
  isOfNoun,
  isOfState,
  isOfThought,
  isOfOccasion,
  isOfParticiple,
  isOfSuggestion,
  isOfRelativeClause,
  isNarrowed,
  isNoHabit,
  isNarrated,
  isMisplaced,
  isLength,
  isVagueBeginning,
  isCompared,
  isLimit,
  isListed
]

function isApart({ startedAt: from, endedAt: to, precision }: TimeExpression, other: TimeExpression): boolean {
  const isDisjoint = (to ?? '') <= (other.startedAt ?? '') || (other.endedAt ?? '') <= (from ?? '')
  if (isDisjoint && other.relation === undefined) return true
  const isSame = other.precision === precision && other.relation === undefined
  return isSame && (precision === 'year' || precision === 'day') && from !== other.startedAt && to !== other.endedAt
}
