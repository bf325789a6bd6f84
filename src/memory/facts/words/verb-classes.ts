/** Classes of verbs that rules ask for, by base form. */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

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
