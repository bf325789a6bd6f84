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
