import type { FactRecord } from '../../contract/snapshot.ts'
import type { Tag, Token } from '../language/token.ts'
import type { VerbGroup } from './verb-group.ts'

/**
 * How a clause relates to the others. `adjunct` is a participle that describes the subject, `participle` one that
 * describes a noun, `gerund` one inside a prepositional phrase, and `speech` a verb of saying after the quotation.
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
  /** Chunk index of the verb. */
  at: number
  verb: VerbGroup
  subject: Phrase | undefined
  /** The speaker is implied: "Went to Rome last week". */
  isSpeaker?: boolean
  /** Adverbials before the subject. */
  openings: Phrase[]
  /** Lower-case word that opens the clause: because, if, which. */
  marker: string
  /** First chunk after the previous clause. */
  start: number
  /** The clause whose value contains this clause. */
  within: Clause | undefined
  /** The noun that a relative clause or a participle describes. */
  antecedent: Phrase | undefined
  /** First chunk after the clause's own words. */
  end: number
}

/** A sentence as the rules see it. */
export type Parse = { tokens: readonly Token[]; tags: readonly Tag[]; chunks: Chunk[]; clauses: Clause[] }

/**
 * A run of words from which clauses are built. `noun`: a noun phrase up to its head. `verb`: a verb with its
 * auxiliaries, negation and adverbs between. `marker`: a word that opens a subordinate clause. `relative`: who, which,
 * that and other wh-words. `stop`: a mark that ends any clause.
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

/** `from`, `to` and `head` are token indexes in the sentence; `to` is exclusive. */
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

/** Half-open range of chunk indexes. */
export type Phrase = { from: number; to: number }

/** Half-open range of token indexes. */
export type Words = { from: number; to: number }

/** A fact as token ranges of a sentence, before names replace pronouns. */
export type FactDraft = {
  rule: string
  subject: Words
  /**
   * Ranges of the predicate's words, in order. `said` is the predicate if the text has no word for it ("is", "has").
   */
  predicate: Words[]
  said: string | undefined
  value: Words[]
  /** A word that the text lacks, after the first range of the value: "by", "from". */
  glue?: string
  negated: boolean
  modality: FactRecord['modality']
  clause: Clause | undefined
}

/** Recognises the rules of facts about what a subject finds or believes. */
export function isJudgement(rule: string | undefined): boolean {
  return rule === 'belief.holds' || rule?.startsWith('opinion.') === true
}

/** The input of a rule. */
export type Sight = { parse: Parse; lower: (token: number) => string }

/** Adds a lookup of lower-case words to a parse. */
export function toSight(parse: Parse): Sight {
  return { parse, lower: (token) => parse.tokens[token]?.lower ?? '' }
}

type Wordless = Pick<FactDraft, 'rule' | 'subject'> & { said: string; value: Words }

/** Creates a fact whose predicate does not occur in the text: "is", "has". */
export function createWordlessDraft({ rule, said, subject, value }: Wordless): FactDraft {
  const plain = { negated: false, modality: undefined, clause: undefined }
  return { rule, subject, predicate: [], said, value: [value], ...plain }
}

/** Removes commas, conjunctions and marks from both ends of a phrase. */
export function trimPhrase({ chunks }: Pick<Parse, 'chunks'>, { from, to }: Phrase): Phrase {
  let start = from
  let end = to
  while (end > start && (EDGES.has(chunks[end - 1]?.kind ?? '') || chunks[end - 1]?.kind === 'marker')) end--
  while (start < end && EDGES.has(chunks[start]?.kind ?? '')) start++
  return { from: start, to: end }
}

const EDGES: ReadonlySet<string> = new Set(['comma', 'and', 'stop', 'quote', 'opening', 'closing'])

/** Returns the tokens of a phrase, or undefined if it is empty. */
export function toWords({ chunks }: Parse, { from, to }: Phrase): Words | undefined {
  if (to <= from) return undefined
  return { from: (chunks[from] as Chunk).from, to: (chunks[to - 1] as Chunk).to }
}

/** Creates the clause of a verb with the given members. */
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

/** A subject whose verb follows later, after a relative clause or a participle. */
export type Waiting = {
  subject: Phrase
  openings: Phrase[]
  marker: string
  within: Clause | undefined
  kind: Clause['kind']
}

export type ReadState = Parse & { waiting: Waiting[] }

/** A verb to be linked; `from` is the first chunk after the previous verb. */
export type VerbPlace = { state: ReadState; at: number; verb: NonNullable<Chunk['verb']>; from: number }
