import type { FactRecord } from '../../contract/snapshot.ts'
import type { Clause, Parse } from './clause.ts'

/** Half-open range of token numbers. */
export type Words = { from: number; to: number }

/** A fact as words of a sentence, before names stand for pronouns. */
export type Draft = {
  rule: string
  subject: Words
  /** Words of the predicate, in order; `said` stands where the text has none ("is", "has"). */
  predicate: Words[]
  said: string | undefined
  value: Words[]
  negated: boolean
  modality: FactRecord['modality']
  clause: Clause | undefined
  /** What the confidence is worked out from. */
  features: string[]
}

/** What a rule is given. */
export type Sight = { parse: Parse; lower: (token: number) => string }

export function sightOf(parse: Parse): Sight {
  return { parse, lower: (token) => parse.tokens[token]?.lower ?? '' }
}
