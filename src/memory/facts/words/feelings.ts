/** Verbs whose base form at the start of a sentence leaves out the speaker: "Love this place". */
export const OWN_FEELINGS: ReadonlySet<string> = new Set('love appreciate miss hope wish hate'.split(' '))

/** Adjectives that at the start of a sentence tell how the speaker is: "So glad to be back". */
export const STATES_OF_MIND: ReadonlySet<string> = new Set(
  'proud glad happy excited busy thankful grateful sorry sad lucky delighted pleased tired exhausted nervous relieved thrilled worried'.split(
    ' '
  )
)
