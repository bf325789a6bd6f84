import type { FactRecord } from '../../contract/snapshot.ts'
import { isNamed } from './is-named.ts'
import { isOfYouth, mayBeEmployer, mayBePlace, whatWasLeft } from './name-and-more.ts'
import { attributeClass, type PredicateClass, predicateClass } from './predicate-class.ts'
import { countedIn, isOneThing } from './quantity.ts'
import { remembering } from './remembering.ts'
import { STATE_WORDS, THING_STATES } from './state-words.ts'
import { statedTime } from './stated-time.ts'
import { mayBeValue } from './value-kind.ts'

/** What a fact is about: of what, which attribute, with which value. In the words of the text. */
export type Reading = { subject: string; value: string; meaning: PredicateClass }

/** A reader of facts, which keeps what it worked out for a predicate. */
export function createReading(): (fact: FactRecord) => Reading {
  const meaningOf = remembering(predicateClass)
  return ({ subject, predicate, value }) => {
    const said = joined({ subject, value, meaning: meaningOf(predicate) }, { predicate, meaningOf })
    const { key } = said.meaning
    const plain = key === 'be' ? ofCopula(said, meaningOf) : CHANGED.test(key) ? ofChange(said, meaningOf) : said
    return asNamed(inOrder(leaving(bare(plain))))
  }
}

type MeaningOf = (predicate: string) => PredicateClass

/** Some predicates mean something else of what is no name. */
function asNamed(said: Reading): Reading {
  const { otherwise } = said.meaning
  return otherwise === undefined || isNamedOne(said) ? said : { ...said, meaning: otherwise }
}

/** A town is moved to and an employer joined, but no version of a thing, and nobody for lunch; as a child, long ago. */
function isNamedOne({ value, meaning }: Reading): boolean {
  return isNamed(value) && !isOfYouth(value) && (meaning.ofPlaces ? mayBePlace(value) : mayBeEmployer(value))
}

/** Who left Acme for Northwind left Acme for good; who left Acme at six, or somebody at the airport, did not. */
function leaving(said: Reading): Reading {
  const { value, meaning } = said
  if (!meaning.isLeaving || !isNamed(value)) return said
  const left = whatWasLeft(value)
  return left === undefined ? { ...said, meaning: { ...meaning, ends: [] } } : { ...said, value: left }
}

/** Where the words up to a name belong to the predicate: `got | married to Tom`, `used | to work at Initech`. */
function joined(said: Reading, { predicate, meaningOf }: { predicate: string; meaningOf: MeaningOf }): Reading {
  if (isListed(said.meaning)) return toPlace(said, meaningOf)
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
function toPlace(said: Reading, meaningOf: MeaningOf): Reading {
  const { ends } = said.meaning
  if (ends.length !== 1 || ends[0] !== 'lives_in') {
    return said.meaning.key === 'lives_in' ? { ...said, value: said.value.replace(/(?<=\S) from .*$/su, '') } : said
  }
  const to = / to (?<place>\p{Lu}.*)$/su.exec(said.value)?.groups?.place
  return to === undefined ? said : { ...said, value: to, meaning: negatedAs(meaningOf('moved to'), said.meaning) }
}

function negatedAs(meaning: PredicateClass, { isNegated, isHedged }: PredicateClass): PredicateClass {
  return isNegated || isHedged ? { ...meaning, isNegated, isHedged } : meaning
}

/** The value without what is said around it: `Acme anymore`, `her job at Acme`. */
function bare(said: Reading): Reading {
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
function inOrder(said: Reading): Reading {
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
function ofCopula(said: Reading, meaningOf: MeaningOf): Reading {
  const { subject, value, meaning } = said
  const attribute = ofAttribute(said, meaningOf)
  if (attribute !== undefined) return attribute
  const owning = /^the /i.test(value) && !PRONOUN.test(subject) ? attributeOf(value) : undefined
  if (owning !== undefined) {
    return { subject: owning.of, value: subject, meaning: negatedAs(meaningOf(owning.attribute), meaning) }
  }
  const plain = value.replace(AROUND, '')
  const state = value.length < STATE_UNITS ? stateOf(plain.toLowerCase(), subject) : undefined
  if (state === undefined) return ofQuantity(said, plain)
  const bareValue = state === 'age' ? value.replace(/ .*$/u, '') : value
  return { subject, value: bareValue, meaning: negatedAs(meaningOf(state), meaning) }
}

/** `Ann's boss is Tom`; undefined where no attribute of anything is told. */
function ofAttribute({ subject, value, meaning }: Reading, meaningOf: MeaningOf): Reading | undefined {
  const owned = attributeOf(subject)
  if (owned === undefined) return undefined
  const attribute = meaningOf(owned.attribute)
  if (!mayBeValue(value.replace(AROUND, ''), attribute.kind)) return undefined
  return { subject: owned.of, value, meaning: negatedAs(attribute, meaning) }
}

/** The rent that `is 950 euros now` is no longer 900 euros. */
function ofQuantity(said: Reading, plain: string): Reading {
  const unit = isOneThing(said.subject) ? countedIn(statedTime(plain, undefined)?.rest ?? plain) : undefined
  if (unit === undefined) return said
  return {
    ...said,
    value: plain,
    meaning: { ...said.meaning, key: `be_number ${unit}`.trim().replaceAll(' ', '_'), isSingle: true }
  }
}

/** `The deadline of the survey was moved to Friday`: it is Friday. */
function ofChange(said: Reading, meaningOf: MeaningOf): Reading {
  return ofAttribute(said, meaningOf) ?? ofQuantity(said, said.value.replace(AROUND, ''))
}

const CHANGED =
  /^(?:was_|been_|got_)?(?:changed|corrected|updated|set|reset|moved|pushed|brought_forward|extended|raised|lowered|increased|reduced|cut|switched|postponed|rescheduled)_to$/

const STATE_UNITS = 30

function stateOf(value: string, subject: string): string | undefined {
  if (/^\d{1,3} years? old$/.test(value)) return 'age'
  return STATE_WORDS.get(value) ?? (THING.test(subject) ? THING_STATES.get(value) : undefined)
}

/** Surely nobody's name: `the lift`, `ticket 12`. */
const THING = /^(?:[Tt]he|[Tt]his|[Tt]hat|[Oo]ur|[Mm]y|[Yy]our|[Ii]ts) |^\p{Ll}|\d/u

/** `Ann's phone number`, `the phone number of Ann`. */
function attributeOf(name: string): { attribute: string; of: string } | undefined {
  const match = OWNED.exec(name) ?? PART_OF.exec(name)
  const { attribute: named = '', of = '' } = match?.groups ?? {}
  const attribute = named.replace(/^(?:new|present) (?=\S)/i, '')
  const key = match === null ? undefined : attributeClass(attribute)
  return key === undefined ? undefined : { attribute: key, of }
}

const OWNED = /^(?<of>.{1,80})['’]s (?<attribute>.{1,30})$/u
const PART_OF = /^(?:the )?(?<attribute>.{1,30}?) of (?<of>.{1,80})$/iu
