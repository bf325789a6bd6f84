import type { Token } from '../language/token.ts'
import { classifyVerbForm, toVerbBase } from '../language/verb-forms.ts'
import { STATE_VERBS } from './is-imperative.ts'
import type { ProcedureRule } from './procedure-draft.ts'
import { ADVERBS, CONSUMING_VERBS, HABIT_ADVERBS, LIKING_VERBS, NOTS, PASSING_OBJECTS } from './procedure-words.ts'

/** A clause from its subject on; `to` is the token after its end. */
type PreferenceClause = { tokens: readonly Token[]; to: number; subject: PreferenceSubject }

type PreferenceRule = { rule: ProcedureRule; holds: (clause: PreferenceClause) => boolean }

/** Tried in this order; the first match names the preference. */
export const PREFERENCE_RULES: readonly PreferenceRule[] = [
  { rule: 'preference.of-another', holds: isOfAnother },
  { rule: 'preference.prefer', holds: isPreferring },
  { rule: 'preference.rather', holds: isWouldRather },
  { rule: 'preference.habit', holds: isHabit },
  { rule: 'preference.liking-of-the', holds: (clause) => isLiking(clause) && isOfThe(clause) },
  { rule: 'preference.liking', holds: isLiking },
  { rule: 'preference.aversion', holds: isAversion },
  { rule: 'preference.lasting', holds: isLasting }
]

/** "Ada **prefers** rebasing over merging", "my brother **never drinks** milk" */
function isOfAnother({ tokens, to, subject }: PreferenceClause): boolean {
  if (subject.person !== 'other') return false
  const { verb, adverbs } = findVerbAfter(tokens, subject.verb)
  const word = lowerAt(tokens, verb)
  const denied = ['does', "doesn't", 'doesnt'].includes(word) ? findDeniedVerb(tokens, verb) : undefined
  if (denied !== undefined) {
    const base = lowerAt(tokens, denied)
    return (
      (LIKING_VERBS.has(base) || CONSUMING_VERBS.has(base)) &&
      (isOwn(tokens, denied) || hasLastingObject(tokens, denied, to))
    )
  }
  if (!/^[a-z]+s$/.test(word) || classifyVerbForm(word) !== 'present') return false
  const base = toVerbBase(word)
  if (base === 'prefer' || LIKING_VERBS.has(base)) return isOwn(tokens, verb) || hasLastingObject(tokens, verb, to)
  return adverbs.some((adverb) => HABIT_ADVERBS.has(adverb)) && !STATE_VERBS.has(base) && verb + 1 < to
}

/** Recognises a possession of the person: "Ada loves **her** garden" is a lasting preference. */
function isOwn(tokens: readonly Token[], verb: number): boolean {
  return ['her', 'his', 'their'].includes(lowerAt(tokens, verb + 1)) && tokens[verb + 2]?.tag === 'NOUN'
}

/** "I **prefer** the window seat" */
function isPreferring({ tokens, to, subject }: PreferenceClause): boolean {
  const { verb } = findVerbAfter(tokens, subject.verb)
  return subject.person === 'speaker' && lowerAt(tokens, verb) === 'prefer' && hasLastingObject(tokens, verb, to)
}

/** "I'd **rather** walk than drive" */
function isWouldRather({ tokens, to, subject }: PreferenceClause): boolean {
  if (subject.person !== 'speaker' || !WOULD.has(lowerAt(tokens, subject.verb))) return false
  const at = subject.verb + 1
  const isRather = lowerAt(tokens, at) === 'rather' || lowerAt(tokens, at) === 'sooner'
  return isRather && at + 2 < to && !['be', 'have', 'you', 'not'].includes(lowerAt(tokens, at + 1))
}

const WOULD: ReadonlySet<string> = new Set(["'d", '’d', 'would'])

/** "I **never drink** milk", "I don't **eat** meat", "we **usually** take the train" */
function isHabit({ tokens, to, subject }: PreferenceClause): boolean {
  if (subject.person !== 'speaker') return false
  const denied = findDeniedVerb(tokens, subject.verb)
  if (denied !== undefined) return CONSUMING_VERBS.has(lowerAt(tokens, denied)) && hasLastingObject(tokens, denied, to)
  const { verb, adverbs } = findVerbAfter(tokens, subject.verb)
  const word = lowerAt(tokens, verb)
  if (subject.isPlural && adverbs.some((adverb) => adverb === 'never' || adverb === 'always')) return false
  if (!adverbs.some((adverb) => HABIT_ADVERBS.has(adverb)) || STATE_VERBS.has(word)) return false
  return tokens[verb]?.tag === 'VERB' && isBase(word) && verb + 1 < to && hasLastingObject(tokens, verb, to)
}

/** "I **love** hiking", "I really **hate** queues", "I'm **fond of** maps" */
function isLiking({ tokens, to, subject }: PreferenceClause): boolean {
  if (subject.person !== 'speaker') return false
  const { verb } = findVerbAfter(tokens, subject.verb)
  if (LIKING_VERBS.has(lowerAt(tokens, verb))) return hasLastingObject(tokens, verb, to)
  if (!AM.has(lowerAt(tokens, verb))) return false
  const { verb: after } = findVerbAfter(tokens, verb + 1)
  const at = NOTS.has(lowerAt(tokens, after)) ? findVerbAfter(tokens, after + 1).verb : after
  const next = lowerAt(tokens, at)
  if (next === 'fond' || (next === 'keen' && lowerAt(tokens, at + 1) === 'on'))
    return hasLastingObject(tokens, at + 1, to)
  const fan = [at + 1, at + 2, at + 3].find((place) => lowerAt(tokens, place) === 'fan')
  return next === 'a' && fan !== undefined && lowerAt(tokens, fan + 1) === 'of' && hasLastingObject(tokens, fan + 1, to)
}

/** `the` is ambiguous: "I love **the** sea" is general, or about one sea. */
function isOfThe({ tokens, subject }: PreferenceClause): boolean {
  const { verb } = findVerbAfter(tokens, subject.verb)
  return lowerAt(tokens, verb + 1) === 'the'
}

const AM: ReadonlySet<string> = new Set(["i'm", 'i’m', 'im', "'m", '’m', 'am', "'re", '’re', 'are'])

/** "I don't **like** olives", "I can't **stand** loud music" */
function isAversion({ tokens, to, subject }: PreferenceClause): boolean {
  if (subject.person !== 'speaker') return false
  const denied = findDeniedVerb(tokens, subject.verb)
  if (denied === undefined) return false
  const word = lowerAt(tokens, denied)
  const isCant = CAN.has(lowerAt(tokens, subject.verb))
  if (isCant) return (word === 'stand' || word === 'bear') && hasLastingObject(tokens, denied, to)
  if (word === 'care') return lowerAt(tokens, denied + 1) === 'for' && hasLastingObject(tokens, denied + 1, to)
  return LIKING_VERBS.has(word) && hasLastingObject(tokens, denied, to)
}

const CAN: ReadonlySet<string> = new Set(['ca', 'can', "can't", 'cant', 'cannot'])

/** "I've **always loved** jazz" */
function isLasting({ tokens, to, subject }: PreferenceClause): boolean {
  if (subject.person !== 'speaker' || !["'ve", '’ve', 'have'].includes(lowerAt(tokens, subject.verb))) return false
  const at = subject.verb + 1
  if (lowerAt(tokens, at) !== 'always' && lowerAt(tokens, at) !== 'never') return false
  const base = toVerbBase(lowerAt(tokens, at + 1))
  return (base === 'prefer' || LIKING_VERBS.has(base)) && hasLastingObject(tokens, at + 1, to)
}

/** Returns the verb after `don't`, `do not`, `can't`, skipping adverbs; undefined if nothing is negated. */
function findDeniedVerb(tokens: readonly Token[], at: number): number | undefined {
  const { verb: helper } = findVerbAfter(tokens, at)
  const word = lowerAt(tokens, helper)
  if (["don't", 'dont', "doesn't", 'doesnt', "can't", 'cant', 'cannot'].includes(word))
    return findVerbAfter(tokens, helper + 1).verb
  if (!['do', 'does', 'ca', 'can'].includes(word)) return undefined
  const isDenied = NOTS.has(lowerAt(tokens, helper + 1))
  return isDenied ? findVerbAfter(tokens, helper + 2).verb : undefined
}

function findVerbAfter(tokens: readonly Token[], from: number): { verb: number; adverbs: string[] } {
  const adverbs: string[] = []
  let verb = from
  for (; ADVERBS.has(lowerAt(tokens, verb)); verb++) adverbs.push(lowerAt(tokens, verb))
  return { verb, adverbs }
}

/** Checks whether the object is a thing or activity in general, not a particular one, the listener, or nothing. */
function hasLastingObject(tokens: readonly Token[], verb: number, to: number): boolean {
  const object = tokens[verb + 1]
  if (verb + 1 >= to || object === undefined || object.tag === 'PUNCT') return false
  if (PASSING_OBJECTS.has(object.lower) || POINTING.has(lowerAt(tokens, to - 1))) return false
  return object.lower !== 'to' || (verb + 2 < to && !PASSING_DEEDS.has(lowerAt(tokens, verb + 2)))
}

/** Verbs of remarks that state no preference: `I hate to say it`, `I love to hear that`. */
const PASSING_DEEDS: ReadonlySet<string> = new Set([
  'hear',
  'see',
  'think',
  'say',
  'admit',
  'ask',
  'bother',
  'be',
  'break',
  'know'
])

const POINTING: ReadonlySet<string> = new Set(['this', 'that', 'these', 'those'])

function isBase(lower: string): boolean {
  return classifyVerbForm(lower) === 'base' && /^[a-z]+$/.test(lower)
}

function lowerAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.lower ?? ''
}

/** The person whose preference a clause states. `verb` is the token after the subject. */
type PreferenceSubject = { person: 'speaker' | 'other'; isPlural: boolean; verb: number }

/** Finds the subject at the start of a clause: `I`, `we`, a name (`Ada Pell`), or a close person (`my sister`). */
export function findPreferenceSubject(
  tokens: readonly Token[],
  from: number,
  to: number
): PreferenceSubject | undefined {
  const first = tokens[from]
  if (first === undefined) return undefined
  if (first.lower === 'i' || first.lower === 'we')
    return { person: 'speaker', isPlural: first.lower === 'we', verb: from + 1 }
  if (I_AM.has(first.lower)) return { person: 'speaker', isPlural: false, verb: from }
  const verb = readNearSubject(tokens, from) ?? readNamedSubject(tokens, from)
  return verb === undefined || verb >= to ? undefined : { person: 'other', isPlural: false, verb }
}

/** The tagger returns these as one word. */
const I_AM: ReadonlySet<string> = new Set(["i'm", 'i’m', 'im'])

const NAME_TOKENS_MAX = 3

/** Reads `Ada Pell prefers …`: capitalised words that are tagged as names, or unknown to the tagger at the start. */
function readNamedSubject(tokens: readonly Token[], from: number): number | undefined {
  let at = from
  while (at - from < NAME_TOKENS_MAX && /^\p{Lu}\p{L}/u.test(tokens[at]?.text ?? '') && isName(tokens[at], at === from))
    at++
  const isWord = tokens[from]?.tag !== 'PROPN'
  return at > from && !(isWord && at > from + 1) ? at : undefined
}

function isName(token: Token | undefined, isFirst: boolean): boolean {
  if (DAYS.test(token?.lower ?? '')) return false
  return token?.tag === 'PROPN' || (isFirst && token?.tag === 'NOUN')
}

const DAYS =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|\w+ember|october)$/

/** Reads `my little sister prefers …`, `the team prefers …`. */
function readNearSubject(tokens: readonly Token[], from: number): number | undefined {
  const owner = tokens[from]?.lower
  if (owner !== 'my' && owner !== 'our' && owner !== 'the') return undefined
  const noun = tokens[from + 1]?.tag === 'ADJ' ? from + 2 : from + 1
  if (!PEOPLE.has(tokens[noun]?.lower ?? '')) return undefined
  return tokens[noun + 1]?.tag === 'PROPN' ? noun + 2 : noun + 1
}

const PEOPLE: ReadonlySet<string> = new Set(
  [
    'wife|husband|partner|girlfriend|boyfriend|mother|mum|mom|father|dad|sister|brother|son|daughter|kid|child|baby|grandma',
    'grandmother|grandpa|grandfather|aunt|uncle|cousin|niece|nephew|friend|boss|manager|colleague|neighbour|neighbor|roommate',
    'flatmate|teacher|coach|team|client|customer|dog|cat|family|fiancé|fiancée|spouse'
  ].flatMap((line) => line.split('|'))
)
