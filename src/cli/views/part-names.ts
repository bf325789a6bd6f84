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

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** What a thing that a query looks for is called: the query's own word, or the part of a date. */
export function cueName({ name, asked, kind }: { name: string; asked: string | null; kind: string }): string {
  if (kind !== 'date') return asked ?? name
  const [part = name, value = ''] = name.split(':')
  return part === 'month' ? (MONTHS[Number(value) - 1] ?? name) : `${part} ${value}`
}
