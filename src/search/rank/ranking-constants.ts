/** Every number that ranking rests on, and where it comes from. */
export const RANKING = {
  /** How soon further mentions of a term stop counting. The usual range is 0.9 to 2 (Robertson and Zaragoza 2009). */
  K1: 1.2,
  /** How far long documents are held back. The usual range is 0.3 to 0.9; much lower hurts long texts. */
  B: 0.75,
  /** Weight of a mention in the turn before or after, and two turns away. */
  NEIGHBOUR_WEIGHTS: [0.5, 0.2],
  /** The speaker's name counts as so many mentions in the text. */
  SPEAKER_MENTIONS: 1,
  /** A date that the query names counts as so many mentions of it. */
  DATE_MENTIONS: 1
} as const

/** Terms of a query that are looked at; a whole page pasted as a query has a few hundred. */
export const QUERY_TERMS_MAX = 1000
/** Characters of a query that are looked at. */
export const QUERY_UNITS_MAX = 100_000
