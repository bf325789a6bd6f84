import type { FactRecord } from '../../contract/snapshot.ts'
import { repairTags } from '../language/repair-tags.ts'
import type { Sentence, Token } from '../language/token.ts'
import { toPastTense, toVerbBase } from '../language/verb-forms.ts'
import { addThirdPersonEnding } from './naming.ts'

/** What one person says in a transcript, without a pause. */
type Spoken = { speaker: string | undefined; sentences: readonly Sentence[] }

/**
 * Joins an answer without a verb to the question before it: "Where did you move?", "Porto, last month." gives (Bob,
 * moved to, Porto, last month). Returns undefined if the turns are not such a pair. The span is that of the answer.
 */
export function joinAnswer(asked: Spoken, answered: Spoken): FactRecord | undefined {
  const question = asked.sentences.at(-1)
  const answer = answered.sentences[0]
  if (question === undefined || answer === undefined || asked.speaker === answered.speaker) return undefined
  if (asked.speaker === undefined || answered.speaker === undefined) return undefined
  const words = readAnswer(answer)
  const form = words === undefined ? undefined : readQuestion(question)
  if (words === undefined || form === undefined) return undefined
  const people = { asker: asked.speaker, answerer: answered.speaker }
  const rest = form.rest.map((token) => nameInQuestion(token, people)).join(' ')
  return {
    subject: form.owned === '' ? people.answerer : `${people.answerer}'s ${form.owned}`,
    ...combine(form, { rest, words, write: (tokens) => writeAnswer(tokens, people) }),
    rule: 'answer.joined',
    question: [question.start, question.end],
    span: [(words[0] as Token).start, (words.at(-1) as Token).end],
    confidence: CONFIDENCE
  }
}

/** An estimate: no data set has logs in which to read such facts. */
const CONFIDENCE = 0.85

type People = { asker: string; answerer: string }

/** `owned` is what belongs to the person addressed: `dog's name` of "What is your dog's name?". */
type Question = { asks: string; predicate: string; base: string; rest: Token[]; owned: string }

/** Returns the words of an answer without a verb, or undefined: interjections, marks and "no idea" tell nothing. */
function readAnswer(sentence: Sentence): Token[] | undefined {
  const { tokens } = sentence
  const tags = repairTags(sentence)
  let from = 0
  while (tags[from] === 'INTJ' || tags[from] === 'PUNCT' || FILLERS.has(tokens[from]?.lower ?? '')) from++
  let to = tokens.length
  while (to > from && tags[to - 1] === 'PUNCT') to--
  const kept = tags.slice(from, to)
  if (to - from > ANSWER_TOKENS_MAX || kept.some((tag) => tag === 'VERB' || tag === 'AUX')) return undefined
  if (tokens.some(({ lower }) => lower === '?') || DENIALS.has(tokens[from]?.lower ?? '')) return undefined
  return kept.some((tag) => tag === 'NOUN' || tag === 'PROPN' || tag === 'NUM') ? tokens.slice(from, to) : undefined
}

const ANSWER_TOKENS_MAX = 14
const FILLERS = new Set(['well', 'oh', 'um', 'hmm', 'just', 'probably', 'actually', 'so'])
const DENIALS = new Set(['no', 'not', 'none', 'nothing', 'nowhere', 'nobody', 'never', 'yes', 'yeah', 'same', 'why'])

/** Reads "where did you move", "what is your job", "when are you leaving". */
function readQuestion(sentence: Sentence): Question | undefined {
  const { tokens } = sentence
  if (tokens.at(-1)?.lower !== '?' || tokens.length > QUESTION_TOKENS_MAX) return undefined
  const tags = repairTags(sentence)
  const at = tokens.findIndex(({ lower }) => ASKING.has(lower))
  const helper = tokens.findIndex(({ lower }, i) => i > at && HELPERS.has(lower))
  if (at < 0 || at > OPENING_TOKENS_MAX || helper < 0 || helper - at > NOUN_TOKENS_MAX) return undefined
  const asks = tokens[at]?.lower ?? ''
  const inner = tokens.slice(helper + 1, -1)
  const aux = tokens[helper]?.lower ?? ''
  if (inner[0]?.lower === 'your') return readOwned(inner.slice(1), { asks, aux })
  if (inner[0]?.lower !== 'you') return undefined
  let verb = 1
  while (tags[helper + 1 + verb] === 'ADV') verb++
  const main = inner[verb]
  if (main === undefined) return undefined
  const predicate = conjugate(aux, main)
  if (predicate === undefined) return undefined
  return {
    asks,
    predicate,
    base: toVerbBase(main.lower),
    rest: inner.slice(verb + 1).filter(({ lower }) => !NOW.has(lower)),
    owned: ''
  }
}

const QUESTION_TOKENS_MAX = 16
const OPENING_TOKENS_MAX = 4
const NOUN_TOKENS_MAX = 3
const NOW = new Set(['now', 'lately', 'recently', 'currently', 'then'])
const ASKING = new Set(['where', 'what', 'who', 'when', 'which'])
const HELPERS = new Set(['did', 'do', 'are', 'were', 'have', 'will', "'s", 'is', 'was'])

function readOwned(words: readonly Token[], { asks, aux }: { asks: string; aux: string }): Question | undefined {
  const owned = words.map(({ text }, i) => (spaced(words, i) ? ' ' : '') + text).join('')
  const isOne = aux === "'s" || aux === 'is' || aux === 'are'
  if (owned === '' || (!isOne && aux !== 'was' && aux !== 'were')) return undefined
  return { asks, predicate: aux === "'s" ? 'is' : aux, base: 'be', rest: [], owned }
}

/** Returns the verb of a question as a statement has it: "did you **move**" becomes `moved`. */
function conjugate(aux: string, { lower }: Token): string | undefined {
  if (aux === 'did') return toPastTense(lower)
  if (aux === 'do') return addThirdPersonEnding(lower)
  if (aux === 'will') return `will ${lower}`
  if (aux === 'have') return `has ${lower}`
  if (!lower.endsWith('ing')) return undefined
  return `${aux === 'are' ? 'is' : 'was'} ${lower}`
}

type Parts = { rest: string; words: readonly Token[]; write: (tokens: readonly Token[]) => string }

/** Puts the answer where the question asks: after the verb for `what`, with a preposition for `where`, last for `when`. */
function combine({ asks, predicate, base, rest }: Question, parts: Parts): Pick<FactRecord, 'predicate' | 'value'> {
  const value = parts.write(parts.words)
  if (asks === 'when') return { predicate, value: join(parts.rest, value) }
  if (asks === 'where' && base !== 'be') {
    const [first, ...others] = parts.words
    const isPlaced = first?.tag === 'ADP' && others.length > 0
    const place = isPlaced ? first.lower : MOVES.has(base) ? 'to' : 'in'
    const where = isPlaced ? parts.write(others) : value
    return parts.rest === ''
      ? { predicate: `${predicate} ${place}`, value: where }
      : { predicate, value: join(parts.rest, place, where) }
  }
  const isStranded = rest.length === 1 && rest[0]?.tag === 'ADP'
  return isStranded ? { predicate: `${predicate} ${parts.rest}`, value } : { predicate, value: join(value, parts.rest) }
}

const MOVES = new Set(['move', 'go', 'travel', 'fly', 'drive', 'walk', 'head', 'return', 'relocate', 'run'])

function join(...texts: string[]): string {
  return texts.filter((text) => text !== '').join(' ')
}

function spaced(words: readonly Token[], at: number): boolean {
  return at > 0 && (words[at - 1]?.end ?? 0) < (words[at]?.start ?? 0)
}

/** Writes the words of an answer, the first one in lower case unless it is a name. */
function writeAnswer(tokens: readonly Token[], { answerer }: People): string {
  return tokens
    .map(({ lower, text, tag }, i) => {
      const gap = spaced(tokens, i) ? ' ' : ''
      if (lower === 'my' || lower === 'our') return `${gap}${answerer}'s`
      if (lower === 'me') return gap + answerer
      const isOpening = i === 0 && tag !== 'PROPN' && /^\p{Lu}\p{Ll}*$/u.test(text)
      return gap + (isOpening ? lower : text)
    })
    .join('')
}

function nameInQuestion({ lower, text }: Token, { asker, answerer }: People): string {
  if (lower === 'your') return `${answerer}'s`
  if (lower === 'my' || lower === 'our') return `${asker}'s`
  return lower === 'me' ? asker : text
}
