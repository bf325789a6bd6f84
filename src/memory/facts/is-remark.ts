import type { FactRecord } from '../../contract/snapshot.ts'
import { EVALUATIONS } from '../clauses/word-classes.ts'
import { classifyVerbForm, mayBeParticiple } from '../language/verb-forms.ts'

/** The speaker of a sentence, and whether its subject contains a name, and a noun or pronoun at all. */
export type Talk = { speaker: string; isNamed: boolean; isNoun: boolean }

/** A fact with its predicate and value in lower case. */
type Told = { fact: FactRecord; said: string; talk: Talk }

/**
 * Recognises facts of talk that tell nothing about a person or a thing of the speaker: remarks, praise, common
 * knowledge, statements about no particular thing, and what is left of a sentence that was not read as a whole.
 */
export function isRemark(fact: FactRecord, talk: Talk): boolean {
  const told = { fact, said: `${fact.predicate} ${fact.value}`.toLowerCase().replaceAll('’', "'"), talk }
  const isBelief = fact.rule === 'belief.holds'
  if (isMisread(fact, talk) || (!isBelief && COMMONPLACE.test(told.said))) return true
  if (fact.subject.includes(talk.speaker)) return false
  return isPraise(told) || isCommonKnowledge(told) || isGeneral(fact, talk) || isUndistinct(fact, talk)
}

/** A statement about the world rather than about one thing: `has a unique way of making time stand still`. */
const COMMONPLACE =
  /\b(?:has|have|does have|do have|had)(?: \S+)? (?:an? |this |such an? |its |their |so much |the )(?:\S+ )?(?:way of|ability to|power to|charm|to offer|potential)\b|^(?:is|are|was|were) beyond words\b/

/** Recognises a subject without a noun, and a singular one with a plural verb: `Heat | pan with`. */
function isMisread({ subject, predicate }: FactRecord, { speaker, isNoun }: Talk): boolean {
  if (subject === speaker) return false
  if (PLURAL.test(subject) && /^(?:is|was|has|isn't|wasn't|does)(?: |$)/.test(predicate)) return true
  if (!isNoun || /^(?:what|how|why|whatever|if)\s/i.test(subject) || /^\p{L}$/u.test(subject)) return true
  const [first = ''] = predicate.split(' ')
  if (ADVERB.test(first)) return false
  return /^\p{Lu}\p{Ll}*[^s\P{Ll}]$/u.test(subject) && !PLURALS.test(subject) && isPlainBase(first)
}

/** A plural that a singular verb cannot follow, such as what is left of "seeing its **natural wonders** is a dream". */
const PLURAL = /(?:^|\s)(?!news$|series$|species$|means$)\p{Ll}+(?<![uis]|ic)s$/u

const ADVERB =
  /ly$|^(?:also|now|just|both|still|always|never|already|even|then|often|soon|almost|only|too|so|all|not|no|first|later|once)$/

/** Words without an `s` that take a plural verb. */
const PLURALS = /^(?:people|children|men|women|police|kids|staff|both|most|many|some|all|few)$/i

/** A verb that cannot follow one thing: `a trip to Rome | enjoy`. */
export function isPlainBase(verb: string): boolean {
  return classifyVerbForm(verb) === 'base' && !mayBeParticiple(verb) && !MODAL.test(verb)
}

const MODAL = /^(?:will|would|can|could|might|may|should|must|is|was|has|had|does|did)$/

/**
 * Recognises a remark about something that is not the speaker's: agreement (`is indeed known for`), how it seems
 * (`sounds promising`), what it must be like, and praise (`the Grand Canyon is truly wonderful`).
 */
function isPraise({ fact, said, talk }: Told): boolean {
  const { subject, value, rule, modality } = fact
  if (/\bindeed\b/.test(said)) return true
  if (/^(?:was|were)\b/.test(said) && /\d/.test(subject)) return false
  if (value.includes(talk.speaker) || /\bfavou?rites?$/.test(said)) return false
  const words = said.split(' ').slice(0, PRAISE_WORDS)
  if (PRESENT.test(said) && words.some((word) => PRAISE.test(word) || EVALUATIONS.has(word.replace(/,$/, ''))))
    return true
  if (rule?.startsWith('copula.') !== true) return false
  if (rule === 'copula.seems' || modality === 'possible') return !/^(?:became|become|becomes|remain|stay)/.test(said)
  const isSeveral = subject.includes(' ') || /(?:ing|s|ness|ment|tion|ity|ter)$/.test(subject)
  return isSeveral && words.some((word) => EVALUATIONS.has(word.replace(/,$/, '')))
}

/** An evaluation is among the first words: `is a truly beautiful place`. */
const PRAISE_WORDS = 7

/** Verbs of descriptions: `has`, `offers`, `brings`. */
const PRESENT =
  /^(?:(?:truly|really|also|always|usually|often|definitely|certainly|probably|just|only) )*(?:is|are|'s|has|have|does|do|did have|can|could|may|might|must|will|would|offers?|adds?|brings?|makes?|gives?|provides?|creates?|helps?|lets?|tends?|serves?|features?|remains?)\b/

/** Words of praise beside those that make an opinion. */
const PRAISE =
  /^(?:icon\w+|awe\S*|renowned|versatile|prestigious|captivat\w+|enchant\w+|entic\w+|allur\w+|engag\w+|impress\w+|remarkab\w+|stimulat\w+|delight\w*|exception\w*|divers\w+|endless|unmatched|timeless|classic|masterclass|masterpiece|must|must-\S+|popular|talented|legendary|electric|outstanding|superb|phenomenal|quirky|whimsical|festive|atmospher\w+|depth|overrated|filling|popul\w+|rich|magic)[,.]?$/

/** Recognises common knowledge of a thing: what it is known for, what it offers, what it can be. */
function isCommonKnowledge({ fact, said, talk }: Told): boolean {
  const { subject, predicate, value } = fact
  if (value.includes(talk.speaker) || /(?:['’]s\b|['’] )/.test(subject)) return false
  if (KNOWN.test(said)) return true
  const isName = talk.isNamed && !subject.includes(' ')
  if (NUMBER.test(value)) return false
  if (/^(?:can|may|might|could) (?:\w+ )?be\b/.test(said)) return true
  if (!isName && /^(?:can|may|might|could|must|will|would)\b/.test(predicate)) return true
  return /^the \p{Ll}+(?: \p{Ll}+)?$/iu.test(subject) && TELLING.test(predicate)
}

const KNOWN =
  /^(?:(?:truly|really|also|always|often|usually|definitely) )*(?:is|are|was|were) (?:\S+ )?(?:known|famous|filled|surrounded|meant|considered|renowned|all about)\b|^(?:really |certainly |definitely )?(?:offers?|revolves? around|comes? with|adds? to|is one of those)\b/
const NUMBER = /\d/

/** Verbs of what an unnamed thing contains or does: `The series | follows`, `The error message | says`. */
const TELLING =
  /^(?:\w+ly )?(?:has|have|says?|follows?|offers?|includes?|features?|tells?|shows?|brings?|adds?|makes?|keeps?|gives?|contains?|works?|fails?)\b/

/** Recognises a relative clause about something without a name or an owner, so that nothing tells which it is. */
function isUndistinct({ subject, rule }: FactRecord, { isNamed }: Talk): boolean {
  if (rule !== 'clause.relative') return false
  if (INDEFINITE.test(subject) || /^[^\p{L}]*\d/u.test(subject)) return true
  return !isNamed && !/['’]s?\b/.test(subject)
}

/**
 * Recognises a statement about no particular person or thing: its subject is a bare noun, an activity, or begins
 * with `a`, `each` or `most`, and its value names nothing either.
 */
function isGeneral({ subject, predicate, value, rule }: FactRecord, { speaker, isNamed }: Talk): boolean {
  if (ACTIVITY.test(subject) && !value.includes(speaker)) return true
  const isUnowned = !/['’]s?\b/.test(subject)
  if (INDEFINITE.test(subject) && !NAMED.test(subject.slice(1)) && !value.includes(speaker)) return true
  if (isUnowned && /^(?:can|may|might|could)\b/.test(predicate) && /^(?:\p{L}+s|.* .*)$/u.test(subject)) return true
  if (isNamed || NAMED.test(subject.slice(1)) || NAMED.test(value)) return false
  if (isUnowned && /^the\b/i.test(subject) && !CHANGED.test(predicate))
    return rule !== 'copula.is' || subject.startsWith('The')
  const [first = '', ...others] = subject.split(' ')
  if (OWNED.test(first)) return false
  return others.length === 0 || /[^s]s$/.test(others.at(-1) ?? '')
}

/** An unnamed plan or thing that changed: `the party was cancelled`. */
const CHANGED =
  /\b(?:cancel|postpone|reschedule|delay|move|change|close|end|extend|sell|sold|call(?:ed)? off)(?:l?e?d)?\b/

/** An activity as a subject: `Flying over the lake`, `Yoga outdoors`. */
const ACTIVITY =
  /^(?!thing|king|ring|spring|string|wing|ceiling|wedding|meeting|building|evening|morning)\p{L}{2,}ing\b/iu
const INDEFINITE = /^(?:a|an|one|each|every|any|most|many|some|all|no|both|such|other|more|lots? of)\s/i
const OWNED = /^(?:the|my|his|her|our|their|its)$|['’]s?$/i

/** Matches a name or a number, but not `I`. */
export const NAMED = /\p{Lu}(?!['’ ]|$)|\d/u
