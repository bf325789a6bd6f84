import type { FactRecord } from '../../contract/snapshot.ts'
import type { Token } from '../language/token.ts'
import type { TextSource } from '../text-source.ts'
import { FILLERS, SUBJECT_PRONOUNS } from './event-words.ts'

/** The words of a clause to be told: its tokens, the number of its verb among them, and the facts of the text. */
export type Telling = {
  tokens: readonly Token[]
  verb: number | undefined
  facts: readonly FactRecord[]
  source: TextSource
}

/** Longer ones are cut at a blank, in UTF-16 code units. */
const STATEMENT_UNITS_MAX = 300

/** What a clause says in the text's own words, its subject by name where it is known, and the range of these words. */
export function eventStatement(
  telling: Telling
): { statement: string; span: [number, number]; hasName: boolean } | undefined {
  const { tokens, source } = telling
  let first = 0
  let last = tokens.length
  while (first < last && isFiller(tokens[first])) first++
  while (first < last && tokens[last - 1]?.tag === 'PUNCT' && !/[)\]"”%]/.test(tokens[last - 1]?.text ?? '')) last--
  const [start, end] = [tokens[first]?.start, tokens[last - 1]?.end]
  if (start === undefined || end === undefined || last - first < 2) return undefined
  const named = pronounName(telling, first)
  const text = named === undefined ? source.text.slice(start, end) : renamed(telling, { first, last, ...named })
  return { statement: shortened(text.replace(/\s+/g, ' ')), span: [start, end], hasName: named !== undefined }
}

function isFiller(token: Token | undefined): boolean {
  return (
    token !== undefined && (FILLERS.has(token.lower) || token.tag === 'INTJ' || /^[^\p{L}\p{N}"“(]+$/u.test(token.text))
  )
}

type Name = { at: number; name: string }

/** The pronoun before the verb that has a name: `I` is the speaker, others are whom the facts name. */
function pronounName({ tokens, verb, facts, source }: Telling, first: number): Name | undefined {
  if (verb === undefined) return undefined
  for (let at = first; at < verb; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.lower === 'i' && source.speaker !== undefined) return { at, name: source.speaker }
    if (token.lower === 'my' && source.speaker !== undefined) return { at, name: `${source.speaker}'s` }
    if (!SUBJECT_PRONOUNS.has(token.lower)) continue
    const name = facts.find(({ span, subject }) => span[0] === token.start && !isPronoun(subject))?.subject
    return name === undefined ? undefined : { at, name }
  }
  return undefined
}

function isPronoun(subject: string): boolean {
  return SUBJECT_PRONOUNS.has(subject.toLowerCase()) || /^(?:this|that|there)$/i.test(subject)
}

type Renaming = Name & { first: number; last: number }

/** The words with the name in place of the pronoun, and the verb after it in the third person. */
function renamed({ tokens, source, facts: _ }: Telling, { first, last, at, name }: Renaming): string {
  const word = tokens[at]
  const next = tokens[at + 1]
  if (word === undefined) return ''
  const before = source.text.slice(tokens[first]?.start, word.start)
  const end = tokens[last - 1]?.end
  if (next === undefined || at + 1 >= last) return `${before}${name}${source.text.slice(word.end, end)}`
  const third = word.lower === 'i' ? thirdPerson(next, tokens[at + 2]) : undefined
  if (third === undefined) return `${before}${name}${source.text.slice(word.end, end)}`
  return `${before}${name} ${third}${source.text.slice(next.end, end)}`
}

const THIRD: Readonly<Record<string, string>> = {
  ...{ am: 'is', "'m": 'is', '’m': 'is', m: 'is', have: 'has', "'ve": 'has', '’ve': 'has', do: 'does' },
  ...{ "'ll": 'will', '’ll': 'will', go: 'goes' }
}

/** `go` as `goes`: after a name English verbs of the present have an ending. Undefined where the word stays as it is. */
function thirdPerson({ lower, tag, lemma }: Token, next: Token | undefined): string | undefined {
  if (Object.hasOwn(THIRD, lower)) return THIRD[lower]
  if (tag !== 'VERB' || lower !== lemma || ALIKE.has(lower) || next?.tag === 'AUX') return undefined
  if (/(?:s|sh|ch|x|z|o)$/.test(lower)) return `${lower}es`
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`
}

/** The same in past and present: which of them it is the word does not say. */
const ALIKE: ReadonlySet<string> = new Set([
  ...[
    'put',
    'read',
    'cut',
    'hit',
    'let',
    'set',
    'shut',
    'quit',
    'cost',
    'hurt',
    'bet',
    'split',
    'spread',
    'beat',
    'found',
    'felt'
  ]
])

function shortened(text: string): string {
  if (text.length <= STATEMENT_UNITS_MAX) return text
  const space = text.lastIndexOf(' ', STATEMENT_UNITS_MAX)
  const cut = space > STATEMENT_UNITS_MAX / 2 ? space : STATEMENT_UNITS_MAX
  return `${text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(cut - 1)) ? cut - 1 : cut)}…`
}
