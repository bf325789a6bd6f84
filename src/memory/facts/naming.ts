import type { TextSource } from '../text-source.ts'
import type { Parse } from './clause.ts'
import type { Words } from './draft.ts'

/** How the words of a sentence are written down in a fact. */
export type Naming = { source: TextSource; parse: Parse; resolve: (token: number) => string | undefined }

/** The subject's text; no words at all are the speaker left out. */
export function nameSubject(naming: Naming, words: Words): string {
  if (words.to === words.from) return naming.source.speaker ?? ''
  return nameWords(naming, words, 'subject')
}

/** The text of some words: white space as one blank, first persons by name, a pronoun by what it stands for. */
export function nameWords(naming: Naming, words: Words, role: 'subject' | 'predicate' | 'value'): string {
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
      token.text
  }
  return text
}

function personName(
  lower: string,
  speaker: string | undefined,
  role: 'subject' | 'predicate' | 'value'
): string | undefined {
  if (speaker === undefined) return undefined
  if (lower === 'my' || lower === 'our' || lower === 'mine' || lower === 'ours') return `${speaker}'s`
  if (lower === 'me' || lower === 'myself' || lower === 'us' || lower === 'ourselves') return speaker
  return role === 'subject' && (lower === 'i' || lower === 'we') ? speaker : undefined
}
