import type { Token } from '../language/token.ts'
import { mayBeParticiple } from '../language/verb-forms.ts'
import { COMFORTING_VERBS, NOTS } from './procedure-words.ts'
import type { RuleSentence } from './rule-sentence.ts'

/**
 * "You **must not** share the key", "every change **should be reviewed**", "passwords **must** be rotated": what holds for
 * everybody. Guesses (`you must be tired`), comfort (`you shouldn't worry`), regrets (`should have gone`) and what one
 * person has to do (`Ann must call`) are no rules.
 */
export function modalRule({ tokens, head, to }: RuleSentence): boolean {
  const modal = tokens.findIndex(({ lower }, at) => at > head && at < head + SUBJECT_TOKENS_MAX && MODALS.has(lower))
  if (modal < 0 || modal + 2 >= to) return false
  const subject = subjectKind(tokens, head, modal)
  if (subject === undefined || (subject === 'things' && lowerAt(tokens, modal) === 'may')) return false
  const isDenied = NOTS.has(lowerAt(tokens, modal + 1))
  const verb = isDenied || lowerAt(tokens, modal + 1) === 'always' ? modal + 2 : modal + 1
  const isFirm = isDenied || verb > modal + 1 || subject === 'all' || lowerAt(tokens, modal) !== 'should'
  return isFirm ? isDemanded(tokens, verb, subject) : isDone(tokens, verb) && subject === 'things'
}

const SUBJECT_TOKENS_MAX = 9
const MODALS: ReadonlySet<string> = new Set(['must', 'should', 'shall', 'mustn', 'shouldn', 'may'])

type SubjectKind = 'you' | 'all' | 'things'

/** Who is bound: `you`, everybody, or things of a kind; undefined for one person or thing, and where a verb comes before. */
function subjectKind(tokens: readonly Token[], head: number, modal: number): SubjectKind | undefined {
  const first = lowerAt(tokens, head)
  const subject = tokens.slice(head, modal)
  if (subject.some(({ tag, text, lower }) => tag === 'VERB' || text === ',' || lower === 'that')) return undefined
  if (ALL.has(first)) return 'all'
  if (modal === head + 1 && first === 'you') return 'you'
  const last = subject.at(-1)
  if (last === undefined || POINTERS.has(first) || NO_SUBJECT.has(subject[0]?.tag ?? 'X')) return undefined
  const isPlural = last.lower.endsWith('s') && (last.tag === 'NOUN' || last.tag === 'PROPN')
  if (isPlural) return 'things'
  return last.tag === 'NOUN' && subject.length <= 3 && isDone(tokens, afterNot(tokens, modal)) ? 'things' : undefined
}

function afterNot(tokens: readonly Token[], modal: number): number {
  return NOTS.has(lowerAt(tokens, modal + 1)) ? modal + 2 : modal + 1
}

/** They speak of what was just told, or of somebody's own. */
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

function lowerAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.lower ?? ''
}
