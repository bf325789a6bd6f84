import { AMOUNT, MONTH, PART_OF_DAY, parseUnit, SEASON, UNIT, WEEKDAY } from './amount.ts'
import type { Precision, Reading, TimeRule } from './time-expression.ts'

/** What comes again and again names no point in time: how often is all that is kept of it, as its precision. */
export const recurring: readonly TimeRule[] = [
  // "Every Tuesday we rehearse.", "Each morning I run.", "every other week", "every two months"
  {
    pattern: new RegExp(
      String.raw`\b(?:every|each)(?: (?:single|other|second|third|fourth))? (?:${AMOUNT} )?(?:(?<unit>${UNIT}|season)|(?<month>${MONTH}|christmas|easter|halloween|thanksgiving)|(?<season>${SEASON})|(?:${WEEKDAY}|weekday|weekend)(?: (?:${PART_OF_DAY}))?|${PART_OF_DAY})\b`,
      'gi'
    ),
    read: ({ groups }) => (isMoment(groups ?? {}) ? undefined : toRecurring(groups ?? {}))
  },
  // "On Sundays she bakes.", "Saturday mornings are for chess."
  {
    pattern: new RegExp(
      String.raw`\b(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:${WEEKDAY}|weekday|weekend) (?:${PART_OF_DAY})s)\b|\b(?:on|at) (?:the )?week(?:ends|days)\b|\bin the (?:mornings|afternoons|evenings)\b`,
      'gi'
    ),
    read: () => toOften('day')
  },
  // "Most mornings I run."
  {
    pattern: new RegExp(
      `\\b(?:most|all) (?:days|weeks|months|years|weekends|(?:${PART_OF_DAY})s|(?:${WEEKDAY})s)\\b`,
      'gi'
    ),
    read: () => toOften('day')
  },
  // "We meet weekly.", "He pays rent monthly, in cash."
  {
    pattern:
      /\b(?:(?<day>daily|nightly)|(?<week>weekly|biweekly|fortnightly)|(?<month>monthly)|(?<season>quarterly)|yearly|annually)(?= *(?:$|[.,;!?)\n]| (?:at|on|for|and|with|in|to|by|now|since|from|because|but)\b| basis\b))/gi,
    read: ({ groups }) => toOften(findPrecision(groups ?? {}))
  },
  // "Twice a week I swim.", "three times per year", "five days a week"
  {
    pattern: new RegExp(
      String.raw`\b(?:once|twice|thrice|${AMOUNT} (?:times|days|nights|hours|mornings|evenings)) (?:an?|per|each|every) (?<unit>${UNIT})\b`,
      'gi'
    ),
    read: ({ groups }) => toRecurring(groups ?? {})
  }
]

/** `every minute` is a way to say always; `every ten minutes` is not. */
function isMoment({ unit, number }: Record<string, string | undefined>): boolean {
  return number === undefined && /^(?:seconds?|minutes?|mins?)$/i.test(unit ?? '')
}

function toRecurring({ unit, month, season }: Record<string, string | undefined>): Reading {
  if (unit !== undefined) return toOften(parseUnit(unit)?.name ?? 'minute')
  if (month !== undefined) return toOften('month')
  return toOften(season === undefined ? 'day' : 'season')
}

function findPrecision({ day, week, month, season }: Record<string, string | undefined>): Precision {
  if (day !== undefined) return 'day'
  if (week !== undefined) return 'week'
  if (month !== undefined) return 'month'
  return season === undefined ? 'year' : 'season'
}

function toOften(precision: Precision): Reading {
  return { precision, kind: 'recurring' }
}
