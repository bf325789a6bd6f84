import type { FactRecord } from '../../contract/snapshot.ts'
import { splitWords } from '../language/split-words.ts'
import type { TextSource } from '../language/text-source.ts'
import type { Token } from '../language/token.ts'
import { FILLERS, REPORTS, SUBJECT_PRONOUNS, WHEN_WORDS } from './event-words.ts'

/**
 * The input of a statement: the tokens of a clause, the index of its verb among them, and the facts of the sentence.
 */
type Telling = {
  tokens: readonly Token[]
  verb: number | undefined
  /** Whether the first word only joins the clause to the one before. */
  isOpened: boolean
  facts: readonly FactRecord[]
  source: TextSource
}

/** In UTF-16 code units. Longer statements are cut at a space. */
const STATEMENT_UNITS_MAX = 300

type Told = { statement: string; span: [number, number] }

/**
 * Writes a clause as a statement in the text's own words, and returns the range of those words. `I` and `my` become the
 * speaker; another pronoun before the verb becomes the name that the facts give it. If the verb comes first, the
 * speaker is the subject. Returns undefined for fewer than two words.
 */
export function buildEventStatement(telling: Telling): Told | undefined {
  const { tokens } = telling
  let first = 0
  let last = findAlternative(tokens)
  while (first < last && isOpening(telling, first)) first++
  if (/^by the way,?$/i.test(joinWords(tokens, first, 3))) first += tokens[first + 3]?.lower === ',' ? 4 : 3
  while (first < last && isEnding(tokens, last - 1)) last--
  const [start, end] = [tokens[first]?.start, tokens[last - 1]?.end]
  if (start === undefined || end === undefined || last - first < 2) return undefined
  // The sentence began inside a version number.
  if (/\d\.$/.test(telling.source.text.slice(Math.max(0, start - 2), start))) return undefined
  const statement = shortenText(addDoer(telling, first, writeNames(telling, first, last)).replace(/\s+/g, ' '))
  return { statement, span: [start, end] }
}

/**
 * Recognises remarks about the conversation: `It was lovely chatting with you today`, `Talk to you tomorrow`, `How are
 * you today`.
 */
export function isCourtesy(statement: string): boolean {
  if (
    /\b(?:talk|speak|chat|write|text|see|catch up|let)(?: (?:to|with))? (?:you|ya|u|again|soon|later)\b/i.test(
      statement
    )
  )
    return true
  if (/\b(?:pleasure|nice|great|fun) (?:talking|chatting|speaking)\b|^we (?:talked|chatted|spoke)\b/i.test(statement))
    return true
  if (/\b(?:doing|am|['’]m) (?:\w+ )?(?:well|good|great|fine|ok|okay|alright) today$/i.test(statement)) return true
  if (/\bis (?:doing )?(?:\w+ )?(?:well|good|great|fine|ok|okay|alright) today$/i.test(statement)) return true
  if (/\bhow (?:are|is|was|were|have) (?:you|your|u|things)\b|\bmake the most of\b/i.test(statement)) return true
  return /^(?:it|this|that)(?:['’]s| is| was| has)\b.*\b(?:chatting|talking|speaking|hearing|seeing|meeting|catching)\b.*\byou\b|^it(?:['’]s| is| was| has) (?:been )?(?:\w+ ){0,2}(?:chatting|talking)\b/i.test(
    statement
  )
}

/** Recognises a mark or word at the end that belongs to the next clause: `we met**, and**`, `he rang to **say**`. */
function isEnding(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1]?.lower ?? '', tokens[at]]
  if (token?.tag === 'PUNCT') return !/[)\]"”%]/.test(token.text)
  if (/^(?:and|but|so|or|to|because)$/.test(token?.lower ?? '')) return true
  return REPORTS.has(token?.lower ?? '') && (before === 'and' || before === 'to')
}

/** Returns where an open alternative begins: "he read it on 9 May**, or to** rewrite it", or the number of tokens. */
function findAlternative(tokens: readonly Token[]): number {
  const at = tokens.findIndex(
    ({ lower }, i) => i > 1 && lower === ',' && /^or (?:to|whether|if) /.test(joinWords(tokens, i + 1, 3))
  )
  return at < 0 ? tokens.length : at
}

/**
 * Adds the speaker: "Got back late" becomes "Ada got back late", "Planning a trip" becomes "Ada is planning a trip".
 */
function addDoer({ tokens, verb, source }: Telling, first: number, words: string): string {
  if (verb !== first || source.speaker === undefined) return words
  const token = tokens[first]
  const third = token && toThirdPerson(token, tokens[first + 1])
  if (token !== undefined && third !== undefined) return `${source.speaker} ${third}${words.slice(token.text.length)}`
  const isGoingOn = token?.lower.endsWith('ing')
  return `${source.speaker} ${isGoingOn ? 'is ' : ''}${words.charAt(0).toLowerCase()}${words.slice(1)}`
}

function joinWords(tokens: readonly Token[], first: number, count: number): string {
  const words = tokens.slice(first, first + count)
  return words.map(({ lower }) => lower).join(' ')
}

function isOpening({ tokens, isOpened }: Telling, at: number): boolean {
  const token = tokens[at]
  if (token === undefined || /^(?:to|for)$/.test(tokens[at + 1]?.lower ?? '')) return false
  if (token.lower === 'that' && DAY_NOUNS.has(tokens[at + 1]?.lower ?? '')) return false
  if (FILLERS.has(token.lower) || token.tag === 'INTJ' || /^[^\p{L}\p{N}"“(]+$/u.test(token.text)) return true
  return isOpened && at < 2 && WHEN_WORDS.has(token.lower)
}

/** `That day` belongs to its clause, unlike `that` alone. */
const DAY_NOUNS: ReadonlySet<string> = new Set(['day', 'same', 'morning', 'afternoon', 'evening', 'night'])

/** Writes the words from `first` to before `last`, replaces pronouns by names where known, and adapts the verb. */
function writeNames({ tokens, verb, facts, source }: Telling, first: number, last: number): string {
  let text = ''
  let end = tokens[first]?.start ?? 0
  let isThird = false
  for (let at = first; at < last; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const isPart = source.text.charAt(token.end) === '-'
    const name =
      (isPart ? undefined : findSpeakerName(token.lower, source.speaker)) ??
      (at < (verb ?? 0) ? findFactName(token, facts) : undefined)
    const word = name ?? (isThird ? toThirdPerson(token, tokens[at + 1]) : undefined)
    const gap = source.text.slice(end, token.start)
    text += `${gap === '' && word !== undefined && name === undefined ? ' ' : gap}${word ?? token.text}`
    isThird = token.lower === 'i' ? name !== undefined : isThird && token.tag === 'ADV'
    end = token.end
  }
  return text
}

function findSpeakerName(lower: string, speaker: string | undefined): string | undefined {
  if (speaker === undefined) return undefined
  if (lower === 'i' || lower === 'me') return speaker
  return lower === 'my' || lower === 'mine' ? `${speaker}'s` : undefined
}

/**
 * Finds the name that a fact starting with this word gives it. `we` is not the speaker alone, and `it` often refers to
 * nothing.
 */
function findFactName({ lower, start }: Token, facts: readonly FactRecord[]): string | undefined {
  if (lower !== 'he' && lower !== 'she' && lower !== 'they') return undefined
  return facts.find(({ span, subject }) => span[0] === start && !isPronoun(subject))?.subject
}

function isPronoun(subject: string): boolean {
  return SUBJECT_PRONOUNS.has(subject.toLowerCase()) || /^(?:this|that|there)$/i.test(subject)
}

function shortenText(text: string): string {
  if (text.length <= STATEMENT_UNITS_MAX) return text
  const space = text.lastIndexOf(' ', STATEMENT_UNITS_MAX)
  const cut = space > STATEMENT_UNITS_MAX / 2 ? space : STATEMENT_UNITS_MAX
  return `${text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(cut - 1)) ? cut - 1 : cut)}…`
}

/**
 * Converts a verb from the form it has after `I` to the form it has after a name: `am` to `is`, `go` to `goes`. Returns
 * undefined if the word does not change. `next` is the word after it.
 */
function toThirdPerson({ lower, tag, lemma }: Token, next: Token | undefined): string | undefined {
  if (Object.hasOwn(THIRD, lower)) return THIRD[lower]
  if (tag !== 'VERB' || lower !== lemma || ALIKE.has(lower) || lower.endsWith('ed') || next?.tag === 'AUX')
    return undefined
  if (/(?:s|sh|ch|x|z|o)$/.test(lower)) return `${lower}es`
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`
}

const THIRD: Readonly<Record<string, string>> = {
  am: 'is',
  "'m": 'is',
  '’m': 'is',
  have: 'has',
  "'ve": 'has',
  '’ve': 'has',
  do: 'does',
  need: 'needs',
  "'ll": 'will',
  '’ll': 'will',
  go: 'goes'
}

/** Verbs with the same form in past and present, so that the word does not show its tense. */
const ALIKE: ReadonlySet<string> = new Set(
  splitWords(`
    put, read, cut, hit, let, set, shut, quit, cost, hurt, bet, split, spread, beat, found, felt,
    left, saw, lay, got, gotta
  `)
)
