import type { EventRecord, FactRecord } from '../../contract/snapshot.ts'
import type { ReadFact } from '../../memory/extracted.ts'
import { createClaimReader } from '../../memory/graph/claim.ts'
import { parseStatedTime } from '../../memory/graph/stated-time.ts'
import { analyse } from '../analyse/analyse.ts'
import { STOP_WORDS } from '../analyse/stop-words.ts'
import { cutTerm } from '../analyse/to-term.ts'

/** Prefix of keys of facts in the term lists. Only a term of white space begins with a line feed. */
export const KEY_MARK = '\n'

/** Maximum number of terms, and of keys, kept per memory for its facts. */
const TERMS_MAX = 256
const KEYS_MAX = 256

/** Maximum number of facts examined per memory, and of UTF-16 code units per name. Other programs write lines too. */
const FACTS_MAX = 1000
const NAME_UNITS_MAX = 1000

/**
 * Returns the terms of given facts that the text does not contain literally, so that a memory is found by what its source
 * states beside the text. For extracted facts, such as the name behind a pronoun, they change no figure of ranking.
 */
export function collectAboutTerms(facts: readonly FactRecord[], text: string): string[] {
  const terms = new Set<string>()
  const seen = new Set<string>()
  for (const { subject, value, span, rule } of facts.slice(0, FACTS_MAX)) {
    if (rule !== 'given') continue
    const said = text.slice(span[0], Math.min(span[1], span[0] + NAME_UNITS_MAX))
    for (const name of [subject, value]) {
      if (terms.size >= TERMS_MAX || seen.has(name) || containsWord(said, name)) continue
      seen.add(name)
      for (const term of analyse(name.slice(0, NAME_UNITS_MAX))) if (!STOP_WORDS.has(term)) terms.add(term)
    }
  }
  return [...terms].slice(0, TERMS_MAX)
}

/**
 * Returns the terms of names that are subjects of facts, whether or not the text contains them: the speaker for `I`,
 * and the name behind a pronoun. Subjects that are not names (`the dog`) are left out; a subject in a script without
 * case may be a name.
 */
export function collectSubjectTerms(facts: readonly FactRecord[]): string[] {
  const terms = new Set<string>()
  const seen = new Set<string>()
  for (const { subject } of facts.slice(0, FACTS_MAX)) {
    if (terms.size >= TERMS_MAX || seen.has(subject)) continue
    seen.add(subject)
    const name = subject.slice(0, NAME_UNITS_MAX)
    if (mayBeName(name)) for (const term of analyse(name)) if (!STOP_WORDS.has(term)) terms.add(term)
  }
  return [...terms].slice(0, TERMS_MAX)
}

/** Returns false for a text in lower case only. A script without case may be a name. */
export function mayBeName(subject: string): boolean {
  return /\p{Lu}/u.test(subject) || !/\p{Ll}/u.test(subject)
}

export type KeyReader = (fact: FactRecord) => string[]

/**
 * Creates a reader of fact keys. Facts that may end or contradict each other share a key: the subject and the
 * attribute, if it has one value at a time. Keys are cut to the length of terms, so a key match in the index must be
 * verified.
 */
export function createKeyReader(): KeyReader {
  const claimOf = createClaimReader()
  return (fact) => {
    if (Math.max(fact.subject.length, fact.predicate.length, fact.value.length) > NAME_UNITS_MAX) return []
    const { subject, predicate, meaning } = claimOf({ fact, source: NOBODY })
    const attributes = meaning.isSingle ? [predicate, ...meaning.ends] : meaning.ends
    return attributes.map((attribute) => buildAttributeKey(attribute, subject))
  }
}

/** Builds the key of an attribute. `subject` is a name as `toEntityKey` returns it. */
export function buildAttributeKey(attribute: string, subject: string): string {
  return cutTerm(`${attribute}|${subject}`)
}

/** Keys do not depend on speaker and time. */
const NOBODY = { id: '', at: '', undated: true }

/** Returns the distinct keys of several facts. */
export function readKeys(facts: readonly FactRecord[], read: KeyReader): string[] {
  const keys = new Set<string>()
  for (const fact of facts.slice(0, FACTS_MAX)) {
    for (const key of read(fact)) keys.add(key)
    if (keys.size >= KEYS_MAX) break
  }
  return [...keys]
}

/** Checks whether a text contains a name as whole words. */
function containsWord(text: string, name: string): boolean {
  const at = text.indexOf(name)
  return at >= 0 && !isWordUnit(text.charCodeAt(at - 1)) && !isWordUnit(text.charCodeAt(at + name.length))
}

/**
 * Recognises letters, digits and everything beyond ASCII. NaN, which stands for either end of the text, is excluded.
 */
function isWordUnit(unit: number): boolean {
  return unit >= 128 || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)
}

/** Prefix of terms for the dates of events. Only a term of white space begins with a carriage return. */
const DATE_MARK = '\r'

/** Maximum number of events examined per memory. */
const EVENTS_MAX = 300

/** Builds the term for a part of an event's date. */
export function buildEventTerm(part: 'year' | 'month' | 'day', value: number): string {
  return `${DATE_MARK}${part}:${value}`
}

/** Returns the distinct terms for the dates at which events began, as precise as the memory states them, in UTC. */
export function collectEventTerms(events: readonly EventRecord[]): string[] {
  const terms = new Set<string>()
  for (const { started_at, precision } of events.slice(0, EVENTS_MAX)) {
    const [, year, month, day] = DATE.exec(started_at ?? '') ?? []
    if (year === undefined) continue
    terms.add(buildEventTerm('year', Number(year)))
    if (precision === undefined || !MONTHLESS.has(precision)) terms.add(buildEventTerm('month', Number(month)))
    if (precision !== undefined && DAILY.has(precision)) terms.add(buildEventTerm('day', Number(day)))
  }
  return [...terms]
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})/
const MONTHLESS: ReadonlySet<string> = new Set(['year', 'season'])
const DAILY: ReadonlySet<string> = new Set(['day', 'hour', 'minute'])

/** Key of all memories that supersede others, and beginning of the key of those that supersede a certain one. */
export const SUPERSEDING_KEY = 'supersedes'

/** Builds the key of the memories that supersede the one with this id. */
export function buildSupersedingKey(id: string): string {
  return `${SUPERSEDING_KEY}|${id}`
}

/**
 * Returns the earliest time of which a memory states that something held or happened, at most its own, in ms since
 * 1970.
 */
export function findEarliestTime(memory: {
  at: number
  undated?: boolean | undefined
  facts?: readonly ReadFact[] | undefined
  events?: readonly EventRecord[] | undefined
}): number {
  const { at, undated, facts = [], events = [] } = memory
  if (undated === true) return at
  const said = new Date(at).toISOString()
  const times = [
    ...facts.slice(0, FACTS_MAX).flatMap((fact) => fact.valid_from ?? parseStatedTime(fact.value, said)?.from ?? []),
    ...events.slice(0, EVENTS_MAX).flatMap(({ started_at }) => started_at ?? [])
  ].map((time) => Date.parse(time))
  return times.reduce((earliest, time) => (time < earliest ? time : earliest), at)
}
