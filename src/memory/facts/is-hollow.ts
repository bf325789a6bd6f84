import type { FactRecord } from '../../contract/snapshot.ts'
import { classifyVerbForm, mayBeParticiple } from '../language/verb-forms.ts'
import { EVALUATIONS } from './word-classes.ts'

const listed = (text: string): ReadonlySet<string> => new Set(text.split('|'))

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
  if (MOODS.has(what.replace(/,.*/, '')) && (isOwn || !talk.isNamed)) return true
  if (isOwn ? isAttitude(fact, what) : isRemark(fact, talk)) return true
  if (fact.value.endsWith(`${talk.speaker}'s`)) return true
  if (fact.rule === 'clause.relative' && !isOwn && !isDistinct(fact.subject, talk)) return true
  return (
    MODAL.test(toPlain(fact.predicate)) ||
    (MATERIAL.test(what) && fact.rule === 'speaker.shows') ||
    isGeneral(fact, talk)
  )
}

/**
 * Recognises what is left of a statement that was not read whole: a value that ends in the middle, a subject that joins
 * two clauses, and clauses without a finite verb, most of which describe something else in talk.
 */
function isBroken({ subject, predicate, value, rule }: FactRecord, { speaker }: Talk): boolean {
  if (CUT.test(value) || (subject !== speaker && subject.endsWith(speaker) && subject.includes(','))) return true
  if (rule === 'clause.relative' && STRANDED.test(`${predicate.split(' ').at(-1)} ${value}`)) return true
  if (/^that (?:in|to|for|with|at|on|from)\b/.test(value)) return true
  if (rule === 'speaker.experience' && value.startsWith(`${speaker} `)) return true
  const isOne = A_THING.test(subject) || (ONE_THING.test(subject) && predicate !== 'is')
  if (isOne && /^[a-z]+$/.test(predicate) && isPlainBase(predicate)) return true
  if (rule === 'possessive.has') return !KIN.test(value)
  return rule === 'clause.participle' || rule === 'clause.adjunct' || subject === value || subject === `${value}'s name`
}

/** One thing, which a plural verb cannot follow: `a trip`, `Great opportunity`. */
const A_THING = /^(?:an?|this|each|every)\s/i
const ONE_THING = /^(?!.*(?:\band\b|people|children|men|family|team|staff|police|parents)).* \p{Ll}*[^s\P{Ll}]$/u

/** A verb that cannot follow one thing: `a trip to Rome | enjoy`. */
function isPlainBase(verb: string): boolean {
  return classifyVerbForm(verb) === 'base' && !mayBeParticiple(verb) && !MODAL.test(verb)
}

/** The place to which a relative clause belongs is missing: `the church I am going | to this morning`. */
const STRANDED = /^(?:\S+ )?(?:to|at|in|from|for|with|of|on) (?:this|to|at|in|with|for|on|last|next|one|all)\b/

const CUT = /(?:^|\s)(?:and it|of|to|for|with|from|in|on|at|by|a|an|the|and|or|someone|somebody|been)$/i
const KIN =
  /\b(?:mother|mom|mum|father|dad|parents?|sister|brother|sibling|son|daughter|kids?|child|children|wife|husband|partner|girlfriend|boyfriend|fiancée?|aunt|uncle|cousin|niece|nephew|grand\p{L}+|dog|cat|pet)$/iu

/** Recognises values with a pronoun for something that the fact does not name: `not sure how to do it`. */
function isUnresolved({ value, rule }: FactRecord, what: string): boolean {
  if (rule?.startsWith('opinion.')) return false
  const pointer = POINTER_AT_NOUN.exec(what)
  if (pointer !== null && (countTelling(what) < TELLING_WORDS_MIN || MATERIAL.test(pointer[1] ?? ''))) return true
  const pronoun = PRONOUN.exec(what)
  return pronoun !== null && (!NAMED.test(value) || what.slice(0, pronoun.index).split(' ').length <= NEAR_WORDS)
}

/** Not `a feeling that it will snow`, `those who came` or `this weekend`. */
const PRONOUN =
  /(?<![\w'])(?:it(?! (?:will|would|is|was|has)\b)|them|him|there(?! (?:is|are|was|were)\b)|(?:these|those|this)(?! who\b| \p{L}{3})|this \p{L}*(?:[^s]s|ould|will|might|must|can|may|had))(?![\w-])/u
const NEAR_WORDS = 3

/** `this team`, but not `this weekend` or `these days`. */
const POINTER_AT_NOUN =
  /(?<![\w'])(?:these(?! days)|those(?! who)|this(?! (?:week|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter|time|mon|tues|wednes|thurs|fri|satur|sun))) (\p{L}{3,}(?: \p{L}+)?)/u

/** Counts the words that are neither function words nor pointers. */
function countTelling(what: string): number {
  return what.split(/[^\p{L}\p{N}'’-]+/u).filter((word) => word.length > 3 && !POINTING_WORDS.has(word)).length
}

const TELLING_WORDS_MIN = 4
const POINTING_WORDS = listed(
  'this|that|these|those|them|there|with|from|into|about|like|much|very|really|part|some|more|have|been'
)

/**
 * Recognises opinions about what was just said. Those about an experience (`found it fun to see the lake`) and about a
 * named thing are kept.
 */
function isOpinionOfTalk({ subject, predicate, value, rule }: FactRecord, what: string): boolean {
  if (rule?.startsWith('opinion.') !== true) return false
  if (SHOWN.test(what) || ADDRESSED.test(what) || SUGGESTION.test(what)) return true
  if (value.includes(subject))
    return /^it\b/.test(what) && !(EXPERIENCE.test(what) && (predicate === 'found' || OWN_EFFORT.test(value)))
  return !(predicate === 'found' && EXPERIENCE.test(what)) && !(NAMED.test(value.slice(1)) && !/^it\b/.test(what))
}

const EXPERIENCE = /\bto \p{L}{2}|^(?!\S+thing)\p{L}+ing\b/u
/** `finds it hard to keep Ida's bees`, but not `finds it a way to rest`, where `it` is something unnamed. */
const OWN_EFFORT = /^it (?!an? )(?:\S+ ){1,4}(?:to \p{Ll}|\p{Ll}+ing )/u
const SUGGESTION = /\b(?:choice|choices|idea|ideas|suggestions?|options?|question|questions|point|plan)$/

/**
 * Recognises a remark about something that is not the speaker's: agreement (`is indeed known for`), how it seems
 * (`sounds promising`), what it must be like, and praise (`the Grand Canyon is truly wonderful`).
 */
function isRemark({ subject, predicate, value, rule, modality }: FactRecord, { speaker }: Talk): boolean {
  if (subject.includes(speaker)) return false
  const said = toPlain(`${predicate} ${value}`)
  if (/\bindeed\b/.test(said)) return true
  if (/^(?:was|were)\b/.test(said) && /\d/.test(subject)) return false
  if (rule?.startsWith('copula.') !== true || value.includes(speaker) || /\bfavou?rites?$/.test(said)) return false
  if (rule === 'copula.seems' || modality === 'possible') return !/^(?:became|become|becomes|remain|stay)/.test(said)
  if (/^(?:is|are|can be) (?:\S+ )?\S+$/.test(said) && EVALUATIONS.has(said.split(' ').at(-1) ?? '')) return true
  const isSeveral = subject.includes(' ') || /(?:ing|s|ness|ment|tion|ity|ter)$/.test(subject)
  return (
    isSeveral &&
    said
      .split(' ')
      .slice(0, PRAISE_WORDS)
      .some((word) => EVALUATIONS.has(word.replace(/,$/, '')))
  )
}

/** An evaluation is among the first words: `is a truly beautiful place`. */
const PRAISE_WORDS = 6

/** Checks for a name or an owner, so that the thing can be recognised outside its text. */
function isDistinct(subject: string, { isNamed }: Talk): boolean {
  if (INDEFINITE.test(subject) || /^[^\p{L}]*\d/u.test(subject)) return false
  return isNamed || /['’]s?\b/.test(subject)
}

/** Material for the conversation, which is not a picture or a belonging. */
export const MATERIAL =
  /\b(?:code|examples?|tips?|list|version|forms?|ideas?|snippets?|steps?|overview|summary|schema|outline|excerpt|implementation|comparison|current|initial|error|template|configuration|query|queries|function|draft|point|questions?|recommendations?|suggestions?|ways?|plan|link)\b/

function toPlain(words: string): string {
  return words.toLowerCase().replaceAll('’', "'")
}

const UNNAMED = listed('he|she|they|you|him|her|them|someone|somebody|people')

const POINTERS = listed(
  'it|this|that|these|those|them|they|him|her|us|so|too|there|here|one|ones|both|either|all|each|neither|something|anything|everything|nothing|stuff|things|now|then|not|the best|the one|the only one|the first|the last'
)

const MOODS = listed(
  [
    'well|good|fine|ok|okay|great|alright|all right|sure|right|true|fun|nice|cool|awesome|amazing|busy|back|done|ready|the same|same',
    'younger|older|so much|a lot|a bit|much|more|today|pretty good|pretty well|so good|so well|great today|well today|excited|happy|glad|sorry|curious|hopeful'
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
const MODAL =
  /^(?:will|would|can|could|might|may|should|must)(?: (?:just|also|definitely|probably|still|even|always))*$/

/** Recognises courtesies, guesses and opinions of the speaker. */
function isAttitude({ subject, predicate, value, negated }: FactRecord, what: string): boolean {
  const said = toPlain(predicate)
  if (
    COURTESY.test(what) ||
    /^(?:always )?here to\b/.test(what) ||
    (/\b(?:appreciates?|gets?|gotcha)$/.test(said) && ABSTRACT.test(what))
  )
    return true
  if (/^(?:if|whether) (?:you|u)\b/.test(what) || PROMISE.test(`${said} ${what}`)) return true
  if (VAGUE_VALUE.test(what) || MUSING.test(`${said} ${what}`)) return true
  if (/(?:feels?|felt)$/.test(said) && /^like (?!an?\b|my\b)/.test(what)) return true
  if (isNaming(value, subject)) return false
  if (ADVICE.test(said)) return true
  if (/^(?:sure|not sure)(?: |$)/.test(what)) return true
  if (negated === true && (/\b(?:know|mind)$/.test(said) || UNTOLD.test(what))) return true
  return ATTITUDE.test(said)
}

/** `glad to hear you are well`, `sorry you had to wait`, `sure you will like it`. */
const COURTESY =
  /^(?:(?:so|very|really|just|also|always|pretty|super|truly|more|here) )*(?:glad|happy|sorry|sure|curious|certain|thankful|grateful|relieved|delighted|pleased|excited|looking forward|open|eager)\b(?:(?=.*(?<![\w'])(?:you|your|u)(?![\w-]))| to (?:hear|know|learn|see) (?:that|how|it|about)\b| (?:we|I|that|it|they)\b)/i

/** What is appreciated or understood in an answer: `appreciates the detailed breakdown`. */
const ABSTRACT =
  /^(?:the|all the|that|a) (?:\p{L}+ )*?(?:breakdown|importance|tips?|advice|help|suggestions?|thoughts?|support|offer|feedback|recommendations?|explanations?|clarification|feeling|point|appeal|idea|guidance|insights?|examples?|compliment|words|encouragement|reminder|luck|wishes|concern|chat)\b/u

/** Promises and remarks to the person addressed: `will keep that in mind`, `wants to make sure`, `can imagine`. */
const PROMISE =
  /^(?:(?:will|can|also|just|really|definitely|certainly|always|wants? to|is (?:planning|going|hoping) to|hopes? to) )*(?:keep (?:\S+ )?in mind|make (?:sure|the most of)|see (?:if|how|what|whether)|check (?:it|that|them) out|wishing you|imagine|relate|picture|tell|be \S+$|feel \S+$)(?: |$)/

/** Advice that names nothing. */
const ADVICE = /^would (?:\S+ )?(?:appreciate|recommend|suggest)\b/

/** Nothing follows the verb of thinking or speaking: `is wondering`, `was joking`. */
const MUSING =
  /^(?:is|was|am|been|has been|just|'m| )*(?:wondering|thinking|hoping|joking|kidding|asking|saying|guessing|wondering if|wondering whether)$/

/** What is denied names nothing: `doesn't know`, `can't say`. */
const UNTOLD = /^(?:know|say|tell|remember|think|see|wait|believe|complain|imagine|explain)(?: that)?$/

/** A noun that names nothing by itself: `is enjoying the experience`, `loves the idea`. */
const VAGUE_VALUE =
  /^(?:(?:the|a|an|some|every|all|more|such|lots of|a lot of|new|this|whole|many|other|these|great|good|amazing|big|\p{L}+ing) )+(?:experiences?|ideas?|ways?|things?|possibilit(?:y|ies)|challenges?|journey|process|moments?|time|adventures?|conversations?|opportunit(?:y|ies)|information|details|feelings?|difference|sense|ones?|rest|place|places|blast|fun|tips?|stuff|bit|part|results?|something|option|options|options)$/u

const ATTITUDE =
  /^(?:(?:will|would|can|can't|could|do|does|did|just|really|also|still|definitely|totally) )*(?:guess(?:es|ed)?|hopes?|hoped|wish(?:es)?|bets?|agrees?|agree with|means?|meant|apologizes?|wonders?|imagines?|thinks?|thought|feels? like|felt like|(?:is|was|am|been) wondering|wants? to know)$/

/**
 * Recognises a statement about no particular person or thing: its subject is a bare noun, an activity, or begins
 * with `a`, `each` or `most`, and its value names nothing either.
 */
function isGeneral({ subject, predicate, value, rule }: FactRecord, { speaker, isNamed }: Talk): boolean {
  if (subject.includes(speaker)) return false
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

/** Checks for a name or a number besides the speaker's own name. */
function isNaming(value: string, speaker: string): boolean {
  return NAMED.test(value.replaceAll(speaker, ''))
}

/** Matches a name or a number, but not `I`. */
const NAMED = /\p{Lu}(?!['’ ]|$)|\d/u
