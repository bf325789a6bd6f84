import { amountOf } from '../amount.ts'
import { shift, unitAt } from '../calendar.ts'
import { COARSER } from '../instant-of.ts'
import type { Moment, Reading, TimeRule } from '../time-expression.ts'
import { AMOUNT, UNIT } from '../time-words.ts'

/** How long something took or takes. What still goes on began so long ago. */
export const durations: readonly TimeRule[] = [
  // "He slept for nine hours.", "I have lived here for seven years.", "for a few months now"
  {
    pattern: new RegExp(
      String.raw`\bfor (?:about |around |almost |nearly |over |more than |at least |like )?${AMOUNT}\+? (?<unit>${UNIT})\b(?<now> now)?(?! ago\b)`,
      'gi'
    ),
    read: lasting
  },
  // "It's been two years since the flood.", "Two months into the job …"
  {
    pattern: new RegExp(
      String.raw`\b(?:it['’]s|it has|has|have) been (?:about |around |almost |nearly |over )?${AMOUNT} (?<unit>${UNIT})(?: now)?\b(?= since\b| now\b)`,
      'gi'
    ),
    read: ({ groups }, moment) => since(groups ?? {}, moment)
  }
]

function lasting(match: RegExpExecArray, moment: Moment): Reading | undefined {
  const { groups, input, index } = match
  const amount = amountOf(groups ?? {})
  if (amount === undefined) return undefined
  const goesOn = groups?.now !== undefined || PERFECT.test(input.slice(Math.max(0, index - PERFECT_UNITS), index))
  return goesOn && moment.at !== undefined ? since(groups ?? {}, moment) : { precision: amount.unit, kind: 'duration' }
}

/** How far before `for seven years` its `have` may stand, in UTF-16 code units. */
const PERFECT_UNITS = 80
const PERFECT = /(?:\b(?:have|has)\b|['’]ve\b|['’]s been\b)[^.;!?]*$/i

function since(groups: Record<string, string | undefined>, { at }: Moment): Reading | undefined {
  const amount = amountOf(groups)
  if (at === undefined || amount === undefined) return undefined
  const { unit, most, isVague } = amount
  const { from } = unitAt(unit, shift(unit, at, -most))
  return { from, precision: isVague ? COARSER[unit] : unit, kind: 'range', relation: 'since' }
}
