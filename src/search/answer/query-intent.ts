import type { ProcedureRecord } from '../../contract/snapshot.ts'
import { detectQuestionTraits } from '../analyse/detect-traits.ts'
import { findDateCues } from '../rank/query-cues.ts'
import { QUERY_UNITS_MAX } from '../rank/ranking-constants.ts'

/** What a query asks beyond its words. */
export type QueryIntent = {
  /** It asks what was, or when: what no longer holds answers too. */
  asksByTime: boolean
  /** The year or month that it names, half-open, UTC text; undefined where it names none, or several. */
  period: { from: string; to: string } | undefined
  /** Kinds of procedure that it asks for, each with the words that say so. Empty: any. */
  kinds: Partial<Record<ProcedureRecord['kind'], string[]>>
  /** What answers to it have, as bits: see `detectQuestionTraits`. */
  traits: number
  /** Its first words as it spells them. */
  spelled: readonly string[]
}

/** Reads the intent off a query. */
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

/** `Where did Ada live before?`, `When did she move?`, `the former owner` */
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
    'when',
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

/** One year, alone or with one month. */
function findPeriod(dates: ReturnType<typeof findDateCues>): QueryIntent['period'] {
  const years = dates.filter(({ part }) => part === 'year').map(({ value }) => value)
  const months = dates.filter(({ part }) => part === 'month').map(({ value }) => value)
  const [year, month] = [years[0], months[0]]
  if (year === undefined || years.length > 1 || months.length > 1) return undefined
  const at = (monthIndex: number): string => new Date(Date.UTC(year, monthIndex)).toISOString()
  return month === undefined ? { from: at(0), to: at(12) } : { from: at(month - 1), to: at(month) }
}
