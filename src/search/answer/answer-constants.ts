/** Constants of facts, procedures and episodes in an answer. */
export const ANSWER = {
  /**
   * Number of best sources whose extracted entries are read. On chats, 20, 30 and 60 give equally good facts; more take
   * longer.
   */
  CANDIDATES: 24,
  /**
   * Maximum number of sources read to replace folded copies, as a multiple of the requested entries plus a constant.
   * Only as many are read as the copies among the best require.
   */
  FOLD_READS_PER_ENTRY: 4,
  FOLD_READS_MORE: 24,
  /** Number of sources checked for copies after the requested number of entries is reached. */
  FOLD_AHEAD: 8,
  /**
   * Texts are near-duplicates if they share this part of their shingles of three terms: the usual threshold (Broder
   * 1997).
   */
  FOLD_ALIKE: 0.9,
  /** Minimum number of terms, about two sentences. In a shorter text, speaker and time matter as much as the words. */
  FOLD_TERMS_MIN: 20,
  /** Number of code units of each text that are compared. */
  FOLD_UNITS_MAX: 1 << 16,
  /** Maximum number of candidate facts examined, best sources first. One long text may have several hundred. */
  FACTS_MAX: 3000,
  /** Number of best facts that are compared with each other, or two per requested entry if that is more. */
  BEST_FACTS: 24,
  /** Maximum number of query terms for which named subjects are looked up. A pasted page mentions too many names. */
  NAMING_TERMS_MAX: 24,
  /**
   * Number of additional memories read per name in the query that contain other query terms, and the maximum for all
   * names.
   */
  ABOUT_MEMORIES: 6,
  NAMED_MEMORIES_MAX: 12,
  /** Maximum number of names that the query may mean, and number of newest memories read per name and attribute. */
  NAMED_SUBJECTS_MAX: 4,
  ATTRIBUTE_MEMORIES: 3,
  /** Maximum number of names that first facts lead to, and of memories read for all of them. */
  MIDDLES_MAX: 4,
  SECOND_MEMORIES_MAX: 60,
  /**
   * Minimum part of the query, by weight, that two joined facts cover. The name of the person or thing in the middle
   * (`the book that …`) is often in neither. From .5 to .8, chats show no difference.
   */
  JOIN_COVERS: 0.6,
  /** Factor for joined facts against a single one, because the join may be wrong too. */
  JOINED: 0.98,
  /** Factor for the first of two joined facts, which is not an answer by itself. */
  STEP: 0.9,
  /** Number of keys of the best facts that are looked up in the whole snapshot. */
  KEYS_MAX: 24,
  /** Maximum number of memories read per key, newest first, and for all keys. */
  KEY_MEMORIES_MAX: 24,
  KEYED_MEMORIES_MAX: 160,
  /**
   * Number of best sources whose conversation section is looked up. Each may lie in a different part of the index,
   * which must be unpacked. From about 8 on, V8 recompiles SQLite with its optimizing compiler, which takes 50 ms and
   * 30 MB.
   */
  STRETCH_HITS: 5,
  /** Number of conversation sections that are searched for episodes: those with the best sources. */
  STRETCHES_MAX: 3,
  /** Maximum number of turns read per section, and for all sections. */
  STRETCH_TURNS_MAX: 80,
  EPISODE_TURNS_MAX: 120,

  /**
   * Exponent applied to a query term's ranking weight. In a conversation of two people their names are frequent, but
   * they still identify the subject of a question. From 0 to .5, chats show little difference.
   */
  RARITY_POWER: 0.3,
  /** Weights of a procedure's own words and of its source memory in its score. */
  WORDS_PART: 0.3,
  SOURCE_PART: 0.7,
  /**
   * Weight of a fact's own words in its score; the rest is its memory's score, which already includes words. On two
   * chats, the first fact comes from an answering turn for 46 % of the questions with .4, and for 48 % with .1 to .2.
   */
  FACT_WORDS_PART: 0.15,
  /**
   * Score that a fact with all query terms lends to its memory, as a part of the best source's score. From .6 to 1,
   * chats rank alike.
   */
  LENT: 0.9,
  /** Extra weight of query terms in the predicate. From 0 to .6, little changes. */
  PREDICATE_BONUS: 0.3,
  /** Factor for a fact whose subject shares nothing with the query. */
  OTHER_SUBJECT: 0.9,
  /**
   * Factor for a fact without the kind of information that the question asks for (a time, a name, a number). Its words
   * may still contain the answer.
   */
  OTHER_TRAITS: 0.9,
  /** Factor for a fact that adds nothing to the query. */
  NO_NEWS: 0.85,
  /**
   * Factor for a fact whose memory also has a better one, because other memories add more. One of the first three facts
   * comes from an answering turn for 73 % of the questions with this factor, and for 67 % without.
   */
  SAME_MEMORY: 0.85,
  /** Factor for an entry with confidence 0. */
  UNSURE: 0.6,
  /** The same factor for a fact, whose confidence says little about its relevance. */
  UNSURE_FACT: 0.85,
  /** Confidence assumed for an entry that states none: a rule found it, but its reliability is unknown. */
  CONFIDENCE_UNSTATED: 0.5,
  /** Factors for facts that are possible, wanted, planned or needed, and for facts that no longer hold. */
  UNCLAIMED: 0.85,
  SUPERSEDED: 0.8,
  /** Factor for facts from a shared picture, which answer less than the accompanying text. */
  SHARED: 0.7,
  /** Factor for entries outside the period named in the query. */
  OTHER_TIME: 0.6,
  /** Factor for a procedure of another kind than the query asks for. */
  OTHER_KIND: 0.7,
  /** Part of an episode's score that comes from all its sources together; the rest comes from the best one. */
  EPISODE_TOGETHER: 0.3
} as const
