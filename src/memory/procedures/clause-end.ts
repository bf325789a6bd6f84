import type { Token } from '../language/token.ts'

/** The token after the clause that begins at `from`: where another one begins, or the sentence ends. */
export function clauseEnd(tokens: readonly Token[], from: number): number {
  for (let at = from + 1; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined || token.text === ';' || DASHES.has(token.text)) return at
    if (!JOINTS.has(token.lower)) continue
    const next = tokens[at + 1]
    const after = next !== undefined && JOINTS.has(next.lower) ? tokens[at + 2] : next
    if (token.lower === 'but' || next?.lower === 'but' || (after !== undefined && startsClause(after))) return at
  }
  return withoutMarks(tokens, from, tokens.length)
}

/** Before the marks that a sentence ends with. */
export function withoutMarks(tokens: readonly Token[], from: number, end: number): number {
  let last = end
  for (let token = tokens[last - 1]; last > from + 1 && token !== undefined; token = tokens[--last - 1])
    if (/[\p{L}\p{N})%'"”]/u.test(token.text)) break
  return last
}

const DASHES: ReadonlySet<string> = new Set(['—', '–', '--', '...', '…'])
const JOINTS: ReadonlySet<string> = new Set([',', 'and', 'but', 'so', 'or', 'yet', 'although', 'though'])
const SUBJECTS: ReadonlySet<string> = new Set(['i', 'we', 'you', 'he', 'she', 'they', 'it', 'that', 'this', 'let'])

function startsClause({ lower }: Token): boolean {
  return SUBJECTS.has(lower)
}
