import type { EventRecord, FactRecord } from '../../contract/snapshot.ts'
import { EVALUATIONS } from '../clauses/word-classes.ts'
import { repairTags } from '../language/repair-tags.ts'
import { splitWords } from '../language/split-words.ts'
import type { TextSource } from '../language/text-source.ts'
import type { Sentence, Tag, Token } from '../language/token.ts'
import { classifyVerbForm, mayBeParticiple, toVerbBase } from '../language/verb-forms.ts'
import { DAY_MS } from '../time/calendar.ts'
import { TIME_SIGN } from '../time/read-times.ts'
import { buildEventStatement, isCourtesy } from './build-event-statement.ts'
import { type ClauseVerb, findClauseVerb, isAsked, isDenied, isSupposed, isUnreal } from './clause-verb.ts'
import { type EventClause, opensAddedQuestion, splitEventClauses, type Tagged } from './event-clause.ts'
import type { EventTime } from './event-time.ts'
import {
  FILLERS,
  HABIT_WORDS,
  OBJECTS,
  OPINION_WORDS,
  RELATIVES,
  REPORTS,
  SPEAKERS,
  SUBJECT_PRONOUNS,
  WHEN_WORDS
} from './event-words.ts'
import { resolveClauseTime } from './resolve-clause-time.ts'

/** The input of the search for events: a text, its sentences, and the facts already found in it, in text order. */
type EventSearch = { source: TextSource; sentences: readonly Sentence[]; facts: readonly FactRecord[] }

/** Maximum number of events per text, and of sentences that are analysed in detail. */
export const EVENTS_MAX = 50
const SENTENCES_MAX = 1_000

/**
 * Finds what has happened, will happen or recurs according to a text, with its time. An event is a clause with a time
 * expression, or a past-tense clause whose verb is itself a change (`adopted`, `moved`). Questions, conditions,
 * denials, wishes and quotations are not events. Time grows with the number of sentences; a sentence without either
 * sign costs almost nothing.
 */
export function findEvents({ source, sentences, facts }: EventSearch): EventRecord[] {
  const events: EventRecord[] = []
  const ordered = [...facts].sort((a, b) => a.span[0] - b.span[0])
  let looked = 0
  let fact = 0
  let lastDay: EventRecord | undefined
  for (const sentence of sentences) {
    if (events.length >= EVENTS_MAX || looked >= SENTENCES_MAX) break
    const isTimed = TIME_SIGN.test(source.text.slice(sentence.start, sentence.end))
    if (!isTimed && !(source.at !== undefined && sentence.tokens.some(isChange))) continue
    looked++
    while (fact < ordered.length && (ordered[fact]?.span[0] ?? 0) < sentence.start) fact++
    const own = selectFactsWithin(ordered, fact, sentence.end)
    const found = findEventsInSentence(sentence, { source, facts: own, isTimed, lastDay })
    events.push(...found)
    lastDay = found.findLast(isOfOneDay) ?? lastDay
  }
  return events.slice(0, EVENTS_MAX)
}

function isOfOneDay({ precision, started_at: from, ended_at: to }: EventRecord): boolean {
  return precision === 'day' && from !== undefined && to !== undefined
}

function isChange({ lower }: Token): boolean {
  const form = classifyVerbForm(lower)
  return (form === 'past' || form === 'either' || form === 'participle') && FIRST_WORDS.has(toVerbBase(lower))
}

/**
 * Verbs whose single occurrence changes a state, in base form (Vendler's achievements). In the past tense they are
 * events even without a time. After a space, the second word of an entry must follow the verb.
 */
const CHANGE_VERBS: ReadonlySet<string> = new Set(
  splitWords(`
    accept, achieve, acquire, adopt, announce, appoint, arrive, award, bear, break, buy, cancel,
    complete, crash, deliver, deploy, die, discover, divorce, donate, elect, enroll, finish, fire,
    found, graduate, hire, immigrate, emigrate, injure, inherit, install, invent, join, launch, lose,
    marry, merge, migrate, move, open, organize, pass, patent, promote, propose, publish, purchase,
    quit, receive, recover, release, rescue, resign, retire, sell, ship, sign, sprain, start, steal,
    submit, win, witness, begin taking, gave birth, get accepted, get back, get divorced, get engaged,
    get fired, get hired, get injured, get into, get laid, get married, get promoted, give birth,
    pick up, set up, sign up, take up, break up, find out, give up, hand in, move in, move out,
    run into, settle down
  `)
)

const FIRST_WORDS: ReadonlySet<string> = new Set([...CHANGE_VERBS].map((verb) => verb.split(' ')[0] ?? verb))

function selectFactsWithin(facts: readonly FactRecord[], from: number, end: number): FactRecord[] {
  const own: FactRecord[] = []
  for (let at = from; at < facts.length; at++) {
    const fact = facts[at]
    if (fact === undefined || fact.span[0] >= end) break
    own.push(fact)
  }
  return own
}

/** `lastDay` is the last event before the sentence with a stated day. */
type Context = {
  source: TextSource
  facts: readonly FactRecord[]
  isTimed: boolean
  lastDay: EventRecord | undefined
}

function findEventsInSentence(sentence: Sentence, context: Context): EventRecord[] {
  const { tokens } = sentence
  const tagged: Tagged = { tokens, tags: repairTags(sentence) }
  if (isAsked(tagged)) return []
  const events: EventRecord[] = []
  let judged: EventTime | undefined
  for (const clause of splitEventClauses(tagged)) {
    const sight = { tagged, clause, ...context, lastDay: events.findLast(isOfOneDay) ?? context.lastDay, judged }
    const event = buildEvent(sight)
    judged = event === undefined ? findJudgedTime(sight) : undefined
    if (event !== undefined) events.push(event)
  }
  return events
}

/** `judged` is the time of the verdict before the clause: "**Last week** was wild - I sold the boat". */
type Sight = Context & { tagged: Tagged; clause: EventClause; judged?: EventTime | undefined }

/** Returns the past time on which a clause passes a verdict, if a dash or colon announces what happened then. */
function findJudgedTime(sight: Sight): EventTime | undefined {
  const { tagged, clause } = sight
  if (!ANNOUNCING.test(tagged.tokens[clause.to - 1]?.text ?? '')) return undefined
  const verb = findClauseVerb(tagged, clause)
  const time = isVerdictOnDay(sight, verb) ? resolveClauseTime(sight, verb) : undefined
  return time === undefined || time === 'doubtful' || time.aspect !== 'past' ? undefined : time
}

const ANNOUNCING = /^[-–—:]$/

function buildEvent(sight: Sight): EventRecord | undefined {
  const { tagged, clause, source, facts } = sight
  const tokens = tagged.tokens.slice(clause.from, clause.to)
  const [start, end] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0]
  if (opensAddedQuestion(tagged, clause.from)) return undefined
  const verb = findClauseVerb(tagged, clause)
  if (verb !== undefined && endsInReport(sight, verb)) return undefined
  const stated = resolveThatDay(sight, verb) ?? resolveClauseTime(sight, verb)
  const announced = verb?.tense === 'past' ? sight.judged : undefined
  const time = stated ?? announced ?? resolveChangeTime(sight, verb)
  if (
    time === undefined ||
    time === 'doubtful' ||
    isSupposed(tagged, clause, verb) ||
    isUnreal(tagged, clause, verb) ||
    isDenied(facts, { start, end })
  )
    return undefined
  const subject = hasSubject(sight, verb)
  if (!subject && verb !== undefined && time.aspect !== 'past' && !verb.isGoingOn) return undefined
  const from = findAntecedent(sight)
  const told = buildEventStatement({
    tokens: tagged.tokens.slice(from, findRelativeEnd(sight, verb)),
    verb: verb && verb.at - from,
    isOpened: clause.isOpened,
    facts,
    source
  })
  if (told === undefined || (verb === undefined && !hasMatter(sight)) || isCourtesy(told.statement)) return undefined
  if (isForAddressed(sight, verb, time) || isDateOnly(sight, verb) || isJudgement(sight, verb, time)) return undefined
  const { rule, confidence, ...when } = time
  const opinion = tagged.tokens
    .slice(Math.max(0, clause.from - 3), clause.to)
    .some(({ lower }) => OPINION_WORDS.has(lower))
  const doubt = (subject ? 0 : 0.1) + (opinion ? 0.15 : 0)
  return { statement: told.statement, ...when, rule, span: told.span, confidence: roundConfidence(confidence - doubt) }
}

/** Returns where the thing begins that a relative clause describes, which makes its event whole: `**a song**, which I`. */
function findAntecedent({ tagged: { tokens, tags }, clause }: Sight): number {
  if (!clause.isOpened || !RELATIVES.has(tokens[clause.from]?.lower ?? '')) return clause.from
  const last = tokens[clause.from - 1]?.lower === ',' ? clause.from - 2 : clause.from - 1
  if (tags[last] !== 'NOUN' && tags[last] !== 'PROPN') return clause.from
  let from = last
  while (from > 0 && from > last - ANTECEDENT_TOKENS && isOfNounPhrase(tags[from - 1], tokens[from - 1])) {
    from--
    // "a page **about boats**, which I wrote"
    if (tags[from - 1] === 'ADP' && (tags[from - 2] === 'NOUN' || tags[from - 2] === 'PROPN')) from -= 2
  }
  // In "songs inspired by the tales that I sent", it is unclear what was sent.
  const isBare = tags[from] === 'PROPN' || mayBeParticiple(tokens[from - 2]?.lower ?? '')
  return tags[from - 1] === 'ADP' && tags[from - 2] === 'VERB' && isBare ? clause.from : from
}

const ANTECEDENT_TOKENS = 10

function isOfNounPhrase(tag: Tag | undefined, token: Token | undefined): boolean {
  if (token !== undefined && OWNERS.has(token.lower)) return true
  return tag === 'NOUN' || tag === 'PROPN' || tag === 'ADJ' || tag === 'NUM' || tag === 'DET'
}

const OWNERS: ReadonlySet<string> = new Set(['my', 'our', 'your', 'his', 'her', 'their', 'its'])

/** Returns where a relative clause ends before the verb of its sentence: `which I sent on Monday**, might** help`. */
function findRelativeEnd({ tagged, clause }: Sight, verb: ClauseVerb | undefined): number {
  const { tokens, tags } = tagged
  if (verb === undefined || !clause.isOpened || !RELATIVES.has(tokens[clause.from]?.lower ?? '')) return clause.to
  for (let at = verb.at + 1; at < clause.to - 1; at++)
    if (tokens[at]?.lower === ',' && tags[at + 1] === 'AUX') return at
  return clause.to
}

/**
 * Recognises statements about the person addressed, who knows better: `You have a busy day today`, and `today you have
 * people who never cook`. A past time is a memory of both.
 */
function isForAddressed({ tagged, clause }: Sight, verb: ClauseVerb | undefined, { aspect, rule }: EventTime): boolean {
  if (aspect === 'past' && rule !== 'change.done') return false
  const end = verb?.tense === 'present' && aspect === undefined ? clause.to : (verb?.at ?? clause.to)
  const words = tagged.tokens.slice(clause.from, end).map(({ lower }) => lower)
  return words.some((word) => ADDRESSED.has(word)) && !words.some((word) => SPEAKERS.has(word))
}

const ADDRESSED: ReadonlySet<string> = new Set(['you', 'your', 'u', 'ur', 'ya', 'yours'])

/** Recognises a clause that only names the date: `it's already 9 May`. */
function isDateOnly(sight: Sight, verb: ClauseVerb | undefined): boolean {
  if (verb?.base !== 'be' || !hasOnlyIt(sight, verb)) return false
  return !hasMatter(sight) && !sight.tagged.tags.slice(verb.at, sight.clause.to).includes('ADJ')
}

function hasOnlyIt({ tagged, clause }: Sight, verb: ClauseVerb): boolean {
  const subject = tagged.tokens.slice(clause.from, verb.at).filter(({ lower }) => !FILLERS.has(lower))
  return subject[0]?.lower === 'it'
}

/**
 * Recognises a judgement, not an event: `brunch on Sundays sounds delightful`, `there's magic in every evening`, `today
 * was a great day`, `my advice is to run twice a week`.
 */
function isJudgement(sight: Sight, verb: ClauseVerb | undefined, { aspect, rule }: EventTime): boolean {
  const { tagged, clause } = sight
  if (isVerdictOnDay(sight, verb) || isAdvice(sight, verb)) return true
  if (verb?.tense !== 'present' || (aspect !== 'recurring' && !rule.endsWith('.present') && aspect !== 'planned'))
    return false
  if (SEEMING.has(verb.base)) return true
  if (verb.base !== 'be' || verb.isGoingOn) return false
  const words = tagged.tokens.slice(clause.from, clause.to).map(({ lower }) => lower)
  const opening = words.find((word) => !FILLERS.has(word)) ?? ''
  if (aspect === 'recurring' && (opening === 'it' || opening === 'there' || opening === 'that')) return true
  return !words.some((word) => SPEAKERS.has(word)) && words.some((word) => EVALUATIONS.has(word))
}

/** Recognises praise or blame of a day itself without anything else: `today was a great day for me`. */
function isVerdictOnDay({ tagged, clause }: Sight, verb: ClauseVerb | undefined): boolean {
  if (verb === undefined || !(verb.base === 'be' || verb.base === 'turn' || verb.base === 'feel')) return false
  const subject = tagged.tokens
    .slice(clause.from, verb.at)
    .filter(({ lower, tag }) => !FILLERS.has(lower) && tag !== 'AUX')
  const rest = tagged.tokens.slice(verb.at + 1, clause.to)
  const judged = rest.findIndex(({ lower }) => EVALUATIONS.has(lower))
  if (subject.length === 0 || judged < 0 || judged > VERDICT_TOKENS || rest.length - judged > VERDICT_TOKENS)
    return false
  return subject.every(({ lower }) => DAY_WORDS.test(lower))
}

const VERDICT_TOKENS = 5
const DAY_WORDS =
  /^(?:my|the|this|last|whole|rest|of|it|today|yesterday|day|morning|afternoon|evening|night|week|weekend)$/

/** Recognises what a speaker proposes: `my suggestion is a walk twice a week`. */
function isAdvice({ tagged, clause }: Sight, verb: ClauseVerb | undefined): boolean {
  if (verb?.base !== 'be') return false
  return tagged.tokens
    .slice(clause.from, verb.at)
    .some(({ lower }) => /^(?:suggestion|advice|recommendation|tip)s?$/.test(lower))
}

const SEEMING: ReadonlySet<string> = new Set([
  'sound',
  'look',
  'seem',
  'appear',
  'include',
  'mean',
  'involve',
  'contain',
  'know'
])

/**
 * Recognises a clause that only introduces the next one: `Today I think | we are leaving`, `I noticed on Monday | that
 * it leaks`.
 */
function endsInReport({ tagged: { tokens }, clause }: Sight, verb: ClauseVerb): boolean {
  if (clause.to >= tokens.length || !REPORTS.has(tokens[verb.at]?.lower ?? '')) return false
  return verb.at === clause.to - 1 || tokens[clause.to]?.lower === 'that'
}

/** Resolves `that day`, `that evening` and `the next day` by the day named before. */
function resolveThatDay({ tagged, clause, lastDay }: Sight, verb: ClauseVerb | undefined): EventTime | undefined {
  if (lastDay === undefined || verb === undefined) return undefined
  const words = tagged.tokens.slice(clause.from, clause.to).map(({ lower }) => lower)
  const named = THAT_DAY.exec(words.join(' '))
  if (named === null) return undefined
  const { started_at: from = '', ended_at: to = '', aspect = 'past' } = lastDay
  const days = named.groups?.next === undefined ? {} : { started_at: to, ended_at: shiftDay(to) }
  return { started_at: from, ended_at: to, ...days, precision: 'day', aspect, rule: 'time.that-day', confidence: 0.75 }
}

const THAT_DAY =
  /\b(?:that (?:same )?(?:day|morning|afternoon|evening|night)|the (?:same|(?<next>next|following)) day)\b/

function shiftDay(iso: string): string {
  return new Date(Date.parse(iso) + DAY_MS).toISOString()
}

/**
 * Resolves the time of a reported change without a stated time: "I adopted a dog!". A clause that only says when
 * another event happened does not count.
 */
function resolveChangeTime({ tagged, clause, source }: Sight, verb: ClauseVerb | undefined): EventTime | undefined {
  if (verb?.tense !== 'past' || source.at === undefined) return undefined
  if (WHEN_WORDS.has(tagged.tokens[clause.from]?.lower ?? '') || tagged.tokens[clause.to]?.lower === 'that')
    return undefined
  if (tagged.tokens.slice(clause.from, verb.at).some(({ lower }) => HABIT_WORDS.has(lower))) return undefined
  const next = tagged.tokens[verb.at + 1]?.lower ?? ''
  if (isOfAntecedent(tagged, clause, verb) || isBareParticiple(tagged, clause, verb)) return undefined
  if (verb.base === 'move' && next === 'by') return undefined
  if (!CHANGE_VERBS.has(verb.base) && !CHANGE_VERBS.has(`${verb.base} ${next}`)) return undefined
  return { aspect: 'past', rule: 'change.done', confidence: 0.75 }
}

/**
 * Recognises a participle that describes a thing: `a ball **signed by** Bo`, `modern **but purchased** second-hand`, `my
 * boat**, bought** in May,`.
 */
function isBareParticiple({ tokens, tags }: Tagged, { from }: EventClause, { at }: ClauseVerb): boolean {
  if (!mayBeParticiple(tokens[at]?.lower ?? '') || tags.slice(from, at).includes('AUX')) return false
  const [mark, noun] = [tokens[at - 1]?.lower, tags[at - 2]]
  const isOpen = tokens.slice(from, at).filter(({ lower }) => lower === ',').length === 1
  const isThing = (noun === 'NOUN' || noun === 'PROPN') && !TIME_SIGN.test(tokens[at - 2]?.text ?? '')
  const isAside = mark === ',' && isOpen && isThing
  return isAside || tokens[at + 1]?.lower === 'by' || (tags[at - 1] === 'CCONJ' && noun === 'ADJ')
}

/** Recognises a relative clause without `that`: `the results we achieved`. */
function isOfAntecedent({ tokens, tags }: Tagged, { from }: EventClause, { at }: ClauseVerb): boolean {
  let subject = at - 1
  while (subject > from && (tags[subject] === 'ADV' || tags[subject] === 'AUX')) subject--
  const before = tokens[subject - 1]
  if (subject <= from || !SUBJECT_PRONOUNS.has(tokens[subject]?.lower ?? '') || before === undefined) return false
  return tags[subject - 1] === 'NOUN' && !TIME_SIGN.test(before.text)
}

/**
 * Checks for a possible subject before the verb. A clause that begins with its verb is a request or omits the speaker.
 */
function hasSubject({ tagged, clause }: Sight, verb: ClauseVerb | undefined): boolean {
  if (verb === undefined) return false
  for (let at = clause.from; at < verb.at; at++) {
    const tag = tagged.tags[at]
    if (tag === 'PRON' || tag === 'NOUN' || tag === 'PROPN' || tag === 'DET' || tag === 'NUM') return true
  }
  return false
}

/**
 * Checks that a note without a verb has a topic: a noun or name that is not a time. With an addressee it is a request.
 */
function hasMatter({ tagged, clause }: Sight): boolean {
  let matters = 0
  for (let at = clause.from; at < clause.to; at++) {
    const tag = tagged.tags[at]
    const word = tagged.tokens[at]?.lower ?? ''
    // `her` is also an owner.
    if (OBJECTS.has(word) && word !== 'her') return false
    if ((tag === 'NOUN' || tag === 'PROPN') && !TIME_SIGN.test(tagged.tokens[at]?.text ?? '')) matters++
  }
  return matters > 0
}

function roundConfidence(confidence: number): number {
  return Math.round(confidence * 100) / 100
}
