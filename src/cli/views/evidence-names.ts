/** What further evidence of a ranking is called for people. */
const NAMES: Readonly<Record<string, string>> = {
  covered_words: 'has many of the words',
  nearby_turns: 'the talk around it fits',
  answered_question: 'follows a question like it',
  plain_statement: 'states something',
  asked_traits: 'has the kind of thing asked for',
  about_names: 'tells of who is asked about',
  dated_then: 'was said on the date asked for',
  tells_of_then: 'tells of the date asked for',
  asks_itself: 'is a question itself',
  outside_pool: 'too few words to be looked at closely'
}

/** The plain name of a piece of evidence; one that is not known is called as it is, without underscores. */
export function evidenceName(name: string): string {
  return NAMES[name] ?? name.replaceAll('_', ' ')
}
