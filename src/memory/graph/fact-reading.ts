import type { FactRecord } from '../../contract/snapshot.ts'
import { splitWords } from '../language/split-words.ts'
import { memoize } from './memoize.ts'
import { classifyAttribute, classifyPredicate, type PredicateClass } from './predicate-class.ts'
import { parseStatedTime } from './stated-time.ts'
import { isNamed, mayBeValue } from './value-kind.ts'

/** What a fact is about: of what, which attribute, with which value. In the words of the text. */
export type FactReading = { subject: string; value: string; meaning: PredicateClass }

/** A reader of facts, which keeps what it worked out for a predicate. */
export function createFactReader(): (fact: FactRecord) => FactReading {
  const meaningOf = memoize(classifyPredicate)
  return ({ subject, predicate, value }) => {
    const said = readJoined({ subject, value, meaning: meaningOf(predicate) }, { predicate, meaningOf })
    const { key } = said.meaning
    const plain = key === 'be' ? readCopula(said, meaningOf) : CHANGED.test(key) ? readChange(said, meaningOf) : said
    return readAsNamed(orderReading(readLeaving(stripValue(plain))))
  }
}

type MeaningOf = (predicate: string) => PredicateClass

/** Some predicates mean something else of what is no name. */
function readAsNamed(said: FactReading): FactReading {
  const { otherwise } = said.meaning
  return otherwise === undefined || isNamedOne(said) ? said : { ...said, meaning: otherwise }
}

/** A town is moved to and an employer joined, but no version of a thing, and nobody for lunch; as a child, long ago. */
function isNamedOne({ value, meaning }: FactReading): boolean {
  return isNamed(value) && !isOfYouth(value) && (meaning.ofPlaces ? mayBePlace(value) : mayBeEmployer(value))
}

/** Who left Acme for Northwind left Acme for good; who left Acme at six, or somebody at the airport, did not. */
function readLeaving(said: FactReading): FactReading {
  const { value, meaning } = said
  if (!meaning.isLeaving || !isNamed(value)) return said
  const left = findLeftThing(value)
  return left === undefined ? { ...said, meaning: { ...meaning, ends: [] } } : { ...said, value: left }
}

/** Where the words up to a name belong to the predicate: `got | married to Tom`, `used | to work at Initech`. */
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

/** As many words as a listed predicate may have more. */
const UP_TO_NAME = /^(?<more>\p{Ll}[\p{Ll}'-]*(?: \p{Ll}[\p{Ll}'-]*){0,4}) (?<name>["“]?[\p{Lu}\p{N}].*)$/u

function isListed({ isSingle, ends }: PredicateClass): boolean {
  return isSingle || ends.length > 0
}

/** Who `moved from Rome to Paris`, or `to Paris from Rome`, lives in Paris. */
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

/** The value without what is said around it: `Acme anymore`, `her job at Acme`. */
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

/** Said the other way round, it is turned: who `owns the shop` is the shop's owner. */
function orderReading(said: FactReading): FactReading {
  const { subject, value, meaning } = said
  if (!meaning.isInverse) return said
  if (isDefinite(value) && !PRONOUN.test(subject))
    return { subject: value, value: subject, meaning: { ...meaning, isInverse: false } }
  return { ...said, meaning: { ...meaning, key: `${meaning.key}_of`, isSingle: false } }
}

const PRONOUN = /^(?:it|this|that|he|she|they|there|here|these|those)$/iu

/** `owns a car` does not say of any car that it has no other owner. */
function isDefinite(value: string): boolean {
  return DEFINITE.test(value)
}

const DEFINITE = /^(?:the |this |that |(?!An? )["“]?\p{Lu})/u

/** What something simply is, where that tells the attribute. */
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

/** `Ann's boss is Tom`; undefined where no attribute of anything is told. */
function readAttribute({ subject, value, meaning }: FactReading, meaningOf: MeaningOf): FactReading | undefined {
  const owned = splitAttribute(subject)
  if (owned === undefined) return undefined
  const attribute = meaningOf(owned.attribute)
  if (!mayBeValue(value.replace(AROUND, ''), attribute.kind)) return undefined
  return { subject: owned.of, value, meaning: negateMeaning(attribute, meaning) }
}

/** The rent that `is 950 euros now` is no longer 900 euros. */
function readQuantity(said: FactReading, plain: string): FactReading {
  const unit = isOneThing(said.subject) ? findCountedUnit(parseStatedTime(plain, undefined)?.rest ?? plain) : undefined
  if (unit === undefined) return said
  return {
    ...said,
    value: plain,
    meaning: { ...said.meaning, key: `be_number ${unit}`.trim().replaceAll(' ', '_'), isSingle: true }
  }
}

/** `The deadline of the survey was moved to Friday`: it is Friday. */
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

/** Surely nobody's name: `the lift`, `ticket 12`. */
const THING = /^(?:[Tt]he|[Tt]his|[Tt]hat|[Oo]ur|[Mm]y|[Yy]our|[Ii]ts) |^\p{Ll}|\d/u

/** `Ann's phone number`, `the phone number of Ann`. */
function splitAttribute(name: string): { attribute: string; of: string } | undefined {
  const match = OWNED.exec(name) ?? PART_OF.exec(name)
  const { attribute: named = '', of = '' } = match?.groups ?? {}
  const attribute = named.replace(/^(?:new|present) (?=\S)/i, '')
  const key = match === null ? undefined : classifyAttribute(attribute)
  return key === undefined ? undefined : { attribute: key, of }
}

const OWNED = /^(?<of>.{1,80})['’]s (?<attribute>.{1,30})$/u
const PART_OF = /^(?:the )?(?<attribute>.{1,30}?) of (?<of>.{1,80})$/iu

/** What somebody left for good, with the time that is said of it; undefined where more is said than when and for what. */
function findLeftThing(value: string): string | undefined {
  const rest = parseStatedTime(value, undefined)?.rest ?? value
  const { name, after = '' } = NAME_AND_MORE.exec(rest)?.groups ?? {}
  if (name === undefined || !(after === '' || FOR_GOOD.test(after) || isForAnother(after))) return undefined
  return `${name}${value.slice(rest.length)}`
}

/** Whether a name can be that of a place that somebody moved to: no version of a program, and no date. */
function mayBePlace(value: string): boolean {
  return !NUMBERED.test(value) && !DATE.test(value)
}

/** Whether a name can be that of an employer, by what is said with it: nobody is joined for lunch who employs. */
function mayBeEmployer(value: string): boolean {
  const { name, after = '' } = NAME_AND_MORE.exec(value)?.groups ?? {}
  return name === undefined || !FOR_A_WHILE.test(after)
}

/** Not `for Easter`. */
function isForAnother(after: string): boolean {
  const other = FOR_ANOTHER.exec(after)?.groups?.other
  return other !== undefined && !DATE.test(other)
}

/** Whether a value ends with a time of somebody's early life: `Rome as a child`. What was then tells little of now. */
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

/** What is done for some hours: `for lunch`, `at the bar`, `yesterday to watch a film`. */
const FOR_A_WHILE = new RegExp(
  `(?:^| )(?:for|at|with|during|while|via|over|to (?!work|lead|head|run|build|become)|on (?!\\d|the \\d|${DAY}|${MONTH})) ?\\S`,
  'i'
)

/**
 * Values that say by themselves which attribute is meant when something simply `is` so: `the ticket is closed` is a
 * status. In small letters. Colours and moods are no states here: a red car can be fast too.
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

/** States of things; people are `ready` for lunch and `open` to ideas. */
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

/** What a number counts: the words after it, `euros` of `950 euros`; undefined of what is no plain number. */
function findCountedUnit(value: string): string | undefined {
  if (value.length > VALUE_UNITS) return undefined
  const { before = '', unit } = QUANTITY.exec(value)?.groups ?? {}
  return unit === undefined ? undefined : `${before}${unit}`.trim().toLowerCase()
}

/** Longer ones are told in sentences. In UTF-16 code units. */
const VALUE_UNITS = 40

const QUANTITY = /^(?<before>[€$£¥]?) ?\d[\d.,:]*(?<unit>(?: ?[\p{L}%€$£¥°²³]+){0,3})$/u

/** One thing that has one number at a time: `the rent`, `Ann's rent`; not several, nor one of many. */
function isOneThing(subject: string): boolean {
  return ONE_THING.test(subject)
}

const ONE_THING = /^(?:(?:the|this|that|my|our|your|his|her|its|their) |.{1,80}['’]s )[^,]{0,60}(?:[^s,]|ss)$/iu
