import type { Tag, Token } from '../language/token.ts'
import type { Chunk, Phrase } from './chunk.ts'
import type { VerbGroup } from './verb-group.ts'

/**
 * How a clause hangs together with the others. `adjunct`: a participle that says more of the subject; `participle`: one that
 * says more of a noun; `gerund`: one inside a prepositional phrase; `speech`: a verb of saying after what is said.
 */
export type ClauseKind =
  | 'main'
  | 'coordinate'
  | 'adverbial'
  | 'relative'
  | 'complement'
  | 'infinitive'
  | 'participle'
  | 'adjunct'
  | 'gerund'
  | 'speech'

export type Clause = {
  kind: ClauseKind
  /** Chunk number of the verb. */
  at: number
  verb: VerbGroup
  subject: Phrase | undefined
  /** The speaker is left out: "Went to Rome last week". */
  isSpeaker?: boolean
  /** Adverbials before the subject. */
  openings: Phrase[]
  /** Lower-case word that opens it: because, if, which. */
  marker: string
  /** First chunk that is no longer part of the clause before. */
  start: number
  /** The clause whose value these words belong to. */
  within: Clause | undefined
  /** What a relative clause or a participle is about. */
  antecedent: Phrase | undefined
  /** First chunk after the clause's own words. */
  end: number
}

/** A sentence as rules see it. */
export type Parse = { tokens: readonly Token[]; tags: readonly Tag[]; chunks: Chunk[]; clauses: Clause[] }
