import {
  type Chunk,
  type Clause,
  type FactDraft,
  type Parse,
  type Phrase,
  type Sight,
  toWords,
  trimPhrase,
  type Words
} from '../clauses/clause.ts'
import { COPULAS, NOMINATIVES, OBJECT_PRONOUNS, PARTICLES, TIME_NOUNS } from '../clauses/word-classes.ts'
import { mayBeParticiple } from '../language/verb-forms.ts'
import { findModality } from './find-modality.ts'
import { findFirstStop } from './find-value-break.ts'
import { listValues } from './list-values.ts'

/**
 * Builds the facts of one clause from its subject, its verb group, and the words after it with the adverbials before. A
 * list gives one fact per item.
 */
export function buildClauseFacts(sight: Sight, clause: Clause, { isTalk = false } = {}): FactDraft[] {
  const { parse } = sight
  if (clause.kind === 'gerund' || clause.kind === 'infinitive') return []
  const subject = findSubjectWords(parse, clause)
  if (subject === undefined || isTimeOfPlan(sight, clause)) return []
  const verb = parse.chunks[clause.at] as Chunk
  const reach = findPredicateEnd(sight, clause)
  const own = { from: verb.from, to: (parse.chunks[reach - 1] as Chunk).to }
  const predicate = clause.verb.lead === undefined ? [own] : [clause.verb.lead, own]
  const openings = listOpeningWords(sight, clause)
  const values = listValues(sight, clause, { reach, isTalk })
  const { isNegated } = clause.verb
  const about = findMissingObject(sight, clause, reach)
  const isGiven = OBJECT_PRONOUNS.has(sight.lower(parse.chunks[reach]?.from ?? -1))
  const isJoined = parse.chunks[reach]?.kind === 'and' && clause.verb.isPassive
  const isAlone = (values[0]?.length === 0 || isJoined) && openings.length === 0 && about.length === 0
  // "the oil has softened **and** repaired my skin": the object belongs to both verbs.
  const isShared = isTalk && clause.verb.isPerfect && parse.chunks[reach]?.kind === 'and' && !clause.verb.isPassive
  const next = parse.chunks[reach + 1]?.verb
  if (isAlone && isShared && next !== undefined && next.form !== 'ing') return []
  const alone = isAlone ? buildObjectlessFact(sight, clause, isTalk ? reach : undefined) : undefined
  if (alone !== undefined) return [alone]
  const drafts = values.map((value) => ({
    rule: chooseRule(clause),
    subject,
    predicate,
    said: describeParticiple(sight, clause, reach),
    value: isGiven ? [...value, ...about, ...openings] : [...about, ...value, ...openings],
    negated: isNegated || isNobody(sight, subject.from),
    modality: findModality(sight, clause),
    clause
  }))
  return drafts.filter((draft) => draft.value.length > 0)
}

/** Recognises "**None** came" and "**no** bus stops here", but not the name "the **No** Limits club". */
function isNobody({ parse, lower }: Sight, at: number): boolean {
  return NOBODY.has(lower(at)) && (at === 0 || !/^\p{Lu}/u.test(parse.tokens[at]?.text ?? ''))
}

const NOBODY = new Set(['nobody', 'no', 'none', 'neither', 'nothing'])

/**
 * Builds a fact whose value is the verb itself, because nothing follows it: "We **can swim**", "Bob **is sleeping**". In
 * talk, where the chunk `reach` follows the verb, the value includes what is joined to it: "I keep **running and eating
 * well**", "I'm planning **to ski, row and dive**".
 */
function buildObjectlessFact(sight: Sight, clause: Clause, reach: number | undefined): FactDraft | undefined {
  const { parse } = sight
  const verb = parse.chunks[clause.at] as Chunk
  const { main } = clause.verb
  const subject = findSubjectWords(parse, clause)
  const isInfinitive = parse.tags[main - 1] === 'PART' && sight.lower(main - 1) === 'to'
  if (subject === undefined || main <= verb.from || !clause.verb.hasAuxiliary) return undefined
  // "You can wait while I'm **working**"
  if (reach !== undefined && clause.kind === 'adverbial' && clause.verb.form === 'ing') return undefined
  // "I haven't **flown** either, but …" denies less than it says alone.
  const isOpenDenial = clause.verb.isNegated && clause.verb.isPerfect && !clause.verb.isPassive
  if (reach !== undefined && isOpenDenial && mayBeParticiple(sight.lower(main))) return undefined
  if (isInfinitive && (reach === undefined || LIGHT_LEADS.has(clause.verb.first))) return undefined
  const from = isInfinitive ? main - 1 : main
  const draft = {
    rule: chooseRule(clause),
    subject,
    said: undefined,
    negated: clause.verb.isNegated,
    modality: findModality(sight, clause)
  }
  return {
    ...draft,
    predicate: [{ from: verb.from, to: from }],
    value: [{ from, to: reach === undefined ? verb.to : findJoinedEnd(parse, clause, reach) }],
    clause
  }
}

/** "I have **to say**", "I'm going **to go**". */
const LIGHT_LEADS = new Set(['have', 'go', 'get', 'be', 'need', 'want'])

/** Returns the first token after a verb and the activities joined to it. */
function findJoinedEnd(parse: Parse, { at, end }: Clause, reach: number): number {
  const isJoined = parse.chunks[reach]?.kind === 'and' && parse.chunks[reach + 1]?.verb?.form === 'ing'
  let last = isJoined && reach < end ? findFirstStop(parse, reach, end) - 1 : at
  for (const next of parse.clauses)
    if (next.kind === 'coordinate' && next.verb.lead !== undefined && next.start === last + 1)
      last = trimPhrase(parse, { from: next.at, to: next.end }).to - 1
  return (parse.chunks[last] as Chunk).to
}

/** Returns `is` for a participle that names or describes: "a dog **named** Rex". */
function describeParticiple({ parse }: Sight, clause: Clause, reach: number): string | undefined {
  if (
    clause.kind !== 'participle' ||
    (clause.verb.form !== 'bare' && clause.verb.form !== 'participle') ||
    clause.verb.hasAuxiliary
  )
    return undefined
  const verb = parse.chunks[clause.at] as Chunk
  const words = parse.tokens.slice(verb.from, (parse.chunks[reach - 1] as Chunk).to).map(({ text }) => text)
  return `is ${words.join(' ')}`
}

/** Returns an empty range if the speaker is implied. */
function findSubjectWords(parse: Parse, clause: Clause): Words | undefined {
  if (clause.subject !== undefined) return toWords(parse, trimPhrase(parse, clause.subject))
  const start = (parse.chunks[clause.at] as Chunk).from
  return clause.isSpeaker === true ? { from: start, to: start } : undefined
}

function chooseRule(clause: Clause): string {
  if (clause.kind === 'speech') return 'report.said'
  if (clause.isSpeaker === true) return 'speaker.left-out'
  if (
    clause.kind === 'relative' ||
    clause.kind === 'participle' ||
    clause.kind === 'adjunct' ||
    clause.kind === 'infinitive' ||
    clause.kind === 'gerund'
  )
    return `clause.${clause.kind}`
  if (clause.verb.base === 'be') return 'copula.is'
  if (COPULAS.has(clause.verb.base)) return 'copula.seems'
  if (clause.verb.isPassive) return 'clause.passive'
  return clause.kind === 'coordinate'
    ? 'clause.coordinate'
    : clause.kind === 'adverbial'
      ? 'clause.adverbial'
      : 'clause.plain'
}

function listOpeningWords({ parse, lower }: Sight, clause: Clause): Words[] {
  return [...clause.openings, ...listOpeningTimes({ parse, lower }, clause)]
    .map((phrase) => toWords(parse, phrase))
    .filter((words) => words !== undefined)
    .filter(
      ({ from, to }) =>
        !REMARKS.has(lower(from)) &&
        !pointsAtTalk(lower, { from, to }) &&
        !REMARKS.has(`${lower(from)} ${lower(Math.min(from + 1, to))}`) &&
        lower(to - 1) !== 'way' &&
        !parse.tags.slice(from, to).includes('INTJ')
    )
}

/** Recognises an opening that refers to an earlier statement: "**after that**", "**on top of that**", "**about other songs**", "**on the topic of** tea". */
function pointsAtTalk(lower: Sight['lower'], { from, to }: Words): boolean {
  if (TALK_POINTERS.has(lower(to - 1))) return true
  for (let at = from + 1; at < Math.min(to, from + 4); at++) {
    if (TOPICS.has(lower(at)) && lower(from) === 'on') return true
    if (lower(from) === 'about' && TIME_NOUNS.has(lower(at))) return false
  }
  return lower(from) === 'about'
}

const TALK_POINTERS = new Set(['that', 'those', 'them', 'it'])
const TOPICS = new Set(['topic', 'subject', 'note', 'top', 'aspect', 'hand'])

/** Lists times without a preposition before the subject: "**last Friday** I ran", "**two years ago** I moved". */
function listOpeningTimes({ parse: { chunks, tokens }, lower }: Sight, { start, subject, openings }: Clause): Phrase[] {
  const times: Phrase[] = []
  for (let at = start; at < (subject?.from ?? start); at++) {
    const chunk = chunks[at]
    if (chunk?.kind !== 'noun' || !TIME_NOUNS.has(lower(chunk.head))) continue
    if (openings.some((phrase) => phrase.from <= at && at < phrase.to)) continue
    if (VAGUE_TIMES.has(lower(chunk.from)) || VAGUE_TIMES.has(lower(chunk.head))) continue
    const isAgo = lower(chunk.to) === 'ago'
    const next = chunks[at + 1]
    const isBound = chunks[at - 1]?.kind === 'preposition' || next?.kind === 'preposition' || next?.isContrast === true
    if (!isBound && !/^[-'’]/.test(tokens[chunk.to]?.text ?? '')) times.push({ from: at, to: isAgo ? at + 2 : at + 1 })
  }
  return times
}

/** "Next **time** I go", "**some** days I walk". */
const VAGUE_TIMES = new Set(['these', 'some', 'any', 'time', 'times', 'moment', 'ago'])

/** First words of openings that say nothing about the clause: "**as for** me", "**for example**". */
const REMARKS = new Set(
  'maybe|as for|in other|for example|for instance|of course|in fact|in general|in summary|in conclusion|in short|seriously|honestly|personally|frankly|basically|overall'.split(
    '|'
  )
)

/**
 * Returns the first chunk after the predicate, which includes a particle and the preposition of what follows ("grew up
 * in").
 */
function findPredicateEnd({ parse, lower }: Sight, clause: Clause): number {
  const { chunks } = parse
  let reach = clause.at + 1
  const next = chunks[reach]
  if (
    next !== undefined &&
    reach < clause.end &&
    next.to === next.from + 1 &&
    PARTICLES.has(lower(next.from)) &&
    lower(next.from) !== 'by' &&
    (next.kind === 'adverb' || (next.kind === 'preposition' && isParticle(chunks[reach + 1])))
  )
    reach++
  const preposition = chunks[reach]
  if (preposition?.kind === 'preposition' && lacksObject(clause)) {
    const after = chunks[reach + 1]
    // "a leak that I fixed **by adding** a cover"
    const isStranded = after?.verb?.form !== 'ing' && (reach + 1 >= clause.end || after?.kind !== 'noun')
    return isStranded && reach < clause.end ? reach + 1 : reach
  }
  if (preposition?.kind === 'preposition' && reach + 1 < clause.end && chunks[reach + 1]?.kind === 'noun') reach++
  return reach
}

/** "ended **up** going", "figured **out** why it stopped", "woke **up** sick", but not "**up** the hill". */
function isParticle(next: Chunk | undefined): boolean {
  return next?.verb?.form === 'ing' || (next !== undefined && AFTER_PARTICLE.has(next.kind))
}

const AFTER_PARTICLE: ReadonlySet<Chunk['kind']> = new Set<Chunk['kind']>([
  'preposition',
  'relative',
  'marker',
  'adjective',
  'and'
])

/** Returns the antecedent as the missing object of a relative clause: "the song that **she wrote** in May". */
function findMissingObject({ parse, lower }: Sight, clause: Clause, reach: number): Words[] {
  const { antecedent } = clause
  if (antecedent === undefined || !lacksObject(clause)) return []
  const next = parse.chunks[reach]
  const isGiven = OBJECT_PRONOUNS.has(lower(next?.from ?? -1))
  // "a trip we took **last year**", "a book I read **a week** ago"
  const isTime = TIME_NOUNS.has(lower(next?.head ?? -1))
  const isObject = next?.kind === 'noun' && reach < clause.end && !isGiven && !isTime
  const words = toWords(parse, trimPhrase(parse, antecedent))
  if (isObject || words === undefined) return []
  // "the party I went **to** after dinner"
  const isStranded = reach > clause.at + 1 && parse.chunks[reach - 1]?.kind === 'preposition'
  if (INTRANSITIVE.has(clause.verb.base) && !isStranded) return []
  return isSetting(lower, words) ? [] : [words]
}

/** Recognises a time that has not come: "the next **time I am** in Rome". */
function isTimeOfPlan({ parse, lower }: Sight, clause: Clause): boolean {
  if (clause.antecedent === undefined || !lacksObject(clause)) return false
  const words = toWords(parse, trimPhrase(parse, clause.antecedent))
  if (words === undefined || lower(words.to - 1) !== 'time') return false
  for (let at = words.from; at < words.to; at++) if (OPEN_TIMES.has(lower(at))) return true
  return false
}

const OPEN_TIMES = new Set(['next', 'any', 'every', 'each'])

/** Recognises an antecedent that only says when, where or how: "the **day** we went to Rome", "a **way** to …". */
function isSetting(lower: Sight['lower'], { from, to }: Words): boolean {
  for (let at = from; at < to; at++) if (TIME_NOUNS.has(lower(at)) || SETTINGS.has(lower(at))) return at === to - 1
  return false
}

const SETTINGS = new Set('way ways reason reasons moment date extent'.split(' '))

/** Verbs whose relative clause lacks no object: "a great day, we **went** to Rome". */
const INTRANSITIVE = new Set(['be', 'go', 'come', 'live', 'arrive', 'sit', 'stay', 'happen', 'exist', 'die', 'sleep'])

function lacksObject({ kind, antecedent, subject, marker }: Clause): boolean {
  return (
    kind === 'relative' &&
    marker !== 'whose' &&
    antecedent !== undefined &&
    subject !== undefined &&
    subject.from !== antecedent.from
  )
}

/**
 * Converts "There are two owls in the barn" to a fact about the owls. Other drafts, and those without a place or state,
 * are returned unchanged.
 */
export function asExistence({ parse, lower }: Sight, draft: FactDraft): FactDraft {
  const { clause, subject } = draft
  if (clause === undefined || lower(subject.from) !== 'there' || clause.verb.base !== 'be') return draft
  const noun = parse.chunks[clause.at + 1] as Chunk | undefined
  const last = draft.value.at(-1)
  if (noun?.kind !== 'noun' || last === undefined) return draft
  const rest = draft.value
    .map((words) => ({ from: Math.max(words.from, noun.to), to: words.to }))
    .filter(({ from, to }) => to > from)
  const next = lower(rest[0]?.from ?? -1)
  // "There's a path **I like**" does not say where it is.
  if (rest.length === 0 || next === 'of' || next === 'with' || NOMINATIVES.has(next)) return draft
  return { ...draft, rule: 'existence.there-is', subject: { from: noun.from, to: noun.to }, value: rest }
}
