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
}

/** What a rule is given. */
export type Sight = { parse: Parse; lower: (token: number) => string }

/** A parse with the words of its tokens at hand. */
export function sightOf(parse: Parse): Sight {
  return { parse, lower: (token) => parse.tokens[token]?.lower ?? '' }
}

type Wordless = Pick<Draft, 'rule' | 'subject'> & { said: string; value: Words }

/** A fact whose predicate does not stand in the text: "is", "has". */
export function wordlessDraft({ rule, said, subject, value }: Wordless): Draft {
  const plain = { negated: false, modality: undefined, clause: undefined }
  return { rule, subject, predicate: [], said, value: [value], ...plain }
}
