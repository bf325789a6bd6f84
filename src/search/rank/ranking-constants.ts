/** Constants of ranking, with the origin of each. */
export const RANKING = {
  /** Saturation of repeated mentions of a term. The usual range is 0.9 to 2 (Robertson and Zaragoza 2009). */
  K1: 1.2,
  /** Strength of length normalisation. The usual range is 0.3 to 0.9; much lower hurts long texts. */
  B: 0.75,
  /**
   * Number of terms added to every document's length before lengths are compared. Whether a text has two or six words
   * says little about its content; a hundred or three hundred does. The prior affects short texts only.
   */
  LENGTH_PRIOR: 20,
  /**
   * Weight of mentions one and two turns before, and after; lengths are weighed alike. Earlier turns count
   * more, because a turn continues their subject: with .2 before and .15 after, half a point fewer first results answer.
   */
  NEIGHBOUR_WEIGHTS: { before: [0.25, 0.08], after: [0.12, 0.04] },
  /**
   * Value of the speaker's name, in mentions. A query that names a person usually asks what that person says, rather than what
   * others say to them. From 3 to 5, no set changes by more than .2; with 1, real chats lose .6 points of nDCG.
   */
  SPEAKER_MENTIONS: 5,
  /** Value of a word of a given fact that the text lacks, in mentions. */
  ABOUT_MENTIONS: 1,
  /** Value of a date that the query names, in mentions. */
  DATE_MENTIONS: 1,
  /**
   * Value of a synonym, derivation or narrower word of full weight, in mentions. From .25 to .4, chats show no
   * difference, and abstracts prefer the lower value. Without them, real chats lose .6 points of nDCG.
   */
  RELATED_MENTIONS: 0.25,
  /** Number of strongest related terms looked up per term; from 4 to 32 little changes. */
  RELATED_TERMS: 8,
  /** Related terms in more than one of this many documents are left out: they say little and cost most. */
  RELATED_PART: 50,
  /**
   * Weight of all feedback relative to the query's own terms, if the best texts are long and fully trusted. All other
   * constants of feedback are in `find-feedback-cues.ts`.
   */
  FEEDBACK_WEIGHT: 3,
  /**
   * Number of terms up to which a turn of a conversation is short. A longer one has no part in evidence from
   * neighbouring turns. 70 adds up to 1.0 nDCG in chats with an assistant and costs real chats 0.2 to 0.4.
   */
  LONG_TURN_TERMS: 100,
  /**
   * How slowly long turns lose: with this many terms more than a short one, a turn keeps 1/√2 of its score by words. From 50
   * to 30, both halves of the chats with an assistant gain .3 nDCG; no other set has long turns.
   */
  LONG_TURN_LOSS_TERMS: 30,
  /** Number of best results by words that further evidence orders. */
  POOL: 200,
  /**
   * Weights of further evidence relative to the score by words, which is at most 1. First fitted to two conversations of
   * LoCoMo with a listwise softmax over the pools of their questions, then adjusted to all six sets; `RANKING.md` has the
   * figures of weights chosen without each set. A deduction has a negative weight. `npm run eval` measures what each adds.
   */
  EVIDENCE: {
    COVERED_WORDS: 0.14,
    COVERED_NEARBY: 0.1,
    NEARBY_TURNS: 0.45,
    ANSWERED_QUESTION: 0.5,
    ASKED_NEXT: -0.45,
    PLAIN_STATEMENT: 0.1,
    OPENS_CONVERSATION: 0.03,
    ASKED_TRAITS: 0.14,
    ABOUT_NAMES: 0.05,
    SAID_BY_NAMED: 0.28,
    DATED_THEN: 0.18,
    TELLS_OF_THEN: 0.15,
    SIMILAR_MEANING: 0.3
  }
} as const

/** Maximum number of query terms; a pasted page has a few hundred. */
export const QUERY_TERMS_MAX = 1000
/**
 * Maximum number of distinct terms for which a query is treated as a single question. A longer one, such as a dialogue,
 * has words like `when` and names that say nothing about the answer. From 12 to 20, dialogues show no difference, and
 * chats one point of nDCG.
 */
export const QUESTION_TERMS_MAX = 16
/** Maximum number of query characters examined. */
export const QUERY_UNITS_MAX = 100_000
