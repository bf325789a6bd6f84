/** Words that open or shape clauses, in lower case. */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Open a clause of time, reason or concession. */
export const SUBORDINATORS = words(`
  because although though while whereas since when whenever until till once if unless whether lest as after before
  where wherever why how provided whilst albeit so cause cuz coz cus bc bcs bcos becuz everytime
`)

/** After these, a phrase may contain a clause. */
export const CLAUSE_OPENERS = words(`
  that which who whom whose what when where why how if whether because cause so
`)

/** Auxiliaries that are the verb of a statement. */
export const FINITE_AUXILIARIES = words('is are was were has have had')

/** Can also be prepositions: they open a clause only if a subject and a verb follow. */
export const MAYBE_SUBORDINATORS = words(`since until till as after before once so than like`)

/** Open a clause that is not claimed. */
export const HYPOTHETICAL_MARKERS = words(`if unless whether lest provided`)

/** Make the rest of the sentence hypothetical. */
export const UNREAL_OPENERS = words(`imagine suppose hopefully if`)

/** Open a clause about the preceding noun. */
export const RELATIVE_PRONOUNS = words(`who whom which that whose`)

/** Wh-words without an antecedent. */
export const FREE_RELATIVES = words(`what whatever whoever whichever how why where when`)

/** Nouns of time that are adverbials without a preposition: "last week", "this morning". */
export const TIME_NOUNS = words(`
  day days week weeks month months year years morning evening afternoon night weekend time times today yesterday tomorrow tonight
  monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter season ago decade century
  january february march april may june july august september october november december noon midnight moment minute hour
`)

/** Pronouns that can be a subject but never an object. */
export const NOMINATIVES = words(`i he she we they`)

export const OBJECT_PRONOUNS = words(`me him us them`)

/** Belong to the phrase of the noun that follows. */
export const POSSESSIVES = words(`my your his her its our their whose`)

/** Form one predicate with `to` and a verb: "tries to win". */
export const CATENATIVE_VERBS = words(`
  want try need have seem appear happen tend begin start continue like love hate prefer hope plan decide intend mean
  manage fail refuse agree aim learn expect wish get go use seek attempt offer choose dare promise strive struggle
  propose threaten vow elect desire long prepare cease come prove help proceed wait opt volunteer pledge
`)

/** Form one predicate with a verb in -ing: "started writing". */
export const GERUND_VERBS = words(`start begin stop keep continue finish quit go resume try`)

/** Introduce reported speech or thought, which gives no facts. */
export const REPORTING_VERBS = words(`
  say tell claim report announce believe think hope suggest argue state explain note add warn admit insist deny estimate
  predict expect assume suppose guess imagine doubt feel fear suspect agree indicate declare allege assert maintain
  contend conclude propose recommend demand request wonder ask know understand realize realise mean show mention reply answer promise
  write complain acknowledge confirm concede decide hear read see learn remember forget figure wish bet swear dream
  pretend contest testify speculate stress emphasize observe remark cite recall find notice prove consider worry
`)

/** Verbs of saying, which may precede their subject: `"Come in," said Ann`. */
export const SPEECH_VERBS = words(
  `say add reply answer ask explain write warn note claim announce tell shout whisper report insist argue`
)

/** Take an object that is the subject of the infinitive: "asked Bob to come". */
export const OBJECT_CONTROL_VERBS = words(`
  ask tell want allow help force cause enable encourage persuade convince invite order permit require advise teach remind urge
  inspire lead expect need get motivate challenge push let make
`)

/** Can take an infinitive without `to`: "helped me move". */
export const CAUSATIVE_VERBS = words(`make let help see watch hear have feel`)

/** Describe an experience of their object: "it inspires me". */
export const EXPERIENCE_VERBS = words(`
  help inspire motivate energize encourage support relax calm excite touch move push challenge impress amaze surprise comfort
  teach uplift remind allow enable welcome affect cheer boost shock thrill delight annoy worry bother trouble hurt guide invite hire
`)

/** Link a subject to a description. */
export const COPULAS = words(`be become remain seem appear feel look sound stay smell taste`)

/** Introduce something wanted, planned or needed, which is not claimed. */
export const WANTING_VERBS = words(`want hope wish desire long dream wanna`)
export const PLANNING_VERBS = words(`plan intend aim decide prepare go expect gonna`)
export const NEEDING_VERBS = words(`need have gotta`)

/** Adverbs that belong to the preceding verb: "grew **up**", "switched **over**". */
export const PARTICLES: ReadonlySet<string> = new Set(
  'up out off away back down over on in along around together through apart forward ahead aside about by'.split(' ')
)

/** Words that express an opinion of a thing, not a property. */
export const EVALUATIONS: ReadonlySet<string> = new Set(
  `amazing amazingly awesome awful bad beautiful best better boring brilliant challenging cool crazy crucial delicious difficult easy
  encouraging enjoyable essential exciting exhausting fantastic fascinating favorite favourite fine frustrating fulfilling fun funny
  good gorgeous great hard heartbreaking heartwarming helpful hilarious impressive incredible inspiring interesting intense
  key lovely magical meaningful memorable motivating necessary nice overwhelming peaceful perfect powerful precious refreshing
  relaxing rewarding sad satisfying scary special stressful stunning surreal terrible terrific thrilling tough tricky
  unforgettable unique useful valuable vital weird wild wonderful worthwhile therapeutic calming soothing important comforting
  busy hectic rough sweet cute adorable neat thoughtful empowering energizing uplifting enlightening humbling devastating upsetting
  annoying disappointing surprising strange odd magnificent breathtaking charming cozy lively vibrant tasty yummy mesmerizing
  captivating gripping immersive healthy worth fresh lovely underrated priceless horrible daunting invigorating
  blast blessing joy pleasure relief shame reminder`
    .trim()
    .split(/\s+/)
)

/** Verbs whose base form at the start of a sentence implies the speaker: "Love this place". */
export const OWN_FEELINGS: ReadonlySet<string> = new Set('love appreciate miss hope wish hate'.split(' '))

/** Adjectives that, at the start of a sentence, describe the speaker: "So glad to be back". */
export const STATES_OF_MIND: ReadonlySet<string> = new Set(
  'proud glad happy excited busy thankful grateful sorry sad lucky delighted pleased tired exhausted nervous relieved thrilled worried'.split(
    ' '
  )
)
