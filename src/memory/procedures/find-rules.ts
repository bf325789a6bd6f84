import type { Token } from '../language/token.ts'
import { classifyVerbForm, mayBeParticiple } from '../language/verb-forms.ts'
import { trimMarks } from './find-clause-end.ts'
import { findInstructedVerb, isImperative, STATE_VERBS } from './is-imperative.ts'
import { computeSpan, joinWords, type ProcedureDraft, type ProcedureRule } from './procedure-draft.ts'
import {
  ASKING_VERBS,
  COMFORTING_VERBS,
  CONDITION_WORDS,
  FRIENDLY_OBJECTS,
  NOTS,
  ONE_OFF_WORDS,
  TRAILING_CONDITIONS
} from './procedure-words.ts'
import type { Spoken } from './spoken.ts'
import { toThirdPerson } from './to-third-person.ts'

/**
 * Finds what a sentence says must be done always, never or under a condition. A statement about one day is not a rule.
 */
export function findRules(spoken: Spoken): ProcedureDraft[] {
  const { text, tokens, head, isAside, speaker } = spoken
  if (isAside || tokens.some(({ lower }) => ONE_OFF_WORDS.has(lower))) return []
  const from = findRuleStart(spoken)
  const to = trimMarks(tokens, from, tokens.length)
  if (to - from < 2 || to - from > RULE_TOKENS_MAX) return []
  const sentence = { tokens, head, from, to }
  const rule = RULES.find(({ holds }) => holds(sentence))?.rule
  if (rule === undefined) return []
  const isPractice = rule === 'rule.practice'
  const statement = isPractice
    ? toThirdPerson({ text, tokens, from, to, speaker })
    : joinWords(text, tokens, { from, to })
  return [{ rule, statement, ...computeSpan(tokens, { from, to }) }]
}

/** Longer sentences are explanations. */
const RULE_TOKENS_MAX = 40

/** Returns the start of the rule, which includes its `always` or `please` but not a preceding `and`, `well` or mark. */
function findRuleStart({ tokens, head }: Spoken): number {
  let at = head
  while (at > 0 && KEPT.has(tokens[at - 1]?.lower ?? '')) at--
  return at
}

const KEPT: ReadonlySet<string> = new Set(['please', 'generally', 'usually', 'normally', 'ideally', 'no'])

type RuleRule = { rule: ProcedureRule; holds: (sentence: RuleSentence) => boolean }

/** Tried in this order; the first match names the rule. */
const RULES: readonly RuleRule[] = [
  { rule: 'rule.policy', holds: isPolicy },
  { rule: 'rule.condition', holds: isConditional },
  { rule: 'rule.remember', holds: isReminder },
  { rule: 'rule.always', holds: (sentence) => isStandingRule(sentence, 'always') },
  { rule: 'rule.never', holds: (sentence) => isStandingRule(sentence, 'never') },
  { rule: 'rule.practice', holds: isGroupPractice },
  { rule: 'rule.forbidden', holds: isForbidden },
  { rule: 'rule.modal', holds: isModalRule },
  { rule: 'rule.do-not', holds: isProhibition },
  { rule: 'rule.trailing-condition', holds: hasTrailingCondition }
]

/** "**Always** lock the bike", "**Never** commit secrets"; not "never seen it", "always happy", "never mind". */
function isStandingRule({ tokens, head, to }: RuleSentence, word: 'always' | 'never'): boolean {
  if (lowerAt(tokens, head) !== word || head + 2 >= to) return false
  const verb = tokens[head + 1]
  return verb !== undefined && !STATE_VERBS.has(verb.lower) && isImperative(tokens, head + 1)
}

/** "**We never** deploy on Fridays": a practice of a group is its rule. */
function isGroupPractice({ tokens, head, to }: RuleSentence): boolean {
  const [subject, adverb, verb] = tokens.slice(head, head + 3)
  if (subject?.lower !== 'we' || (adverb?.lower !== 'never' && adverb?.lower !== 'always') || verb === undefined)
    return false
  return head + 3 < to && !STATE_VERBS.has(verb.lower) && verb.tag === 'VERB' && classifyVerbForm(verb.lower) === 'base'
}

/** "**When** the build is red, **don't** merge", "**If** a guest is allergic, tell the kitchen" */
function isConditional({ tokens, head, to }: RuleSentence): boolean {
  const isEvery = ['every', 'each'].includes(lowerAt(tokens, head)) && lowerAt(tokens, head + 1) === 'time'
  const isCase = lowerAt(tokens, head) === 'in' && lowerAt(tokens, head + 1) === 'case'
  if (!(CONDITION_WORDS.has(lowerAt(tokens, head)) || isEvery || isCase)) return false
  const comma = tokens.findIndex(({ text }, at) => at > head + 1 && text === ',')
  if (comma < 0 || comma >= to - 2) return false
  const main = ['then', 'please', 'always', 'just'].includes(lowerAt(tokens, comma + 1)) ? comma + 2 : comma + 1
  const obliged = lowerAt(tokens, main + 1)
  const isMust =
    (['you', 'everyone', 'everybody'].includes(lowerAt(tokens, main)) && OBLIGATIONS.has(obliged)) ||
    (lowerAt(tokens, main) === 'we' && ['always', 'never', 'must'].includes(obliged))
  return isMust || (isImperative(tokens, main) && !isFriendly(tokens, main) && !isRecommended(tokens, main))
}

/** Recognises advice to the reader: "If you like jazz, **try** the cellar", "**check out** …". */
function isRecommended(tokens: readonly Token[], main: number): boolean {
  const verb = lowerAt(tokens, main)
  return RECOMMENDING.has(verb) || (verb === 'check' && lowerAt(tokens, main + 1) === 'out')
}

const RECOMMENDING: ReadonlySet<string> = new Set([
  'try',
  'consider',
  'visit',
  'go',
  'give',
  'treat',
  'look',
  'imagine'
])

const OBLIGATIONS: ReadonlySet<string> = new Set(['must', 'should', 'shall', 'always', 'never', 'have', 'need'])

/** "**Do not** feed the geese **when** …", "**Don't** merge **on Fridays**": an instruction that holds in general. */
function isProhibition(sentence: RuleSentence): boolean {
  const { tokens, head, to } = sentence
  const verb = findInstructedVerb(tokens, head)
  if (verb === undefined || verb === head || lowerAt(tokens, head) === 'only' || verb + 1 >= to) return false
  if (STATE_VERBS.has(lowerAt(tokens, verb)) || !isImperative(tokens, head) || isFriendly(tokens, head)) return false
  return hasCondition(sentence, verb) || tokens.slice(verb, to).some(({ lower }) => ANY_TIME.has(lower))
}

const ANY_TIME: ReadonlySet<string> = new Set(
  [
    'mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|weekdays|ever|anyone|any|every|each|anybody',
    'directly|production|without|evenings|mornings|nights|holidays'
  ].flatMap((line) => line.split('|'))
)

/** "Run the tests **before you push**" */
function hasTrailingCondition(sentence: RuleSentence): boolean {
  const { tokens, head } = sentence
  if (!isImperative(tokens, head) || isFriendly(tokens, head)) return false
  const verb = findInstructedVerb(tokens, head) ?? head
  return !ASKING_VERBS.has(lowerAt(tokens, verb)) && hasCondition(sentence, verb)
}

/** Finds a condition after the verb and at least one more word, with text after it. */
function hasCondition({ tokens, to }: RuleSentence, verb: number): boolean {
  return tokens.some(({ lower }, at) => {
    if (lower === 'at' && lowerAt(tokens, at + 1) === 'all' && lowerAt(tokens, at + 2) === 'times') return true
    if (at < verb + 2 || at >= to - 1 || lowerAt(tokens, at - 1) === 'even') return false
    if (!TRAILING_CONDITIONS.has(lower))
      return (lower === 'every' || lower === 'each') && lowerAt(tokens, at + 1) === 'time'
    const next = tokens[at + 1]
    return (
      next !== undefined && next.tag !== 'PUNCT' && next.tag !== 'NUM' && !(lower === 'until' && next.tag === 'PROPN')
    )
  })
}

/** "**Remember to** water the ferns", "**make sure** the door is locked", "don't **forget to** …" */
function isReminder({ tokens, head, to }: RuleSentence): boolean {
  if (head + 3 >= to || !opensReminder(tokens, head)) return false
  return !tokens.slice(head, to).some(({ lower }) => FRIENDLY_OBJECTS.has(lower) || lower === 'yourself')
}

function opensReminder(tokens: readonly Token[], head: number): boolean {
  const [first, second] = [lowerAt(tokens, head), lowerAt(tokens, head + 1)]
  const [third, fourth] = [lowerAt(tokens, head + 2), lowerAt(tokens, head + 3)]
  if (first === 'remember' || first === 'ensure') return second === 'to' || (first === 'ensure' && second !== '')
  if (first === 'make' || first === 'be') return second === 'sure' && third !== 'of' && third !== 'you'
  const forgets = first === 'do' ? third === 'forget' && fourth === 'to' : second === 'forget' && third === 'to'
  return forgets && ['do', "don't", 'dont', 'never'].includes(first)
}

/** "Smoking **is not allowed** here", "it's **forbidden to** …", "**No** parking in the yard" */
function isForbidden({ tokens, head, from, to }: RuleSentence): boolean {
  const no = lowerAt(tokens, from) === 'no' ? from : head
  if (lowerAt(tokens, no) === 'no')
    return no + 1 < to && !NO_DOUBT.has(lowerAt(tokens, no + 1)) && /.ing$/.test(lowerAt(tokens, no + 1))
  const is = findWithin(tokens, IS, { from: head, to: head + REACH })
  if (
    is < 0 ||
    is === head ||
    tokens.slice(head, is).some(({ tag, lower }) => tag === 'VERB' && !lower.endsWith('ing'))
  )
    return false
  const isDenied = NOTS.has(lowerAt(tokens, is + 1))
  const word = lowerAt(tokens, isDenied ? is + 2 : is + 1)
  if (isPerson(tokens, is - 1)) return false
  return isDenied ? word === 'allowed' || word === 'permitted' : BANNED.has(word)
}

/**
 * Recognises a person as subject: "Ann is not allowed to …" is about her. `Smoking` or `Dogs` at the start are not
 * names.
 */
function isPerson(tokens: readonly Token[], at: number): boolean {
  const { lower = '', tag } = tokens[at] ?? {}
  return (
    ['i', 'he', 'she', 'we', 'they'].includes(lower) || (tag === 'PROPN' && !(at === 0 && /(?:s|ing)$/.test(lower)))
  )
}

const REACH = 12
const IS: ReadonlySet<string> = new Set(['is', 'are', "'s", 'isn', 'aren'])
const BANNED: ReadonlySet<string> = new Set([
  'forbidden',
  'prohibited',
  'mandatory',
  'compulsory',
  'obligatory',
  'verboten'
])
const NO_DOUBT: ReadonlySet<string> = new Set([
  'thing',
  'king',
  'wing',
  'ring',
  'string',
  'something',
  'anything',
  'being',
  'morning',
  'evening'
])

/** "**Our policy is** to …", "the house **rule is** that …" */
function isPolicy({ tokens, head, to }: RuleSentence): boolean {
  if (!['our', 'the', 'my', 'team', 'house'].includes(lowerAt(tokens, head))) return false
  const noun = findWithin(tokens, POLICIES, { from: head + 1, to: head + 5 })
  if (noun < 0) return false
  const after = lowerAt(tokens, noun + 1)
  return (
    after === 'is' && noun + 3 < to && ['to', 'that', 'no', 'never', 'always', ':'].includes(lowerAt(tokens, noun + 2))
  )
}

const POLICIES: ReadonlySet<string> = new Set(['policy', 'rule', 'convention', 'guideline', 'practice'])

/** Recognises a one-off request: "call **me** when …", "let **us** know if …". */
function isFriendly(tokens: readonly Token[], at: number): boolean {
  const verb = findInstructedVerb(tokens, at) ?? at
  const [, second, third] = tokens.slice(verb, verb + 3)
  if (['feel', 'let', 'come', 'join', 'text', 'stay', 'enjoy'].includes(lowerAt(tokens, verb)) && second?.tag !== 'DET')
    return true
  return FRIENDLY_OBJECTS.has(second?.lower ?? '') || FRIENDLY_OBJECTS.has(third?.lower ?? '')
}

/** Returns the first token of a range that is one of the words, or -1. */
function findWithin(
  tokens: readonly Token[],
  words: ReadonlySet<string>,
  { from, to }: { from: number; to: number }
): number {
  for (let at = from; at < to && at < tokens.length; at++) if (words.has(lowerAt(tokens, at))) return at
  return -1
}

function lowerAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.lower ?? ''
}

/**
 * "You **must not** share the key", "every change **should be reviewed**", "passwords **must** be rotated": obligations
 * for everyone. Excludes guesses (`you must be tired`), comfort (`you shouldn't worry`), regrets (`should have gone`)
 * and the obligations of one person (`Ann must call`).
 */
function isModalRule({ tokens, head, to }: RuleSentence): boolean {
  const modal = findWithin(tokens, MODALS, { from: head + 1, to: head + SUBJECT_TOKENS_MAX })
  if (modal < 0 || modal + 2 >= to) return false
  const subject = classifySubject(tokens, head, modal)
  if (subject === undefined || (subject === 'things' && lowerAt(tokens, modal) === 'may')) return false
  const isDenied = NOTS.has(lowerAt(tokens, modal + 1))
  const verb = isDenied || lowerAt(tokens, modal + 1) === 'always' ? modal + 2 : modal + 1
  const isFirm = isDenied || verb > modal + 1 || subject === 'all' || lowerAt(tokens, modal) !== 'should'
  return isFirm ? isDemanded(tokens, verb, subject) : isDone(tokens, verb) && subject === 'things'
}

const SUBJECT_TOKENS_MAX = 9
const MODALS: ReadonlySet<string> = new Set(['must', 'should', 'shall', 'mustn', 'shouldn', 'may'])

type SubjectKind = 'you' | 'all' | 'things'

/**
 * Classifies who is bound: `you`, everyone, or things of a kind. Returns undefined for one person or thing, or if a
 * verb comes first.
 */
function classifySubject(tokens: readonly Token[], head: number, modal: number): SubjectKind | undefined {
  const first = lowerAt(tokens, head)
  const subject = tokens.slice(head, modal)
  if (subject.some(({ tag, text, lower }) => tag === 'VERB' || text === ',' || lower === 'that')) return undefined
  if (ALL.has(first)) return 'all'
  if (modal === head + 1 && first === 'you') return 'you'
  const last = subject.at(-1)
  if (last === undefined || POINTERS.has(first) || NO_SUBJECT.has(subject[0]?.tag ?? 'X')) return undefined
  const isPlural = last.lower.endsWith('s') && (last.tag === 'NOUN' || last.tag === 'PROPN')
  if (isPlural) return 'things'
  return last.tag === 'NOUN' && subject.length <= 3 && isDone(tokens, skipNot(tokens, modal)) ? 'things' : undefined
}

function skipNot(tokens: readonly Token[], modal: number): number {
  return NOTS.has(lowerAt(tokens, modal + 1)) ? modal + 2 : modal + 1
}

/** Words that refer to something just mentioned or to a possession. */
const POINTERS: ReadonlySet<string> = new Set(
  'this|these|those|its|their|his|her|my|your|i|we|he|she|it|they|such|some'.split('|')
)
const NO_SUBJECT: ReadonlySet<string> = new Set(['ADV', 'ADP', 'SCONJ', 'VERB', 'AUX'])

const ALL: ReadonlySet<string> = new Set(
  'every|each|all|everyone|everybody|nobody|no|anyone|anybody|visitors|guests|users|employees|students|members'.split(
    '|'
  )
)

function isDemanded(tokens: readonly Token[], verb: number, subject: SubjectKind): boolean {
  const word = lowerAt(tokens, verb)
  if (word === 'have' && mayBeParticiple(lowerAt(tokens, verb + 1))) return false
  if (lowerAt(tokens, verb - 1) === 'may') return false
  if (subject === 'you') return !COMFORTING_VERBS.has(word)
  return word === 'be' ? isDone(tokens, verb) : tokens[verb]?.tag === 'VERB' || tokens[verb]?.tag === 'NOUN'
}

/** `be reviewed` */
function isDone(tokens: readonly Token[], verb: number): boolean {
  return lowerAt(tokens, verb) === 'be' && mayBeParticiple(lowerAt(tokens, verb + 1))
}

/** A sentence whose first significant word is token `head`; a rule in it begins at `from` and ends before `to`. */
type RuleSentence = { tokens: readonly Token[]; head: number; from: number; to: number }
