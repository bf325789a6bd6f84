import type { FactRecord } from '../../contract/snapshot.ts'
import type { Tag, Token } from '../language/token.ts'
import type { VerbGroup } from './verb-group.ts'

/**
 * How a clause hangs together with the others. `adjunct`: a participle that says more of the subject; `participle`: one that
 * says more of a noun; `gerund`: one inside a prepositional phrase; `speech`: a verb of saying after what is said.
 */
type ClauseKind =
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

/**
 * A run of words that clauses are read from. `noun`: a noun phrase without what follows its head. `verb`: a verb with its
 * auxiliaries, negation and adverbs between. `marker`: a word that opens a subordinate clause. `relative`: who, which, that
 * and other wh-words. `stop`: a mark that no clause reaches over.
 */
export type ChunkKind =
  | 'noun'
  | 'verb'
  | 'preposition'
  | 'adjective'
  | 'adverb'
  | 'and'
  | 'comma'
  | 'marker'
  | 'relative'
  | 'stop'
  | 'quote'
  | 'opening'
  | 'closing'
  | 'other'

/** `from`, `to` and `head` are token numbers of the sentence; `to` is the first one after. */
export type Chunk = {
  kind: ChunkKind
  from: number
  to: number
  head: number
  verb: VerbGroup | undefined
  /** `he`, `it`, `they`: nothing to its left is coordinated with it. */
  isPronoun: boolean
  /** `but`, `yet`: joins clauses, not things. */
  isContrast: boolean
}

/** Half-open range of chunk numbers. */
export type Phrase = { from: number; to: number }

/** Half-open range of token numbers. */
export type Words = { from: number; to: number }

/** A fact as words of a sentence, before names stand for pronouns. */
export type FactDraft = {
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
export function toSight(parse: Parse): Sight {
  return { parse, lower: (token) => parse.tokens[token]?.lower ?? '' }
}

type Wordless = Pick<FactDraft, 'rule' | 'subject'> & { said: string; value: Words }

/** A fact whose predicate does not stand in the text: "is", "has". */
export function createWordlessDraft({ rule, said, subject, value }: Wordless): FactDraft {
  const plain = { negated: false, modality: undefined, clause: undefined }
  return { rule, subject, predicate: [], said, value: [value], ...plain }
}

/** A phrase without the commas, conjunctions and marks at its ends. */
export function trimPhrase({ chunks }: Parse, { from, to }: Phrase): Phrase {
  let start = from
  let end = to
  while (end > start && (EDGES.has(chunks[end - 1]?.kind ?? '') || chunks[end - 1]?.kind === 'marker')) end--
  while (start < end && EDGES.has(chunks[start]?.kind ?? '')) start++
  return { from: start, to: end }
}

const EDGES: ReadonlySet<string> = new Set(['comma', 'and', 'stop', 'quote', 'opening', 'closing'])

/** The words of some chunks. */
export function toWords({ chunks }: Parse, { from, to }: Phrase): Words | undefined {
  if (to <= from) return undefined
  return { from: (chunks[from] as Chunk).from, to: (chunks[to - 1] as Chunk).to }
}

/** The clause of a verb, with what is known of it so far. */
export function createClause(place: VerbPlace, more: Partial<Clause> & Pick<Clause, 'kind' | 'start'>): Clause {
  return {
    at: place.at,
    verb: place.verb,
    subject: undefined,
    openings: [],
    marker: '',
    within: undefined,
    antecedent: undefined,
    end: 0,
    ...more
  }
}

/** A subject whose verb has not come yet: a relative clause or a participle stands between. */
export type Waiting = {
  subject: Phrase
  openings: Phrase[]
  marker: string
  within: Clause | undefined
  kind: Clause['kind']
}

export type ReadState = Parse & { waiting: Waiting[] }

/** A verb to be linked: `from` is the first chunk after the verb before. */
export type VerbPlace = { state: ReadState; at: number; verb: NonNullable<Chunk['verb']>; from: number }
