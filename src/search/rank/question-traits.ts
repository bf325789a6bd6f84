import { TRAITS } from '../analyse/text-traits.ts'

/** The traits that answers to a question have, as bits: see `TRAITS`. 0 where it asks for none of them. In English. */
export function questionTraits(question: string): number {
  let traits = 0
  for (const [pattern, trait] of ASKED) if (pattern.test(question)) traits |= trait
  return traits
}

const ASKED: readonly [RegExp, number][] = [
  [/\bwhen\b|\b(?:what|which) (?:date|day|week|month|year|time)\b/i, TRAITS.TIME],
  [/\bhow (?:long|often)\b/i, TRAITS.DURATION],
  [/\bhow (?:many|much)\b/i, TRAITS.NUMBER],
  [/\b(?:who|whom|whose|which|where|names?|called)\b|\bwhat (?:is|was|are|were) the title\b/i, TRAITS.NAME],
  [/\bwhat (?:city|country|place|state|town|company|street)\b/i, TRAITS.NAME]
]
