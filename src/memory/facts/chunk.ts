import type { VerbGroup } from './verb-group.ts'

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
