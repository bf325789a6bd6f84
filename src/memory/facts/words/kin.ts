/** Words for persons that say whether they are he or she. */
export const MALE_KIN: ReadonlySet<string> = new Set(
  'father dad daddy son brother husband boyfriend uncle grandfather grandpa nephew man boy guy grandson king prince'.split(
    ' '
  )
)
export const FEMALE_KIN: ReadonlySet<string> = new Set(
  'mother mom mum mommy daughter sister wife girlfriend aunt grandmother grandma niece woman girl lady granddaughter queen princess'.split(
    ' '
  )
)
