import type { Token } from '../language/token.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'

/** Returns the token after the clause that begins at `from`: the start of the next one, or the end of the sentence. */
export function findClauseEnd(tokens: readonly Token[], from: number): number {
  for (let at = from + 1; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined || token.text === ';' || DASHES.has(token.text) || isLooseDash(tokens, at)) return at
    if (!JOINTS.has(token.lower)) continue
    const next = tokens[at + 1]
    if (token.lower === 'but' || next?.lower === 'but' || startsClause(tokens, skipJoints(tokens, at))) return at
  }
  return trimMarks(tokens, from, tokens.length)
}

/** Returns the position before the marks that end a sentence. */
export function trimMarks(tokens: readonly Token[], from: number, end: number): number {
  let last = end
  for (let token = tokens[last - 1]; last > from + 1 && token !== undefined; token = tokens[--last - 1])
    if (/[\p{L}\p{N})%'"”]/u.test(token.text)) break
  return last
}

const DASHES: ReadonlySet<string> = new Set(['—', '–', '--', '...', '…'])
const JOINTS: ReadonlySet<string> = new Set([',', 'and', 'but', 'so', 'or', 'yet', 'although', 'though'])
const SUBJECTS: ReadonlySet<string> = new Set(['i', 'we', 'you', 'he', 'she', 'they', 'it', 'that', 'this', 'let'])

/** Recognises a dash: a hyphen with a space on both sides. */
function isLooseDash(tokens: readonly Token[], at: number): boolean {
  const dash = tokens[at]
  if (dash?.text !== '-') return false
  return (tokens[at - 1]?.end ?? 0) < dash.start && dash.end < (tokens[at + 1]?.start ?? 0)
}

/** Skips `, and then`. */
function skipJoints(tokens: readonly Token[], from: number): number {
  let at = from + 1
  while (JOINTS.has(tokens[at]?.lower ?? '') || tokens[at]?.lower === 'then') at++
  return at
}

/** Recognises a pronoun, or a name or `my sister` with its verb. */
function startsClause(tokens: readonly Token[], at: number): boolean {
  const first = tokens[at]
  if (first === undefined) return false
  if (SUBJECTS.has(first.lower)) return true
  const verb = first.tag === 'PROPN' ? tokens[at + 1] : OWNERS.has(first.lower) ? tokens[at + 2] : undefined
  return verb !== undefined && (verb.tag === 'AUX' || (verb.tag === 'VERB' && classifyVerbForm(verb.lower) !== 'ing'))
}

const OWNERS: ReadonlySet<string> = new Set(['my', 'our', 'his', 'her', 'their', 'the'])
