import { analyse } from '../analyse/analyse.ts'
import { questionGrade } from '../analyse/question-grade.ts'
import type { IndexReader } from '../index/index-reader.ts'
import { SPEAKER_MARK, SUBJECT_MARK } from '../index/index-writer.ts'
import { type DateCue, dateCues } from './date-cues.ts'
import { questionTraits } from './question-traits.ts'
import { QUERY_TERMS_MAX, QUERY_UNITS_MAX } from './ranking-constants.ts'

/** One thing to look for: a term, or a part of a date. `weight` is how often the query says it. */
export type Cue =
  | { kind: 'term'; name: string; weight: number }
  | { kind: 'date'; name: string; date: DateCue; weight: number }

export type QueryCues = {
  /** Terms in order of first mention, then dates. */
  cues: Cue[]
  /** True where the query is a question, which another question seldom answers. */
  asks: boolean
  /** What it asks for, as bits: see `questionTraits`. */
  traits: number
  /** Those of its terms that name somebody or something that memories are by or about. */
  names: ReadonlySet<string>
}

/** Takes a query apart. Which of its terms are names, `index` says. */
export function queryCues(query: string, index: IndexReader): QueryCues {
  const text = query.slice(0, QUERY_UNITS_MAX)
  const mentions = new Map<string, number>()
  for (const term of analyse(text)) mentions.set(term, (mentions.get(term) ?? 0) + 1)
  const terms = [...mentions].slice(0, QUERY_TERMS_MAX).map(([name, weight]): Cue => ({ kind: 'term', name, weight }))
  const dates = dateCues(text).map((date): Cue => ({ kind: 'date', name: date.name, date, weight: 1 }))
  return {
    cues: [...terms, ...dates],
    asks: questionGrade(text) === 2 || QUESTION_START.test(text),
    traits: questionTraits(text),
    names: namesAmong(terms, index)
  }
}

/** Names of speakers; where there are none of these, those of anybody and anything that facts are about. */
function namesAmong(terms: readonly Cue[], index: IndexReader): Set<string> {
  for (const mark of [SPEAKER_MARK, SUBJECT_MARK]) {
    const names = terms.filter(({ name }) => index.postings(mark + name).documents.length > 0)
    if (names.length > 0) return new Set(names.map(({ name }) => name))
  }
  return new Set()
}

const QUESTION_START = /^\s*(?:who|whom|whose|what|which|when|where|why|how)\b/i
