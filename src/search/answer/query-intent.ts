import type { ProcedureRecord } from '../../contract/snapshot.ts'
import { detectQuestionTraits } from '../analyse/detect-traits.ts'
import { findDateCues } from '../rank/query-cues.ts'
import { QUERY_UNITS_MAX } from '../rank/ranking-constants.ts'

/** What a query asks for beyond its terms. */
export type QueryIntent = {
  /** The query asks about the past or about a time, so facts that no longer hold answer too. */
  asksByTime: boolean
  /** The year or month that the query names, half-open, as UTC text; undefined if it names none or several. */
  period: { from: string; to: string } | undefined
  /** Kinds of procedure that the query asks for, each with the words that indicate it. Empty means any kind. */
  kinds: Partial<Record<ProcedureRecord['kind'], string[]>>
  /** Traits of a text that answers, as bits: see `detectQuestionTraits`. */
  traits: number
  /** The query's first words as it spells them. */
  spelled: readonly string[]
}

/** Detects the intent of a query. */
export function readQueryIntent(query: string): QueryIntent {
  const text = query.slice(0, QUERY_UNITS_MAX)
  const dates = findDateCues(text)
  const kinds: QueryIntent['kinds'] = {}
  for (const [kind, pattern] of KINDS) {
    const words = text.match(pattern)
    if (words !== null) kinds[kind] = [...words]
  }
  return {
    asksByTime: dates.length > 0 || PAST.test(text),
    period: findPeriod(dates),
    kinds,
    traits: detectQuestionTraits(text),
    spelled: splitWords(text)
  }
}

function splitWords(text: string): string[] {
  return text.slice(0, SPELLED_UNITS_MAX).match(WORD) ?? []
}

const SPELLED_UNITS_MAX = 1000
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** `Where did Ada live before?`, `When did she move?`, `the former owner`; not `When is the meeting?` */
const PAST = new RegExp(
  `\\b(?:${[
    'used to',
    'before',
    'previous(?:ly)?',
    'former(?:ly)?',
    'earlier',
    'past',
    'back then',
    'once',
    'originally',
    'at first',
    'in those days',
    'history',
    "when(?! ?(?:is|are|am|'s|does|do|will)\\b)",
    'since',
    'until',
    'ago',
    'years?',
    'no longer',
    'any ?more',
    'last (?:week|month|year|spring|summer|autumn|fall|winter)',
    'changed?',
    'old'
  ].join('|')})\\b`,
  'i'
)

/** `How do I …` asks for steps, `What does Ada like` for a preference, `What should I do when …` for a rule. */
const KINDS: readonly [ProcedureRecord['kind'], RegExp][] = [
  [
    'how_to',
    /\bhow (?:to|do|does|did|can|could|should|would)\b|\b(?:steps?|procedures?|instructions?|guides?|recipes?)\b/gi
  ],
  [
    'preference',
    /\b(?:prefer(?:s|red|ences?)?|favou?rites?|lik(?:es?|ed)|lov(?:es?|ed)|enjoy(?:s|ed)?|hat(?:es?|ed)|dislik(?:es?|ed)|avoids?|tastes?)\b/gi
  ],
  [
    'rule',
    /\b(?:should|always|never|must|rules?|polic(?:y|ies)|conventions?|allowed|supposed|guidelines?|required?)\b/gi
  ]
]

/** Returns the period of a single year, or of a single year with a single month. */
function findPeriod(dates: ReturnType<typeof findDateCues>): QueryIntent['period'] {
  const years = dates.filter(({ part }) => part === 'year').map(({ value }) => value)
  const months = dates.filter(({ part }) => part === 'month').map(({ value }) => value)
  const [year, month] = [years[0], months[0]]
  if (year === undefined || years.length > 1 || months.length > 1) return undefined
  const at = (monthIndex: number): string => new Date(Date.UTC(year, monthIndex)).toISOString()
  return month === undefined ? { from: at(0), to: at(12) } : { from: at(month - 1), to: at(month) }
}
