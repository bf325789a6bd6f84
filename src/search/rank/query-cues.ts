import { analyse } from '../analyse/analyse.ts'
import { dateCues, type DateCue } from './date-cues.ts'
import { QUERY_TERMS_MAX, QUERY_UNITS_MAX } from './ranking-constants.ts'

/** One thing to look for: a term, or a part of a date. `weight` is how often the query says it. */
export type Cue = { kind: 'term'; name: string; weight: number } | { kind: 'date'; name: string; date: DateCue; weight: number }

/** What a query asks for: its terms in order of first mention, then the dates it names. */
export function queryCues(query: string): Cue[] {
  const text = query.slice(0, QUERY_UNITS_MAX)
  const mentions = new Map<string, number>()
  for (const term of analyse(text)) mentions.set(term, (mentions.get(term) ?? 0) + 1)
  const terms = [...mentions].slice(0, QUERY_TERMS_MAX)
  return [
    ...terms.map(([name, weight]): Cue => ({ kind: 'term', name, weight })),
    ...dateCues(text).map((date): Cue => ({ kind: 'date', name: date.name, date, weight: 1 }))
  ]
}
