import type { TextSource } from '../text-source.ts'
import type { Parse } from './clause.ts'
import type { Words } from './draft.ts'

/** The part of a fact that words are for. */
type Role = 'subject' | 'predicate' | 'value'

/** How the words of a sentence are written down in a fact. */
export type Naming = {
  source: TextSource
  parse: Parse
  /** What a pronoun stands for. */
  resolve: (token: number) => string | undefined
  /** Every word as it stands in the text, the capital of the first one too. */
  isVerbatim: boolean
}

/** The subject's text; no words at all are the speaker left out. */
export function nameSubject(naming: Naming, words: Words): string {
  if (words.to === words.from) return naming.source.speaker ?? ''
  return nameWords(naming, words, 'subject')
}

/** The text of some words: white space as one blank, first persons by name, a pronoun by what it stands for. */
export function nameWords(naming: Naming, words: Words, role: Role): string {
  const { parse, source } = naming
  const { tokens } = parse
  let text = ''
  for (let at = words.from; at < words.to; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const before = tokens[at - 1]
    if (text !== '' && before !== undefined && before.end < token.start) text += ' '
    text +=
      personName(token.lower, source.speaker, role) ??
      (words.to === words.from + 1 ? naming.resolve(at) : undefined) ??
      wordText(naming, at, role)
  }
  return text
}

function personName(lower: string, speaker: string | undefined, role: Role): string | undefined {
  if (speaker === undefined) return undefined
  if (lower === 'my' || lower === 'our' || lower === 'mine' || lower === 'ours') return `${speaker}'s`
  if (lower === 'me' || lower === 'myself' || lower === 'us' || lower === 'ourselves') return speaker
  return role === 'subject' && (lower === 'i' || lower === 'we') ? speaker : undefined
}

/** The sentence's first word loses its capital inside a fact, unless it is a name; predicates have straight apostrophes. */
function wordText({ parse, isVerbatim }: Naming, at: number, role: Role): string {
  const text = parse.tokens[at]?.text ?? ''
  if (isVerbatim || role === 'subject') return text
  const isOpening = at === 0 && parse.tags[0] !== 'PROPN' && /^\p{Lu}(?:\p{Ll}|$)/u.test(text)
  const word = isOpening ? text.charAt(0).toLowerCase() + text.slice(1) : text
  return role === 'predicate' ? word.replace('’', "'") : word
}
