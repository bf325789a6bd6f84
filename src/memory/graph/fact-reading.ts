import type { FactRecord } from '../../contract/snapshot.ts'
import { splitWords } from '../language/split-words.ts'
import { memoize } from './memoize.ts'
import { classifyAttribute, classifyPredicate, type PredicateClass } from './predicate-class.ts'
import { findSlot, readChangeWords } from './read-change-words.ts'
import { parseStatedTime } from './stated-time.ts'
import { isNamed, mayBeValue } from './value-kind.ts'

/** The subject, attribute and value of a fact, quoted from the text. */
export type FactReading = {
  subject: string
  value: string
  meaning: PredicateClass
  /** The words say that something else held before: see `readChangeWords`. */
  isChange?: boolean
  /** The fact is marked as denied, but states something: `is not Ann but Lena`. */
  isAffirmed?: true | undefined
}

/** Creates a reader of facts that caches its results for predicates. */
export function createFactReader(): (fact: FactRecord) => FactReading {
  const meaningOf = memoize(classifyPredicate)
  return (fact) => {
    const { subject, predicate, value, isChange, isAffirmed } = readChangeWords(fact)
    const said = readJoined({ subject, value, meaning: meaningOf(predicate) }, { predicate, meaningOf })
    const { key } = said.meaning
    const plain = key === 'be' ? readCopula(said, meaningOf) : CHANGED.test(key) ? readChange(said, meaningOf) : said
    const named = readAsNamed(orderReading(readLeaving(stripValue(plain))))
    const slot = isListed(named.meaning)
      ? undefined
      : findSlot({ subject: named.subject, predicate, value: named.value })
    const read = slot === undefined ? named : { ...named, ...slot, meaning: { ...named.meaning, ...slot.meaning } }
    return isChange ? { ...read, isChange, isAffirmed } : read
  }
}

type MeaningOf = (predicate: string) => PredicateClass

/** Replaces the meaning of predicates that mean something else for a value that is not a name. */
function readAsNamed(said: FactReading): FactReading {
  const { otherwise } = said.meaning
  return otherwise === undefined || isNamedOne(said) ? said : { ...said, meaning: otherwise }
}

/**
 * Checks whether the named value can be meant: people move to towns and join employers, not versions of a program or
 * a friend for lunch. Statements about childhood do not count either.
 */
function isNamedOne({ value, meaning }: FactReading): boolean {
  if (!isNamed(value) || isOfYouth(value)) return false
  return meaning.ofPlaces ? mayBePlace(value) && !VISIT.test(value) : mayBeEmployer(value)
}

/** Matches the duration or the occasion of a visit: `returned to Berlin for a week` is not a move. */
const VISIT =
  / for (?:an? |the |my |our |his |her |their |\d+ |two |three |some )?(?:few |couple of |long )?(?:days?|nights?|weeks?|weekend|visit|holidays?|vacation|conference|wedding|funeral|meeting)\b/iu

/**
 * Decides whether `left` is final: `left Acme for Northwind` is, `left Acme at six` or a person at the airport is not.
 */
function readLeaving(said: FactReading): FactReading {
  const { value, meaning } = said
  if (!meaning.isLeaving || !isNamed(value)) return said
  const left = findLeftThing(value)
  return left === undefined ? { ...said, meaning: { ...meaning, ends: [] } } : { ...said, value: left }
}

/** Joins lower-case words before a name to the predicate: `got | married to Tom`, `used | to work at Initech`. */
function readJoined(
  said: FactReading,
  { predicate, meaningOf }: { predicate: string; meaningOf: MeaningOf }
): FactReading {
  if (isListed(said.meaning)) return readMove(said, meaningOf)
  const { more = '', name = '' } = UP_TO_NAME.exec(said.value)?.groups ?? {}
  const meaning = name === '' ? said.meaning : meaningOf(`${predicate} ${more}`)
  const isWhose = meaning.isInverse && PRONOUN.test(said.subject)
  return isListed(meaning) && !isWhose ? { subject: said.subject, value: name, meaning } : said
}

/** Matches up to as many words as a listed predicate may have more. */
const UP_TO_NAME = /^(?<more>\p{Ll}[\p{Ll}'-]*(?: \p{Ll}[\p{Ll}'-]*){0,4}) (?<name>["“]?[\p{Lu}\p{N}].*)$/u

function isListed({ isSingle, ends }: PredicateClass): boolean {
  return isSingle || ends.length > 0
}

/** Reads `moved from Rome to Paris`, and `to Paris from Rome`, as living in Paris. */
function readMove(said: FactReading, meaningOf: MeaningOf): FactReading {
  const { ends } = said.meaning
  if (ends.length !== 1 || ends[0] !== 'lives_in') {
    return said.meaning.key === 'lives_in' ? { ...said, value: said.value.replace(/(?<=\S) from .*$/su, '') } : said
  }
  const to = / to (?<place>\p{Lu}.*)$/su.exec(said.value)?.groups?.place
  return to === undefined ? said : { ...said, value: to, meaning: negateMeaning(meaningOf('moved to'), said.meaning) }
}

function negateMeaning(meaning: PredicateClass, { isNegated, isHedged }: PredicateClass): PredicateClass {
  return isNegated || isHedged ? { ...meaning, isNegated, isHedged } : meaning
}

/** Removes words around the value: `Acme anymore`, `her job at Acme`. */
function stripValue(said: FactReading): FactReading {
  const isAll = isListed(said.meaning)
  if (!isAll && !said.meaning.isNegated) return said
  const value = isAll ? said.value.replace(AROUND, '').replace(JOB, '') : said.value.replace(ANY_MORE, '')
  return value === '' || value === said.value ? said : { ...said, value }
}

const AROUND =
  /^(?:still|now|currently|already|finally|officially) |,? (?:any ?more|now|currently|again|too|as well|these days|right now|at the moment|already)$/giu
const ANY_MORE = /,? any ?(?:more|longer)$/iu
const JOB = /^(?:my|your|his|her|its|their|our|the|a) (?:job|post|position|work) (?:at|with|for|in) (?=\S)/iu

/** Swaps subject and value of an inverse predicate: `owns the shop` makes the subject the shop's owner. */
function orderReading(said: FactReading): FactReading {
  const { subject, value, meaning } = said
  if (!meaning.isInverse) return said
  if (isDefinite(value) && !PRONOUN.test(subject))
    return { subject: value, value: subject, meaning: { ...meaning, isInverse: false } }
  return { ...said, meaning: { ...meaning, key: `${meaning.key}_of`, isSingle: false } }
}

const PRONOUN = /^(?:it|this|that|he|she|they|there|here|these|those)$/iu

/** Checks for a definite value: `owns a car` does not say which car. */
function isDefinite(value: string): boolean {
  return DEFINITE.test(value)
}

const DEFINITE = /^(?:the |this |that |(?!An? )["“]?\p{Lu})/u

/** Reads a copula whose subject or value determines the attribute. */
function readCopula(said: FactReading, meaningOf: MeaningOf): FactReading {
  const { subject, value, meaning } = said
  const attribute = readAttribute(said, meaningOf)
  if (attribute !== undefined) return attribute
  const owning = /^the /i.test(value) && !PRONOUN.test(subject) ? splitAttribute(value) : undefined
  if (owning !== undefined) {
    return { subject: owning.of, value: subject, meaning: negateMeaning(meaningOf(owning.attribute), meaning) }
  }
  const plain = value.replace(AROUND, '')
  const state = value.length < STATE_UNITS ? findState(plain.toLowerCase(), subject) : undefined
  if (state === undefined) return readQuantity(said, plain)
  const bareValue = state === 'age' ? value.replace(/ .*$/u, '') : value
  return { subject, value: bareValue, meaning: negateMeaning(meaningOf(state), meaning) }
}

/** Reads `Ann's boss is Tom`; undefined if no attribute is named. */
function readAttribute({ subject, value, meaning }: FactReading, meaningOf: MeaningOf): FactReading | undefined {
  const owned = splitAttribute(subject)
  if (owned === undefined) return undefined
  const attribute = meaningOf(owned.attribute)
  if (!mayBeValue(value.replace(AROUND, ''), attribute.kind)) return undefined
  return { subject: owned.of, value, meaning: negateMeaning(attribute, meaning) }
}

/** Reads a quantity, so that a rent that `is 950 euros now` replaces 900 euros. */
function readQuantity(said: FactReading, plain: string): FactReading {
  const unit = isOneThing(said.subject) ? findCountedUnit(parseStatedTime(plain, undefined)?.rest ?? plain) : undefined
  if (unit === undefined) return said
  return {
    ...said,
    value: plain,
    meaning: { ...said.meaning, key: `be_number ${unit}`.trim().replaceAll(' ', '_'), isSingle: true }
  }
}

/** Reads `The deadline of the survey was moved to Friday` as: the deadline is Friday. */
function readChange(said: FactReading, meaningOf: MeaningOf): FactReading {
  return readAttribute(said, meaningOf) ?? readQuantity(said, said.value.replace(AROUND, ''))
}

const CHANGED =
  /^(?:was_|been_|got_)?(?:changed|corrected|updated|set|reset|moved|pushed|brought_forward|extended|raised|lowered|increased|reduced|cut|switched|postponed|rescheduled)_to$/

const STATE_UNITS = 30

function findState(value: string, subject: string): string | undefined {
  if (/^\d{1,3} years? old$/.test(value)) return 'age'
  return STATE_WORDS.get(value) ?? (THING.test(subject) ? THING_STATES.get(value) : undefined)
}

/** Matches values that are certainly not names of persons: `the lift`, `ticket 12`. */
const THING = /^(?:[Tt]he|[Tt]his|[Tt]hat|[Oo]ur|[Mm]y|[Yy]our|[Ii]ts) |^\p{Ll}|\d/u

/** Splits `Ann's phone number` and `the phone number of Ann`. */
function splitAttribute(name: string): { attribute: string; of: string } | undefined {
  const match = OWNED.exec(name) ?? PART_OF.exec(name)
  const { attribute: named = '', of = '' } = match?.groups ?? {}
  const attribute = named.replace(/^(?:new|present) (?=\S)/i, '')
  const key = match === null ? undefined : classifyAttribute(attribute)
  return key === undefined ? undefined : { attribute: key, of }
}

const OWNED = /^(?<of>.{1,80})['’]s (?<attribute>.{1,30})$/u
const PART_OF = /^(?:the )?(?<attribute>.{1,30}?) of (?<of>.{1,80})$/iu

/** Returns what was left for good, with its time; undefined if the text states more than a time and a destination. */
function findLeftThing(value: string): string | undefined {
  const rest = parseStatedTime(value, undefined)?.rest ?? value
  const { name, after = '' } = NAME_AND_MORE.exec(rest)?.groups ?? {}
  if (name === undefined || !(after === '' || FOR_GOOD.test(after) || isForAnother(after))) return undefined
  return `${name}${value.slice(rest.length)}`
}

/** Checks whether a name can be a place to live: not a version of a program, and not a date. */
function mayBePlace(value: string): boolean {
  return !NUMBERED.test(value) && !DATE.test(value)
}

/** Checks by its context whether a name can be an employer: `joined Ann for lunch` is not employment. */
function mayBeEmployer(value: string): boolean {
  const { name, after = '' } = NAME_AND_MORE.exec(value)?.groups ?? {}
  return name === undefined || !FOR_A_WHILE.test(after)
}

/** Excludes `for Easter`. */
function isForAnother(after: string): boolean {
  const other = FOR_ANOTHER.exec(after)?.groups?.other
  return other !== undefined && !DATE.test(other)
}

/** Recognises a time in early life at the end of a value (`Rome as a child`), which says little about the present. */
function isOfYouth(value: string): boolean {
  return OF_YOUTH.test(value.slice(-YOUTH_UNITS))
}

const YOUTH_UNITS = 60
const OF_YOUTH =
  / (?:as an? (?:(?:very |quite )?(?:young|little|small) )?(?:child|kid|boy|girl|baby|toddler|teen|teenager|youngster|schoolboy|schoolgirl|young man|young woman)|(?:as children|as kids|in (?:my|his|her|our|their) (?:youth|childhood|teens)))$/iu

const CAPITALS = '["“]?[\\p{Lu}\\p{N}][^\\s,;]*'
const NAME_AND_MORE = new RegExp(
  `^(?<name>(?:[Tt]he )?${CAPITALS}(?: (?:(?:of|and|the|de|da|del|van|von|der|la|le|&) ){0,2}${CAPITALS}){0,8})(?<after>.*)$`,
  'su'
)

const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const FEAST = '(?:christmas|easter|thanksgiving|halloween|new year)'

/** `last spring`, `after ten years`. */
const FOR_GOOD = new RegExp(
  `^,? (?:for good|forever|today|(?:on |last |this )${DAY}|(?:last|this) (?:spring|summer|autumn|fall|winter|week|month|year)` +
    '|after [a-z0-9]+ (?:months|years))$',
  'i'
)

/** `for Northwind`, `to join Northwind`. */
const FOR_ANOTHER = /^ (?:for|to join) ["“]?(?<other>\p{Lu}.*)$/su

/** `Windows 11`, `Postgres 16.2`; not `Oslo 2 years ago`. */
const NUMBERED = /^(?:\p{Lu}[^\s,]* ){1,4}v?\d[\d.]*(?! ?(?:years?|months?|weeks?|days?)\b)(?=$|[ ,])/u

const DATE = new RegExp(`^(?:next |the )?(?:${DAY}|${MONTH}|${FEAST})\\b`, 'i')

/** Matches activities of some hours: `for lunch`, `at the bar`, `yesterday to watch a film`. */
const FOR_A_WHILE = new RegExp(
  `(?:^| )(?:for|at|with|during|while|via|over|to (?!work|lead|head|run|build|become)|on (?!\\d|the \\d|${DAY}|${MONTH})) ?\\S`,
  'i'
)

/**
 * Values that determine the attribute after a copula: `the ticket is closed` states a status. In lower case. Colours
 * and moods are not listed, because a red car can also be fast.
 */
const STATE_WORDS: ReadonlyMap<string, string> = new Map([
  ...toStates(
    splitWords(`
      closed, pending, blocked, unblocked, in progress, on hold, cancelled, canceled, offline,
      resolved, unresolved, merged, approved, rejected, paused, deprecated, released, archived,
      enabled, disabled, overdue, postponed, shipped, delivered, in review, under review
    `)
  ),
  ...['single', 'married', 'divorced', 'widowed', 'engaged'].map((word) => [word, 'marital_status'] as const)
])

/** States of things only; people are `ready` for lunch and `open` to ideas. */
const THING_STATES: ReadonlyMap<string, string> = new Map(
  toStates(
    splitWords(`
      open, done, finished, complete, completed, active, inactive, ready, live, online, up, down,
      broken, fixed, running, stopped, failed, failing, passing, available, unavailable, delayed
    `)
  )
)

function toStates(words: readonly string[]): (readonly [string, string])[] {
  return words.map((word) => [word, 'status'])
}

/** Returns the unit after a number, `euros` of `950 euros`; undefined if the value is not a plain number. */
function findCountedUnit(value: string): string | undefined {
  if (value.length > VALUE_UNITS) return undefined
  const { before = '', unit } = QUANTITY.exec(value)?.groups ?? {}
  return unit === undefined ? undefined : `${before}${unit}`.trim().toLowerCase()
}

/** Maximum length of a quantity or attribute value, in UTF-16 code units. */
const VALUE_UNITS = 40

const QUANTITY = /^(?<before>[€$£¥]?) ?\d[\d.,:]*(?<unit>(?: ?[\p{L}%€$£¥°²³]+){0,3})$/u

/** Recognises a single thing with one number at a time (`the rent`, `Ann's rent`), not several or one of many. */
function isOneThing(subject: string): boolean {
  return ONE_THING.test(subject)
}

const ONE_THING = /^(?:(?:the|this|that|my|our|your|his|her|its|their) |.{1,80}['’]s )[^,]{0,60}(?:[^s,]|ss)$/iu
