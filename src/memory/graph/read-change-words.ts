import type { FactRecord } from '../../contract/snapshot.ts'
import type { PredicateClass } from './predicate-class.ts'

/** Whether something else held before, and whether a fact that is marked as denied states something after all. */
type Change = { isChange: boolean; isAffirmed?: true }

/** A fact as its words state it. */
type Words = Pick<FactRecord, 'subject' | 'predicate' | 'value'>

/**
 * Removes the words of a fact that say only that something else held before, and reports whether there are any: `now`,
 * `again`, `4417, not 7714`, `Ann's new doctor`, `is not Ann but Lena`, `was moved to`.
 */
export function readChangeWords({ subject, predicate: said, value }: Words): Words & Change {
  if (value.length > VALUE_UNITS_MAX) return { subject, predicate: said, value, isChange: false }
  const moved = readMoved({ subject, predicate: said, value })
  if (moved !== undefined) return { ...moved, isChange: true }
  const swapped = NOT_BUT.exec(value)?.groups?.now
  if (swapped !== undefined && DENIED.test(said)) {
    return { subject, predicate: said.replace(DENIED, ''), value: swapped, isChange: true, isAffirmed: true }
  }
  const predicate = said.replace(NOW_SAID, '')
  const plain = value.replace(NOT_OTHER, '').replace(NOW, '')
  const isNew = COPULA.test(predicate) && NEW.test(subject)
  const isNow = (plain !== '' && plain !== value) || predicate !== said
  const isChange = isNew || isNow || /\bnow\b/i.test(predicate)
  const [, preposition = '', place = ''] = isNow ? (PLACED_VALUE.exec(plain) ?? []) : []
  if (place !== '' && /^(?:is|are|am)$/i.test(predicate))
    return { subject, predicate: `${predicate} ${preposition}`, value: place, isChange }
  const named = { subject: isNew ? subject.replace(NEW, '$<whose>') : subject, predicate, value: plain || value }
  return { ...(isChange ? orderRole(named) : named), isChange }
}

/** Longer values state more than one thing. In UTF-16 code units. */
const VALUE_UNITS_MAX = 80

/** `4417, not 7714`, `Lisbon instead of Oslo`. */
const NOT_OTHER = /(?:,| -| –| —) (?:and )?(?:not|no longer) .+$|,? (?:instead of|rather than) .+$/iu
const NOW = /^(?:now|actually|currently) |,? (?:now|again|instead|from now on|right now|these days)$/giu
/** `now lives in`, `is now` */
const NOW_SAID = /^now (?=\S)|(?<=^(?:is|are|am)) now$/iu
const PLACED_VALUE = /^(in|at|on|under|behind|near) (\S.*)$/iu
const NEW = /^(?<whose>the |my |our |your |his |her |its |their |.{1,60}['’]s )(?:new|current) (?=\p{L})/iu
const COPULA = /^(?:is|are|am|'s|'re)\b/i
const DENIED = /(?:n['’]t| not)\b/i
const NOT_BUT = /^.+? but (?:rather )?(?<now>\S.*)$/iu

/** Reads `Mr. Hale is Ann's landlord` as: Ann's landlord is Mr. Hale. */
function orderRole({ subject, predicate, value }: Words): Words {
  const isRole = /^(?:is|are)$/i.test(predicate) && /^\p{Lu}/u.test(subject) && ROLE.test(value)
  return isRole && !ROLE.test(subject) ? { subject: value, predicate, value: subject } : { subject, predicate, value }
}

const ROLE = /^(?:\p{Lu}[^\s]*(?: \p{Lu}[^\s]*)?['’]s|the|our|my) \p{Ll}[\p{L} -]{2,30}$/u

/** Reads `was moved to Tuesday`, and `moved the retro to Tuesday`, as being on Tuesday. */
function readMoved({ subject, predicate, value }: Words): Words | undefined {
  const whole = `${predicate} ${value}`
  const active = MOVED_IT.exec(whole)?.groups
  const { to = '' } = active ?? MOVED.exec(whole)?.groups ?? {}
  const place = to.replace(NOW, '')
  const kind = findTimeKind(place)
  if (to === '' || (kind === undefined && !PLACE.test(place))) return undefined
  const thing = active?.thing ?? subject
  return THING.test(thing)
    ? { subject: thing, predicate: kind === undefined ? 'is in' : kind === 'hour' ? 'is at' : 'is', value: place }
    : undefined
}

const MOVING =
  '(?:moved|pushed|postponed|rescheduled|delayed|shifted|deferred|relocated|put off|put back|put|brought forward|extended)'
const MOVED = new RegExp(
  `^(?:was|were|is|are|got|gets|has been|have been|had been) (?:now )?${MOVING}(?: (?:back|forward|out|again))? (?:to|until|till|for|into) (?<to>\\S.*)$`,
  'iu'
)
const MOVED_IT = new RegExp(
  `^(?:has |have |had |'ve )?${MOVING} (?<thing>(?:the|our|my|this|that) [^,]{2,40}?) (?:to|until|till|for|into) (?<to>\\S.*)$`,
  'iu'
)

/** Matches one definite thing, not a person with a name. */
const THING = /^(?:the|this|that|my|our|your|his|her|its|their) \S|^.{1,60}['’]s \S/iu

/** Words for where something is: a name, a number, or a thing with an article. */
const PLACE = /^(?:(?:the|a|an|my|our|his|her|their) \p{L}|room \S|\p{Lu}|\d)/u

/**
 * Returns the class of a statement about where or when one definite thing is, or which code it has: there is one answer
 * at a time. A day and a time of the day are two attributes. Returns undefined for any other statement.
 */
export function findSlot({
  subject,
  predicate,
  value
}: Words): { value: string; meaning: Pick<PredicateClass, 'key' | 'isSingle' | 'ofPlaces'> } | undefined {
  if (value.length > SLOT_UNITS_MAX) return undefined
  const place = PLACED.exec(predicate)?.groups
  const isThing = THING.test(subject)
  const isOne = isThing && SINGULAR.test(subject)
  const kind = findTimeKind(value)
  if (kind !== undefined) {
    return isOne && (place !== undefined || BEGINS.test(predicate)) ? toSlot(value, `be_${kind}`) : undefined
  }
  if (place?.where !== undefined && (isThing ? PLACE.test(value) : IN_PLACE.test(`${subject} ${predicate} ${value}`)))
    return toSlot(value, 'be_where', true)
  return isOne && place !== undefined && place.where === undefined && CODE.test(value)
    ? toSlot(value, 'be_code')
    : undefined
}

const SLOT_UNITS_MAX = 60
const SINGULAR = /(?:[^s]|ss)$/iu

function toSlot(value: string, key: string, ofPlaces = false) {
  return { value, meaning: { key, isSingle: true, ofPlaces } }
}

const PLACED =
  /^(?:is|are|am|'s|'re)(?: (?:now|currently|still|scheduled|planned|set))*(?: (?<where>in|at|on|under|behind|inside|near|beside|above|below|next to))?$/iu
const BEGINS = /^(?:leaves?|departs?|starts?|begins?|happens?|takes? place)(?: (?:at|on|in))?$/iu

/** A named person in a named place. */
const IN_PLACE =
  /^\p{Lu}[^\s]*(?: \p{Lu}[^\s]*)? (?:is|are|am|'s|'re) (?:now |currently )?in \p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}$/u

/** A single word with a digit: `heron42`, `B12`, `555-0101`. */
const CODE = /^(?=\S*\d)[\p{L}\p{N}][\p{L}\p{N}._:/#-]*$/u

/** Returns whether a value is a time of the day or a day; undefined for anything else. */
function findTimeKind(value: string): 'hour' | 'day' | undefined {
  if (HOUR.test(value)) return 'hour'
  return DAY.test(value) ? 'day' : undefined
}

const HOUR =
  /^(?:about |around )?(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?(?: o['’]clock| sharp)?|noon|midnight|half past \w+|quarter (?:to|past) \w+)$/iu
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)'
const DAY = new RegExp(
  `^(?:next |this |the )?(?:${WEEKDAY}(?:,? (?:the )?(?:${MONTH} )?\\d{1,2}(?:st|nd|rd|th)?)?` +
    `|(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \\d{4})?|${MONTH}(?: \\d{1,2}(?:st|nd|rd|th)?)?(?:,? \\d{4})?` +
    '|\\d{4}-\\d\\d(?:-\\d\\d)?|today|tomorrow|(?:next |this )(?:week|month|year|spring|summer|autumn|fall|winter))$',
  'iu'
)
