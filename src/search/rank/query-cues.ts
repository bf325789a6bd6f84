import { analyse } from '../analyse/analyse.ts'
import { detectQuestionTraits, ENDS_IN_QUESTION, gradeQuestion } from '../analyse/detect-traits.ts'
import type { IndexReader } from '../index/index-reader.ts'
import { SPEAKER_MARK, SUBJECT_MARK } from '../index/index-writer.ts'
import { QUERY_TERMS_MAX, QUERY_UNITS_MAX, QUESTION_TERMS_MAX } from './ranking-constants.ts'

/** One search criterion: a term, or a part of a date. `weight` is how often the query contains it. */
export type Cue =
  | { kind: 'term'; name: string; weight: number }
  | { kind: 'date'; name: string; date: DateCue; weight: number }

export type QueryCues = {
  /** Terms in order of first mention, then dates. */
  cues: Cue[]
  /** True if the query is a question, which another question seldom answers. */
  asks: boolean
  /** The traits it asks for, as bits: see `detectQuestionTraits`. */
  traits: number
  /** Its terms that name a speaker, or a person or thing that facts are about. */
  names: ReadonlySet<string>
}

/** Parses a query into cues. `index` decides which terms are names. */
export function parseQueryCues(query: string, index: IndexReader): QueryCues {
  const text = query.slice(0, QUERY_UNITS_MAX)
  const mentions = new Map<string, number>()
  for (const term of analyse(text)) mentions.set(term, (mentions.get(term) ?? 0) + 1)
  const terms = [...mentions].slice(0, QUERY_TERMS_MAX).map(([name, weight]): Cue => ({ kind: 'term', name, weight }))
  const dates = findDateCues(text).map((date): Cue => ({ kind: 'date', name: date.name, date, weight: 1 }))
  return {
    cues: [...terms, ...dates],
    ...(mentions.size > QUESTION_TERMS_MAX
      ? NO_QUESTION
      : {
          asks: gradeQuestion(text) === ENDS_IN_QUESTION || QUESTION_START.test(text),
          traits: detectQuestionTraits(text),
          names: findNames(terms, index)
        })
  }
}

const NO_QUESTION: Omit<QueryCues, 'cues'> = { asks: false, traits: 0, names: new Set() }

/** Finds names of speakers; if there are none, names that facts are about. */
function findNames(terms: readonly Cue[], index: IndexReader): Set<string> {
  for (const mark of [SPEAKER_MARK, SUBJECT_MARK]) {
    const names = terms.filter(({ name }) => index.postings(mark + name).documents.length > 0)
    if (names.length > 0) return new Set(names.map(({ name }) => name))
  }
  return new Set()
}

const QUESTION_START = /^\s*(?:who|whom|whose|what|which|when|where|why|how)\b/i

/** A part of a date in a query: a year, a month of the year, or a day of the month. */
export type DateCue = { part: 'year' | 'month' | 'day'; value: number; name: string }

/** Finds the parts of dates in a query: `8 May 2023`, `May 8th`, `in May`, `2023-05-08`, `2023`. Each part once. */
export function findDateCues(query: string): DateCue[] {
  const cues = new Map<string, DateCue>()
  const note = (part: DateCue['part'], value: number): void => {
    const name = `${part}:${value}`
    cues.set(name, { part, value, name })
  }
  for (const [, year, month, day] of query.matchAll(ISO_DATE)) {
    note('month', Number(month))
    if (day !== undefined) note('day', Number(day))
    if (year !== undefined) note('year', Number(year))
  }
  for (const found of query.matchAll(MONTH_WITH_COMPANY)) {
    const { word = '', before, after } = found.groups ?? {}
    const day = before ?? after
    if (day === undefined && !isMonth(query, found.index, word)) continue
    note('month', toMonthNumber(word))
    if (day !== undefined) note('day', Number(day))
  }
  for (const [year] of query.matchAll(YEAR)) note('year', Number(year))
  return [...cues.values()]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const MONTH_NAMES =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const DAY = '0?[1-9]|[12]\\d|3[01]'

const ISO_DATE = /\b(\d{4})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?\b/g
const MONTH_WITH_COMPANY = new RegExp(
  `(?:\\b(?<before>${DAY})(?:st|nd|rd|th)?(?: of)? )?\\b(?<word>${MONTH_NAMES})\\b(?:\\.? (?<after>${DAY})(?:st|nd|rd|th)?\\b(?![:\\d]))?`,
  'gi'
)
const YEAR = /\b(?:1[89]|2[01])\d\d\b/g

/** Month names that are also other words. They count as months only next to a preposition, day or year. */
const OTHER_WORDS = /^(?:may|march|mar|dec|sept?)$/i
const BEFORE_MONTH =
  /\b(?:in|on|of|since|until|till|by|before|after|during|from|to|last|next|this|early|late|mid)[ -]$/i
const YEAR_NEXT = /^,? (?:1[89]|2[01])\d\d\b/

/** Month names that are also first names: "Where does **Jun** work?", "What is **April's** job?" */
const FIRST_NAMES = /^(?:jan|apr(?:il)?|june?|aug(?:ust)?)$/i
const BEFORE_PERSON = /\b(?:(?:what|where|who|why) (?:is|was)|do|does|did|has|had|will|would|can|could|should) $/i
const OWNS = /^['’]s\b/i

function isMonth(query: string, at: number, word: string): boolean {
  if (FIRST_NAMES.test(word))
    return !BEFORE_PERSON.test(query.slice(Math.max(0, at - 12), at)) && !OWNS.test(query.slice(at + word.length))
  if (!OTHER_WORDS.test(word)) return true
  return BEFORE_MONTH.test(query.slice(Math.max(0, at - 12), at)) || YEAR_NEXT.test(query.slice(at + word.length))
}

function toMonthNumber(word: string): number {
  return MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1
}
