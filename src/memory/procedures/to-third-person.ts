import type { Token } from '../language/token.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'
import { ADVERBS } from './procedure-words.ts'

/** Words to be converted to the third person: tokens `from` to `to` of a text by `speaker`. */
export type FirstPerson = {
  text: string
  tokens: readonly Token[]
  from: number
  to: number
  speaker: string | undefined
}

/**
 * Converts `I prefer tea to my coffee`, said by Ada, to `Ada prefers tea to Ada's coffee`. Without a speaker the words
 * stay.
 */
export function toThirdPerson({ text, tokens, from, to, speaker }: FirstPerson): string {
  let words = ''
  let end = tokens[from]?.start ?? 0
  let verb = -1
  let isOpen = false
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const space = text.slice(end, token.start)
    end = token.end
    if (SUBJECTS.has(token.lower)) verb = findVerbAfter(tokens, at)
    if (at === verb) isOpen = true
    else if (token.lower === 'to' || token.tag === 'AUX' || token.tag === 'SCONJ') isOpen = false
    const isVerb = at === verb || (isOpen && joinsVerb(tokens, at))
    const put = speaker === undefined ? undefined : (putPerson(token, speaker) ?? (isVerb ? putVerb(token) : undefined))
    words += `${space}${put ?? token.text}`
  }
  return words.replace(/\s+/g, ' ').trim()
}

/** Forms the third person of a verb: `goes`, `tries`, `watches`; modals stay. */
function addEnding(verb: string): string {
  const known = ODD_FORMS.get(verb)
  if (known !== undefined) return known
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`
}

const SUBJECTS: ReadonlySet<string> = new Set(['i', 'we'])

const ODD_FORMS: ReadonlyMap<string, string> = new Map([
  ['am', 'is'],
  ['are', 'is'],
  ['have', 'has'],
  ...["'", '’'].flatMap((mark): [string, string][] => [
    [`${mark}m`, ' is'],
    [`${mark}re`, ' is'],
    [`${mark}ve`, ' has'],
    [`${mark}d`, ' would'],
    [`${mark}ll`, ' will']
  ]),
  ['be', 'is'],
  ...['would', 'will', 'can', 'could', 'shall', 'should', 'may', 'might', 'must', 'ca', 'wo', 'was', 'had'].map(
    (same): [string, string] => [same, same]
  )
])

function putPerson({ lower }: Token, speaker: string): string | undefined {
  if (SUBJECTS.has(lower) || lower === 'me' || lower === 'us') return speaker
  if (lower === "i'm" || lower === 'i’m') return `${speaker} is`
  if (lower === 'my' || lower === 'our' || lower === 'mine' || lower === 'ours') return `${speaker}'s`
  return lower === 'myself' || lower === 'ourselves' ? 'themselves' : undefined
}

function findVerbAfter(tokens: readonly Token[], subject: number): number {
  let at = subject + 1
  while (ADVERBS.has(tokens[at]?.lower ?? '') || tokens[at]?.tag === 'ADV') at++
  return at
}

/** Recognises a further verb of the same subject: "I bake bread and **sell** it". */
function joinsVerb(tokens: readonly Token[], at: number): boolean {
  const before = ADVERBS.has(tokens[at - 1]?.lower ?? '') ? at - 2 : at - 1
  return tokens[at]?.tag === 'VERB' && [',', 'and', 'or'].includes(tokens[before]?.lower ?? '')
}

function putVerb({ lower, tag }: Token): string | undefined {
  if (ODD_FORMS.has(lower)) return addEnding(lower)
  if (tag === 'PUNCT' || classifyVerbForm(lower) !== 'base' || !/^[a-z]+$/.test(lower)) return undefined
  return addEnding(lower)
}
