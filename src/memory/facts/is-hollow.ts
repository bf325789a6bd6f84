import type { FactRecord } from '../../contract/snapshot.ts'

/** The speaker of a sentence, and whether its subject contains a name. */
export type Talk = { speaker: string; isNamed: boolean }

/**
 * Recognises facts that tell nothing outside their conversation: a value that only points somewhere (`this`, `there`),
 * and in talk also facts about an unnamed person or the person addressed, moods and courtesies (`is doing well`),
 * opinions about what was just said, and general statements (`books are fun`).
 */
export function isHollow(fact: FactRecord, talk: Talk | undefined): boolean {
  const what = toPlain(fact.value).replace(/[.!,]+$/, '')
  if (POINTERS.has(what)) return true
  if (talk === undefined) return false
  const about = toPlain(fact.subject)
  if (UNNAMED.has(about) || SHOWN.test(about) || ADDRESSED.test(about) || isForAddressed(what)) return true
  if (isBroken(fact, talk) || isUnresolved(fact, what) || isOpinionOfTalk(fact, what)) return true
  const isOwn = fact.subject === talk.speaker
  if (MOODS.has(what) && (isOwn || !talk.isNamed)) return true
  if (isOwn && !NAMED.test(fact.value) && isAttitude(fact, what)) return true
  return MODAL.test(toPlain(fact.predicate)) || isGeneral(fact, talk)
}

/**
 * Recognises what is left of a statement that was not read whole: a value that ends in the middle, a subject that joins
 * two clauses, and clauses without a finite verb, most of which describe something else in talk.
 */
function isBroken({ subject, value, rule }: FactRecord, { speaker }: Talk): boolean {
  if (CUT.test(value) || (subject !== speaker && subject.endsWith(speaker) && subject.includes(','))) return true
  if (rule === 'possessive.has') return !KIN.test(value)
  return rule === 'clause.participle' || rule === 'clause.adjunct' || subject === value || subject === `${value}'s name`
}

const CUT = /(?:^|\s)(?:of|to|for|with|from|in|on|at|by|a|an|the|and|or|someone|somebody|been)$/i
const KIN =
  /\b(?:mother|mom|mum|father|dad|parents?|sister|brother|sibling|son|daughter|kids?|child|children|wife|husband|partner|girlfriend|boyfriend|fiancée?|aunt|uncle|cousin|niece|nephew|grand\p{L}+|friends?|boss|neighbou?r|dog|cat|pet|birthday)$/iu

/** Recognises values with a pronoun for something that the fact does not name: `not sure how to do it`. */
function isUnresolved({ value, rule }: FactRecord, what: string): boolean {
  if (rule?.startsWith('opinion.')) return false
  const pronoun = PRONOUN.exec(what)
  return pronoun !== null && (!NAMED.test(value) || what.slice(0, pronoun.index).split(' ').length <= NEAR_WORDS)
}

/** Not `a feeling that it will snow` or `this weekend`. */
const PRONOUN =
  /(?<![\w'])(?:it(?! (?:will|would|is|was|has)\b)|them|him|there|these|those|this(?! (?:week|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter|time|mon|tues|wednes|thurs|fri|satur|sun)))(?![\w-])/
const NEAR_WORDS = 3

/** Recognises opinions about what was just said. Those about an experience or a named thing are kept. */
function isOpinionOfTalk({ predicate, value, rule }: FactRecord, what: string): boolean {
  if (rule?.startsWith('opinion.') !== true) return false
  return SHOWN.test(what) || ADDRESSED.test(what) || !(NAMED.test(value) || predicate === 'found')
}

function toPlain(words: string): string {
  return words.toLowerCase().replaceAll('’', "'")
}

const listed = (text: string): ReadonlySet<string> => new Set(text.split('|'))

const UNNAMED = listed('he|she|they|you|him|her|them|someone|somebody|people')

const POINTERS = listed(
  'it|this|that|these|those|them|they|him|her|us|so|too|there|here|one|ones|something|anything|everything|nothing|stuff|things|now|then|not'
)

const MOODS = listed(
  [
    'well|good|fine|ok|okay|great|alright|all right|sure|right|true|fun|nice|cool|awesome|amazing|busy|back|done|ready|the same|same',
    'so much|a lot|a bit|much|more|today|pretty good|pretty well|so good|so well|great today|well today|excited|happy|glad|sorry'
  ].join('|')
)

/** Subjects that the speaker points at. `found it fun to see the lake` is an experience, `finds it important` a remark. */
const SHOWN = /^(?:this|that|these|those|there|here|his|her|their|its)\b/

const ADDRESSED = /(?<![\w'])(?:you|your|yours|yourself|u|ur|ya)(?![\w-])/

/** Recognises values that are little more than a word for the person addressed, and announcements: `you know how it went`. */
function isForAddressed(what: string): boolean {
  if (!ADDRESSED.test(what)) return false
  return what.split(' ').length < TELLING_WORDS || /^you know (?:how|when|if|what|whether|once|where)\b/.test(what)
}

/** A longer value says something besides. */
const TELLING_WORDS = 6

/** A predicate that consists of a verb of mood only. */
const MODAL = /^(?:will|would|can|could|might|may|should|must)$/

/** Recognises courtesies, guesses and opinions of the speaker. */
function isAttitude({ predicate, negated }: FactRecord, what: string): boolean {
  const said = toPlain(predicate)
  if (/^(?:sure|not sure)(?: |$)/.test(what)) return true
  if (negated === true && /\b(?:know|mind)$/.test(said)) return true
  return ATTITUDE.test(said)
}

const ATTITUDE =
  /^(?:(?:will|would|can|can't|could|do|does|did|just|really|also|still|definitely|totally) )*(?:guess(?:es|ed)?|hopes?|hoped|wish(?:es)?|bets?|agrees?|agree with|means?|meant|apologizes?|wonders?|thinks?|thought|feels? like|felt like|(?:is|was|am|been) wondering|wants? to know)$/

/**
 * Recognises a statement about no particular person or thing: its subject is a bare noun, an activity, or begins
 * with `a`, `each` or `most`, and its value names nothing either.
 */
function isGeneral({ subject, value }: FactRecord, { speaker, isNamed }: Talk): boolean {
  if (isNamed || subject.includes(speaker) || NAMED.test(value)) return false
  if (INDEFINITE.test(subject)) return true
  const [first = '', ...others] = subject.split(' ')
  if (OWNED.test(first)) return false
  return others.length === 0 || /[^s]s$/.test(others.at(-1) ?? '')
}

const INDEFINITE = /^(?:a|an|one|each|every|any|most|many|some|all|no|both|such|other|more|lots? of)\s/i
const OWNED = /^(?:the|my|his|her|our|their|its)$|['’]s?$/i

/** Matches a name or a number, but not `I`. */
const NAMED = /\p{Lu}(?!['’ ]|$)|\d/u
