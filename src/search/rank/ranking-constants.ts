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
  /**
   * Weight of a mention one turn and two turns before, and after; lengths are weighed alike. Twice as much changes
   * talk that alternates turn by turn little, and costs other chats a point of nDCG.
   */
  NEIGHBOUR_WEIGHTS: { before: [0.2, 0.07], after: [0.15, 0.05] },
  /** The speaker's name counts as so many mentions in the text. */
  SPEAKER_MENTIONS: 1,
  /** A name that a fact is about and the text does not say, for a pronoun stands there, counts as one mention. */
  ABOUT_MENTIONS: 1,
  /** A date that the query names counts as so many mentions of it. */
  DATE_MENTIONS: 1,
  /**
   * What a synonym, a derivation or a narrower word of full weight counts, in mentions. From .25 to .4 chats and abstracts
   * show no difference.
   */
  RELATED_MENTIONS: 0.3,
  /** So many related terms of a term are looked up, the strongest; from 4 to 32 nothing changes much. */
  RELATED_TERMS: 8,
  /** Those that more than one in so many documents have are left out: they tell little and cost most. */
  RELATED_PART: 50,
  /**
   * Weight of all that feedback adds, where the best texts are long and trusted in full, against that of the query's own
   * terms. All other numbers of feedback stand in `feedback-cues.ts`.
   */
  FEEDBACK_WEIGHT: 3,
  /** Part of the score that a turn loses for each grade of being a question, when the query is one: it seldom answers. */
  ASKING_LOSS: 0.1,
  /** So many of the best by words are put in order by further evidence as well. */
  POOL: 200,
  /**
   * Weights of further evidence beside the score by words, which is at most 1. Fitted to two conversations by a listwise
   * softmax over the pools of their questions, then moved towards what five give, since both agree in what counts most.
   * `npm run eval` shows what each is worth, and the two alone measured on the three others.
   */
  EVIDENCE: {
    COVERED_WORDS: 0.27,
    NEARBY_TURNS: 0.5,
    ANSWERED_QUESTION: 0.42,
    PLAIN_STATEMENT: 0.06,
    ASKED_TRAITS: 0.17,
    ABOUT_NAMES: 0.1,
    DATED_THEN: 0.45,
    TELLS_OF_THEN: 0.15
  }
} as const

/** Terms of a query that are looked at; a whole page pasted as a query has a few hundred. */
export const QUERY_TERMS_MAX = 1000
/**
 * Number of different terms up to which a query can be one question. A longer one, such as a dialogue, has words like
 * `when` and names that say nothing about the answer. From 12 to 20, dialogues show no difference, and chats one point of nDCG.
 */
export const QUESTION_TERMS_MAX = 16
/** Characters of a query that are looked at. */
export const QUERY_UNITS_MAX = 100_000
