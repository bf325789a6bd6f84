/** A term of a query and what it weighs: the part of the attainable score that it may give. */
export type WeighedTerm = { name: string; weight: number }

/**
 * How a memory has what is looked for: the word itself, another form of it (`went` for `go`), a word related to it, who
 * speaks, whom a fact is about though the text does not say it, or a date.
 */
export type TermMatch = {
  as: 'word' | 'form' | 'related' | 'speaker' | 'about' | 'date'
  /** The word that stands there, as words are compared. */
  word: string
  /** As the text writes it; only where somebody looked. */
  written?: string
  /** 0: in the memory itself; -1: in the turn before, and so on. */
  turn: number
  /** What that counts, in mentions of the word itself. */
  mentions: number
}
