/** The numbers that facts, procedures and episodes of an answer rest on. */
export const ANSWER = {
  /**
   * Of the best sources so many are read for what was extracted from them. Of chats 20, 30 and 60 give as good facts;
   * more cost time.
   */
  CANDIDATES: 24,
  /**
   * Sources that are read so that copies shorten no answer: so many times the entries asked for, and some. Only as many are
   * read as there are copies among the best.
   */
  FOLD_READS_PER_ENTRY: 4,
  FOLD_READS_MORE: 24,
  /** Once there are enough entries so many more of the next best are looked at for copies of them. */
  FOLD_AHEAD: 8,
  /** Texts are nearly the same where they share this part of their runs of three terms: the usual threshold (Broder 1997). */
  FOLD_ALIKE: 0.9,
  /** Below so many terms, about two sentences, a text says as much by who says it and when as by its words. */
  FOLD_TERMS_MIN: 20,
  /** So much of each text is compared, in code units. */
  FOLD_UNITS_MAX: 1 << 16,
  /** Facts of the candidates that are looked at, best sources first: a few hundred may come from one long text. */
  FACTS_MAX: 3000,
  /** Of these so many of the best are held against each other, or two for each one asked for. */
  BEST_FACTS: 24,
  /** Whom a longer query names is not looked for: a page that was pasted names everybody. */
  NAMING_TERMS_MAX: 24,
  /** Memories that are read besides about a name of the query: so many that say other words of it, and of all. */
  ABOUT_MEMORIES: 6,
  NAMED_MEMORIES_MAX: 12,
  /** Of names that the query may mean so many, and of each the newest so many memories that tell an attribute. */
  NAMED_SUBJECTS_MAX: 4,
  ATTRIBUTE_MEMORIES: 3,
  /** Names that first facts lead to, of which further facts are looked up; memories that are read for all of them. */
  MIDDLES_MAX: 4,
  SECOND_MEMORIES_MAX: 60,
  /**
   * Two facts answer together where they have at least so much of the query, by weight: what somebody or something in the
   * middle is called (`the book that …`) is often in neither. From .5 to .8 chats show no difference.
   */
  JOIN_COVERS: 0.6,
  /** What two facts lose against one: that they belong together is one more thing that may be wrong. */
  JOINED: 0.98,
  /** What is left of a fact that leads to another one, where both answer together: it is no answer by itself. */
  STEP: 0.9,
  /** Keys whose facts are looked up in the whole snapshot: those of the best facts. */
  KEYS_MAX: 24,
  /** Memories that are read for one key, the newest, and for all. */
  KEY_MEMORIES_MAX: 24,
  KEYED_MEMORIES_MAX: 160,
  /**
   * Of the best sources so many are asked which stretch of a conversation they belong to: each may lie in another part of
   * the index, which is unpacked for it. From about 8 on V8 compiles SQLite anew for speed, at 50 ms and 30 MB.
   */
  STRETCH_HITS: 5,
  /** Stretches of conversations whose episodes are looked at: those with the best sources. */
  STRETCHES_MAX: 3,
  /** Turns of one stretch that are looked at together, and of all. */
  STRETCH_TURNS_MAX: 80,
  EPISODE_TURNS_MAX: 120,

  /**
   * The power of its weight in ranking with which a word of the query counts here: in what two people say their names
   * are everywhere, and yet they tell whom a question is about. From .5 down to 0 chats show little difference.
   */
  RARITY_POWER: 0.3,
  /** How much of a procedure's score its words give, and how much the memory it stands in. */
  WORDS_PART: 0.3,
  SOURCE_PART: 0.7,
  /**
   * How much of a fact's score its words give; the rest is that of the memory it stands in, of which words are a part
   * already. On two chats the first fact rests on an answering turn for 46 % of the questions with .4, for 48 % with .1
   * to .2.
   */
  FACT_WORDS_PART: 0.15,
  /** What a fact that has all words of the query lends its memory, as a part of the best source's score; .6 to 1 rank chats alike. */
  LENT: 0.9,
  /** What words of the query count more where the predicate says them; from 0 to .6 little changes. */
  PREDICATE_BONUS: 0.3,
  /** What is left of a fact's score where nothing of its subject is in the query. */
  OTHER_SUBJECT: 0.9,
  /** What is left where it has nothing of the kind that is asked for (a time, a name, a number). Its words may say it all the same. */
  OTHER_TRAITS: 0.9,
  /** What is left where it says nothing that the query does not say. */
  NO_NEWS: 0.85,
  /**
   * What is left of a fact where a better one rests on the same memory: what other memories say adds more. Of the first
   * three facts one rests on an answering turn for 73 % of the questions with it, for 67 % without.
   */
  SAME_MEMORY: 0.85,
  /** What is left of the score of something that nothing speaks for: confidence 0. */
  UNSURE: 0.6,
  /** The same of a fact: how sure one is says little of whether it is what is asked. */
  UNSURE_FACT: 0.85,
  /** Confidence of what states none: a rule found it, and nobody has said how sure it is. */
  CONFIDENCE_UNSTATED: 0.5,
  /** What may be, is wanted, planned or demanded answers less than what is so; so does what no longer holds. */
  UNCLAIMED: 0.85,
  SUPERSEDED: 0.8,
  /** What a shared picture shows answers less than what was said with it. */
  SHARED: 0.7,
  /** Outside the time that the query names. */
  OTHER_TIME: 0.6,
  /** A procedure of another kind than the query asks for. */
  OTHER_KIND: 0.7,
  /** The part of an episode's score that all its sources give together; the rest is the best one's. */
  EPISODE_TOGETHER: 0.3
} as const
