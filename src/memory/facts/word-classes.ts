/** Words that open or shape clauses, in lower case. */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** They open a clause that says when, why or although. */
export const SUBORDINATORS = words(`
  because although though while whereas since when whenever until till once if unless whether lest as after before
  where wherever why how provided whilst albeit so
`)

/** Also prepositions: a clause only if a subject and a verb follow. */
export const MAYBE_SUBORDINATORS = words(`since until till as after before once so than like`)

/** What they open is not said to be so. */
export const HYPOTHETICAL_MARKERS = words(`if unless whether lest provided`)

/** Words that make all that follows in the sentence a mere thought. */
export const UNREAL_OPENERS = words(`imagine suppose hopefully if`)

/** After a noun they open a clause about it. */
export const RELATIVE_PRONOUNS = words(`who whom which that whose`)

/** Wh-words that stand for what is not named. */
export const FREE_RELATIVES = words(`what whatever whoever whichever how why where when`)

/** Nouns of time that are adverbials without a preposition: "last week", "this morning". */
export const TIME_NOUNS = words(`
  day days week weeks month months year years morning evening afternoon night weekend time times today yesterday tomorrow tonight
  monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter season ago decade century
  january february march april may june july august september october november december noon midnight moment minute hour
`)

/** Pronouns that may be a subject, and never an object. */
export const NOMINATIVES = words(`i he she we they`)

export const OBJECT_PRONOUNS = words(`me him us them`)

/** With a noun after them they are part of its phrase. */
export const POSSESSIVES = words(`my your his her its our their whose`)

/** Followed by `to` and a verb they are one predicate with it: "tries to win". */
export const CATENATIVE_VERBS = words(`
  want try need have seem appear happen tend begin start continue like love hate prefer hope plan decide intend mean
  manage fail refuse agree aim learn expect wish get go use seek attempt offer choose dare promise strive struggle
  propose threaten vow elect desire long prepare cease come prove help proceed wait opt volunteer pledge
`)

/** Followed by a verb in -ing they are one predicate with it: "started writing". */
export const GERUND_VERBS = words(`start begin stop keep continue finish quit go resume try`)

/** What follows is somebody's word or thought, and no fact of its own. */
export const REPORTING_VERBS = words(`
  say tell claim report announce believe think hope suggest argue state explain note add warn admit insist deny estimate
  predict expect assume suppose guess imagine doubt feel fear suspect agree indicate declare allege assert maintain
  contend conclude propose recommend demand request wonder ask know understand realize realise mean show mention reply answer promise
  write complain acknowledge confirm concede decide hear read see learn remember forget figure wish bet swear dream
  pretend contest testify speculate stress emphasize observe remark cite recall find notice prove consider worry
`)

/** Verbs of saying, which may stand before their subject: `"Come in," said Ann`. */
export const SPEECH_VERBS = words(
  `say add reply answer ask explain write warn note claim announce tell shout whisper report insist argue`
)

/** The object does what the infinitive says: "asked Bob to come". */
export const OBJECT_CONTROL_VERBS = words(`
  ask tell want allow help force cause enable encourage persuade convince invite order permit require advise teach remind urge
  inspire lead expect need get motivate challenge push let make
`)

/** They may have an infinitive without `to`: "helped me move". */
export const CAUSATIVE_VERBS = words(`make let help see watch hear have feel`)

/** What they tell of happens to their object: "it inspires me". */
export const EXPERIENCE_VERBS = words(`
  help inspire motivate energize encourage support relax calm excite touch move push challenge impress amaze surprise comfort
  teach uplift encourage welcome affect cheer boost shock thrill delight annoy worry bother trouble hurt guide invite hire
`)

/** They link a subject to what it is. */
export const COPULAS = words(`be become remain seem appear feel look sound stay smell taste`)

/** What they say is wanted, planned or needed, not so. */
export const WANTING_VERBS = words(`want hope wish desire long dream wanna`)
export const PLANNING_VERBS = words(`plan intend aim decide prepare go expect gonna`)
export const NEEDING_VERBS = words(`need have gotta`)

/** Adverbs that belong to the verb before them: "grew **up**", "switched **over**". */
export const PARTICLES: ReadonlySet<string> = new Set(
  'up out off away back down over on in along around together through apart forward ahead aside about by'.split(' ')
)

/** Words that say how somebody finds a thing, not how it is. */
export const EVALUATIONS: ReadonlySet<string> = new Set(
  `amazing amazingly awesome awful bad beautiful best better boring brilliant challenging cool crazy crucial delicious difficult easy
  encouraging enjoyable essential exciting exhausting fantastic fascinating favorite favourite fine frustrating fulfilling fun funny
  good gorgeous great hard heartbreaking heartwarming helpful hilarious impressive incredible inspiring interesting intense
  key lovely magical meaningful memorable motivating necessary nice overwhelming peaceful perfect powerful precious refreshing
  relaxing rewarding sad satisfying scary special stressful stunning surreal terrible terrific thrilling tough tricky
  unforgettable unique useful valuable vital weird wild wonderful worthwhile therapeutic calming soothing important comforting
  busy hectic rough sweet cute adorable neat thoughtful empowering energizing uplifting enlightening humbling devastating upsetting
  annoying disappointing surprising strange odd magnificent breathtaking charming cozy lively vibrant tasty yummy mesmerizing
  captivating gripping immersive healthy worth fresh lovely underrated priceless
  blast blessing joy pleasure relief shame reminder`
    .trim()
    .split(/\s+/)
)

/** Verbs whose base form at the start of a sentence leaves out the speaker: "Love this place". */
export const OWN_FEELINGS: ReadonlySet<string> = new Set('love appreciate miss hope wish hate'.split(' '))

/** Adjectives that at the start of a sentence tell how the speaker is: "So glad to be back". */
export const STATES_OF_MIND: ReadonlySet<string> = new Set(
  'proud glad happy excited busy thankful grateful sorry sad lucky delighted pleased tired exhausted nervous relieved thrilled worried'.split(
    ' '
  )
)
