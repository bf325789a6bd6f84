/** Every number that ranking rests on, and where it comes from. */
export const RANKING = {
  /** How soon further mentions of a term stop counting. The usual range is 0.9 to 2 (Robertson and Zaragoza 2009). */
  K1: 1.2,
  /** How far long documents are held back. The usual range is 0.3 to 0.9; much lower hurts long texts. */
  B: 0.75,
  /**
   * Terms that each document is taken to have beyond its own when lengths are compared. Lengths of two and six words say
   * little about how much there is to find, those of a hundred and three hundred do: a prior that only short texts feel.
   */
  LENGTH_PRIOR: 20,
  /** Weight of a mention one turn and two turns before, and after; lengths are weighed alike. */
  NEIGHBOUR_WEIGHTS: { before: [0.5, 0.2], after: [0.5, 0.2] },
  /** The speaker's name counts as so many mentions in the text: saying something is more than being named. */
  SPEAKER_MENTIONS: 2,
  /** A name that a fact is about and the text does not say, for a pronoun stands there, counts as one mention. */
  ABOUT_MENTIONS: 1,
  /** A date that the query names counts as so many mentions of it. */
  DATE_MENTIONS: 1,
  /** Part of the score that a turn loses for each grade of being a question, when the query is one: it seldom answers. */
  ASKING_LOSS: 0.1
} as const

/** Terms of a query that are looked at; a whole page pasted as a query has a few hundred. */
export const QUERY_TERMS_MAX = 1000
/** Characters of a query that are looked at. */
export const QUERY_UNITS_MAX = 100_000
