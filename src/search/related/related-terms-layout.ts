/**
 * The layout of the file of related terms, which the build creates. Numbers are little-endian.
 *
 *     magic u32 · version u32 · file size in bytes u32 · number of terms u32
 *     for each block of 16 terms: its offset u32
 *     for each term, ascending: characters shared with the previous term u8 · number of other characters u8 · these
 *       kinds u8, a bit for each kind that has entries · for each such kind: entries u8 · for each entry: number of a term u16
 *
 * The first term of a block shares no characters, so that blocks can be searched. Terms are ASCII. The kinds are other
 * forms of the same word, in four weights from 4/4 down to 1/4, and related words, in the same four weights; within a
 * kind the strongest entry comes first.
 */
export const LAYOUT = {
  MAGIC: 0x74726d6d,
  VERSION: 1,
  HEADER_BYTES: 16,
  BLOCK_TERMS: 16,
  /** Number of weights for each of the two kinds of entries: n/4. */
  WEIGHTS: 4,
  KINDS: 8,
  /** Term numbers are stored in two bytes. */
  TERMS_MAX: 0xffff,
  TERM_CHARACTERS_MAX: 0xff
} as const

/** A term that stands for another, and its value as a part of a mention of that one: from 1/4 to 1. */
export type RelatedTerm = { readonly term: string; readonly weight: number }

/** What is known about a term; both lists start with the strongest entry. */
export type TermRelations = {
  /**
   * Irregular forms of the same word that the stemmer does not join, each with the probability that it is that word.
   */
  readonly forms: readonly RelatedTerm[]
  /** Synonyms, derivations and narrower words, each with the strength of the relation. */
  readonly related: readonly RelatedTerm[]
}
