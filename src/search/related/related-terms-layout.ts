/**
 * The file of related terms, made by the build. Numbers are little-endian.
 *
 *     magic u32 · version u32 · bytes of the file u32 · terms u32
 *     for each block of 16 terms: where it begins u32
 *     for each term, ascending: characters shared with the one before u8 · characters of its own u8 · these
 *       kinds u8, a bit for each kind that has entries · for each such kind: entries u8 · for each entry: number of a term u16
 *
 * A term that begins a block shares nothing, so blocks can be searched. Terms are in ASCII. The kinds are other forms of the
 * same word, in four weights from 4/4 down to 1/4, and related words, in four weights likewise; within a kind the
 * strongest entry stands first.
 */
export const LAYOUT = {
  MAGIC: 0x74726d6d,
  VERSION: 1,
  HEADER_BYTES: 16,
  BLOCK_TERMS: 16,
  /** Weights of each of the two sorts of kinds: n/4. */
  WEIGHTS: 4,
  KINDS: 8,
  /** Numbers of terms are written in two bytes. */
  TERMS_MAX: 0xffff,
  TERM_CHARACTERS_MAX: 0xff
} as const

/** A term that stands for another, and how much of a mention of that one it is: from 1/4 to 1. */
export type RelatedTerm = { readonly term: string; readonly weight: number }

/** What is known of a term; both lists begin with what is strongest. */
export type TermRelations = {
  /** Irregular forms of the same word that no stemmer brings together, each with how likely it is that word. */
  readonly forms: readonly RelatedTerm[]
  /** Synonyms, derivations and narrower words, each with how strongly it is related. */
  readonly related: readonly RelatedTerm[]
}
