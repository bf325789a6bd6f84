import type { Token } from '../language/token.ts'

/** `I'm` as the two words it is, where the tokens hold it as one: a pronoun and its helping verb. */
export function splitContractions(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(({ lower }) => CONTRACTION.test(lower))) return tokens
  return tokens.flatMap((token) => {
    const length = CONTRACTION.exec(token.lower)?.[1]?.length
    return length === undefined ? [token] : parts(token, length)
  })
}

const CONTRACTION = /^(i|we|you|he|she|they|it)['’](?:m|ll|ve|re|d|s)$/

function parts({ text, lower, start, end }: Token, length: number): Token[] {
  const [pronoun, helper] = [lower.slice(0, length), lower.slice(length)]
  return [
    { text: text.slice(0, length), lower: pronoun, lemma: pronoun, tag: 'PRON', start, end: start + length },
    { text: text.slice(length), lower: helper, lemma: helper, tag: 'AUX', start: start + length, end }
  ]
}
