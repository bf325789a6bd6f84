import type { FactRecord } from '../../contract/snapshot.ts'
import { isPlainBase, type Talk } from './is-remark.ts'

/**
 * Recognises what is left of a statement that was not read whole: a value that ends in the middle, a subject that joins
 * two clauses, and clauses without a finite verb, most of which describe something else in talk.
 */
export function isBroken(fact: FactRecord, { speaker }: Talk): boolean {
  const { subject, value, rule } = fact
  if ((isCut(value) && !isStranded(value, speaker)) || isGlued(subject, speaker)) return true
  if (subject !== speaker && (LACKING.test(subject) || OWNER_ALONE.test(subject) || subject === `${speaker}'s`))
    return true
  if (subject !== speaker && (EXPRESSION.test(subject) || EQUATION.test(value))) return true
  if (isTorn(fact) || (rule === 'clause.relative' && isOfOther(fact))) return true
  if (rule === 'speaker.experience' && value.startsWith(`${speaker} `)) return true
  if (subject !== speaker && subject.includes(' ') && lacksEnding(fact)) return true
  if (rule === 'possessive.has') return !KIN.test(value)
  return rule === 'clause.participle' || rule === 'clause.adjunct' || subject === value || subject === `${value}'s name`
}

/** Recognises one thing with a plural verb: `a trip to Rome | enjoy`. */
function lacksEnding({ subject, predicate }: FactRecord): boolean {
  return isBaseForm(predicate) && (A_THING.test(subject) || (predicate !== 'is' && ONE_THING.test(subject)))
}

/** Recognises a base form with at most a preposition: `enjoy`, `look at`. */
function isBaseForm(predicate: string): boolean {
  const [verb = ''] = predicate.split(' ', 1)
  return isPlainBase(verb) && /^[a-z]+(?: (?:in|on|at|to|of|for|with|from))?$/.test(predicate)
}

/** Recognises a value that ends in the middle: `a shop near the`. */
function isCut(value: string): boolean {
  return CUT_WORDS.has(value.slice(value.lastIndexOf(' ') + 1).toLowerCase()) && CUT.test(value)
}

/** Recognises a subject that joins two clauses: `after the party Ida`, but not `my sister and Ida`. */
function isGlued(subject: string, speaker: string): boolean {
  if (subject === speaker || !subject.endsWith(` ${speaker}`)) return false
  return (
    subject.includes(',') ||
    !/\b(?:and|or|&|for|to|of|with|about|from|by|around|near|behind|like|than|beside|between|against)$/.test(
      subject.slice(0, -speaker.length - 1)
    )
  )
}

/** Recognises a relative clause of the speaker that ends in its preposition: `the programme Ida applied for`. */
function isStranded(value: string, speaker: string): boolean {
  const at = value.lastIndexOf(`${speaker} `)
  return at > 0 && /^(?:\S+ ){1,3}(?:for|to|with|in|at|on|from|about)$/.test(value.slice(at + speaker.length + 1))
}

/** Recognises a predicate or value that two clauses share. */
function isTorn(fact: FactRecord): boolean {
  const { subject, predicate, value, rule } = fact
  if (/^(?:does|did)(?:n't| not)(?: really)? mean$/.test(predicate)) return true
  if (predicate === 'be' || TORN.test(predicate) || /^so (?:do|is|are|was|were|ha[sd]|have|can|will)/.test(predicate))
    return true
  if (isHalfVerb(fact)) return true
  if (/^(?:did|does|do)$/.test(predicate) && /^(?:instead|rather|then|too|so|as|like|anyway)\b/.test(value)) return true
  if (rule === 'speaker.left-out' && COMMENTED.test(`${predicate} ${value}`)) return true
  if (rule === 'report.said' && /^\p{Ll}+$/u.test(subject)) return true
  if (THOUGHT.test(predicate) && value.split(' ').length < 3) return true
  if (/\bused$/.test(predicate) && /^to\b/.test(value)) return true
  return /^(?:is|was|are|were|['’]s)(?: |$)/.test(value) || THAT_ALONE.test(value) || ONLY_ADVERBS.test(value)
}

/** Recognises a verb that stands for another, has lost its object, or was not read. */
function isHalfVerb({ subject, predicate, value }: FactRecord): boolean {
  // "We didn't pay for the hall, but we **did for** the food", "cheese **has doesn't** agree with me"
  if (/^(?:did|does|do) (?:for|with|in|at|to)$|^(?:ha[sd]|is|was) (?:do|did|does)n['’]t/.test(predicate)) return true
  if (/^ca(?:n't|nnot)$/.test(predicate) && value === 'wait') return true
  if (/^(?:do|does|did)$/.test(predicate) && /^(?:think|know|believe|hope|feel|guess|say|mean)$/.test(value))
    return true
  return /^(?:uses to|dunnoes)\b/.test(predicate) || /\p{L}['’]t$/u.test(subject)
}

/** `a route, which I know is long` and `the church I am going | to this morning` say what something else is. */
function isOfOther({ predicate, value, negated }: FactRecord): boolean {
  if (negated === true || ANYONE.test(value)) return true
  if (/\b(?:knows?|knew|thinks?|thought|believes?|guess(?:es)?|heard|has to offer)$/.test(predicate)) return true
  return STRANDED.test(`${predicate.split(' ').at(-1)} ${value}`)
}

/** "I have no one **I can trust**" says nothing about one person. */
const ANYONE = /^(?:any|some|every|no)(?:one|body|thing)$/

/** `that` with a time or an adverb only: `will try | that next time`. */
const THAT_ALONE =
  /^that (?:in|to|for|with|at|on|from|next|last|more|until|before|after|right|again|soon|later|now|tomorrow|today|already)\b/

/** An activity that the rest of its sentence comments on: `is learning | the basics sets the stage`. */
const COMMENTED =
  /^is \p{L}+ing .*\b(?:sets|makes|helps|gives|adds|brings|keeps|takes|is|was|are|can|will|has|sounds|seems|allows|provides|offers)\b/u
const THOUGHT = /^(?:do(?:es)?n['’]t )?(?:thinks?|guess(?:es)?|believes?|supposes?)$/

/** A mood and another verb in one predicate: `is fine just going`. */
const TORN = /^(?:is|was) (?:fine|good|great|ok|okay|well) \p{L}/u

/** How and how much, but not what: `will research | more closely`. */
const ONLY_ADVERBS =
  /^(?:(?:more|most|less|very|so|too|as|really|pretty|quite) )*(?:effectively|properly|closely|quickly|efficiently|carefully|slowly|easily|correctly|directly|fully|completely|initially|recently|thoroughly|accordingly|deeply|clearly|better|more|lately|before|again|right away|at once|so far|anymore|though|too|also|yet|ever)$|^(?:as|so|too) (?:long|far|much|well|many)$/

/** One thing, which a plural verb cannot follow: `a trip`, `Great opportunity`. */
const A_THING = /^(?:an?|this|each|every)\s/i
const ONE_THING = /^(?!.*(?:\band\b|people|children|men|family|team|staff|police|parents)).* \p{Ll}*[^s\P{Ll}]$/u

/** The place to which a relative clause belongs is missing: `the church I am going | to this morning`. */
const STRANDED = /^(?:\S+ )?(?:to|at|in|from|for|with|of|on) (?:this|to|at|in|with|for|on|last|next|one|all)\b/

/** A noun whose infinitive is missing: `the chance` of "the chance to see gorillas". */
const LACKING = /^the (?:chance|opportunity|possibility|ability|idea|thought|fact|way)$/i

/** A part of a calculation: `P(A)`, `6C2`, `15, 6C2 = 15`. */
const EXPRESSION = /^\p{L}\(|^\d+\p{L}\d+$/u
const EQUATION = /[\p{L}\d)] ?= ?[\d(]/u

/** A subject whose noun is missing: `my aunt's`, but not the shop `Lowe's`. */
const OWNER_ALONE = /(?:^|\s)\p{Ll}+['’]s$/u

/** The last words of `CUT`. */
const CUT_WORDS = new Set(
  'it|until|than|because|while|of|to|for|with|from|in|on|at|by|a|an|the|and|or|someone|somebody|been'.split('|')
)
const CUT =
  /(?:^|\s)(?:and it|until|than|because|while|of|to|for|with|from|in|on|at|by|a|an|the|and|or|someone|somebody|been)$/i
const KIN =
  /\b(?:sister|brother|sibling|son|daughter|kids?|child|children|wife|husband|partner|girlfriend|boyfriend|fiancée?|aunt|uncle|cousin|niece|nephew|grand\p{L}+|dog|cat|pet)$/iu
