import type { EventRecord, FactRecord } from '../../contract/snapshot.ts'
import { createClaimReader } from '../../memory/graph/claim.ts'
import { analyse } from '../analyse/analyse.ts'
import { STOP_WORDS } from '../analyse/stop-words.ts'
import { cutTerm } from '../analyse/to-term.ts'

/** Keys stand in the lists of terms after this mark. Of terms only one of nothing but spaces begins with a line end. */
export const KEY_MARK = '\n'

/** So many terms and keys of the facts of one memory are kept, each. */
const TERMS_MAX = 256
const KEYS_MAX = 256

/** So many facts of one memory are looked at, and names of so many UTF-16 code units: other programs write lines too. */
const FACTS_MAX = 1000
const NAME_UNITS_MAX = 1000

/**
 * The terms of subjects and values that do not stand word for word where the fact was found: whom a pronoun means, say.
 * Some of them may be in the text all the same.
 */
export function collectAboutTerms(facts: readonly FactRecord[], text: string): string[] {
  const terms = new Set<string>()
  const seen = new Set<string>()
  for (const { subject, value, span } of facts.slice(0, FACTS_MAX)) {
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
 * The terms of the names that facts have as subjects, whether or not the text says them: who says it for `I`, and whom a
 * pronoun means. Subjects that are no names (`the dog`) are left out; what is written without capitals may be one.
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

/** False for what is written in small letters only. What has no case may be a name. */
export function mayBeName(subject: string): boolean {
  return /\p{Lu}/u.test(subject) || !/\p{Ll}/u.test(subject)
}

export type KeyReader = (fact: FactRecord) => string[]

/**
 * Reads the keys of facts: what those share that may end or contradict each other, which is whose attribute they speak of
 * and which, where that takes one value at a time. Keys are cut as terms are, so that what has one in the index need not
 * have it in truth.
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

/** The key of an attribute of something, whose name is given as `toEntityKey` makes it. */
export function buildAttributeKey(attribute: string, subject: string): string {
  return cutTerm(`${attribute}|${subject}`)
}

/** Keys do not depend on who says something and when. */
const NOBODY = { id: '', at: '', undated: true }

/** The keys of several facts, each once. */
export function readKeys(facts: readonly FactRecord[], read: KeyReader): string[] {
  const keys = new Set<string>()
  for (const fact of facts.slice(0, FACTS_MAX)) {
    for (const key of read(fact)) keys.add(key)
    if (keys.size >= KEYS_MAX) break
  }
  return [...keys]
}

/** Whether a name is in a text as whole words. */
function containsWord(text: string, name: string): boolean {
  const at = text.indexOf(name)
  return at >= 0 && !isWordUnit(text.charCodeAt(at - 1)) && !isWordUnit(text.charCodeAt(at + name.length))
}

/** Letters and digits, and all beyond ASCII; NaN, which is before and after the text, is none. */
function isWordUnit(unit: number): boolean {
  return unit >= 128 || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)
}

/** When something that a memory tells of was, stands after this mark. Of terms only one of nothing but spaces begins with it. */
const DATE_MARK = '\r'

/** So many events of one memory are looked at. */
const EVENTS_MAX = 300

/** The term of a part of a date at which something was that a memory tells of. */
export function buildEventTerm(part: 'year' | 'month' | 'day', value: number): string {
  return `${DATE_MARK}${part}:${value}`
}

/** The parts of the dates at which events began, as terms, each once: as exact as the memory is, in UTC. */
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
