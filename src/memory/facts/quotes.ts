import type { Sentence } from '../language/token.ts'

/** Whether a token of a sentence stands inside quotation marks that were opened before it. */
export type Quoted = (sentence: Sentence, token: number) => boolean

/**
 * Where a text quotes: between marks that open and close, across sentences. Straight marks open and close in turn; a lone one
 * at the end of a line closes nothing. A single mark counts only as a pair of letters or in its curved form.
 */
export function findQuotes(sentences: readonly Sentence[]): Quoted {
  const inside = new Map<Sentence, boolean[]>()
  let isOpen = false
  const straight = countStraight(sentences) % 2 === 0
  for (const sentence of sentences) {
    const flags: boolean[] = []
    let has = isOpen
    for (const [i, { lower }] of sentence.tokens.entries()) {
      const next = sentence.tokens[i + 1]?.lower
      if (lower === '“' || lower === '«' || lower === '``' || (lower === '`' && next === '`')) isOpen = true
      else if (lower === '”' || lower === '»' || lower === "''" || (lower === "'" && next === "'")) isOpen = false
      else if (lower === '"' && straight) isOpen = !isOpen
      flags.push(isOpen)
      has ||= isOpen
    }
    if (has) inside.set(sentence, flags)
  }
  return (sentence, token) => inside.get(sentence)?.[token] === true
}

function countStraight(sentences: readonly Sentence[]): number {
  let count = 0
  for (const { tokens } of sentences) for (const { lower } of tokens) if (lower === '"') count++
  return count
}
