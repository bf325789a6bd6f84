/** A term of a query with its weight: the maximum part of the attainable score that it gives. */
export type WeighedTerm = { name: string; weight: number }

/**
 * How a memory has a cue: as the word itself, another form (`went` for `go`) or a related word, as its speaker, as the
 * subject of a fact without being in the text, or as a date.
 */
export type TermMatch = {
  as: 'word' | 'form' | 'related' | 'speaker' | 'about' | 'date'
  /** The matching word, as words are compared. */
  word: string
  /** The word as the text spells it; only if the text was read. */
  written?: string
  /** 0: in the memory itself; -1: in the turn before, and so on. */
  turn: number
  /** Its value, in mentions of the word itself. */
  mentions: number
}
