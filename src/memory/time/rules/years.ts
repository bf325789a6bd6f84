import { monthStart, yearOf } from '../calendar.ts'
import { instantOf } from '../instant-of.ts'
import type { Reading, TimeRule } from '../time-expression.ts'
import { DECADE, DECADES, YEAR } from '../time-words.ts'

/** Years and decades by their number. */
export const years: readonly TimeRule[] = [
  // "From 2016 to 2019 I lived abroad.", "the 2016-2019 plan"
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:from|between) )?(?<first>${YEAR})(?: to | and | through | until |-| - |–| – )(?<last>${YEAR})\b(?![-/.:]\d)`,
      'gi'
    ),
    read: ({ groups }) => between(Number(groups?.first), Number(groups?.last))
  },
  // "In 2019 we moved.", "It was back in late 1998.", "since 2016"
  {
    pattern: new RegExp(
      String.raw`(?<=\b(?:in|since|until|till|by|during|before|after|of|from|around|circa|through|throughout|early|late|mid|year|to|summer|spring|winter|autumn|fall)[ -])(?:the )?(?:(?:early|late|mid|year|end of|start of|beginning of)[ -])?(?<year>${YEAR})\b(?![-/.:,]?\d|s\b|%| ?(?:people|dollars|euros|miles|km|meters|metres|feet|steps|words|users|hours|years|days))`,
      'gi'
    ),
    read: ({ groups }) => yearsFrom(Number(groups?.year), 1)
  },
  // "He toured in the 90s.", "the early 1980s", "the seventies"
  {
    pattern: new RegExp(
      String.raw`\bthe (?:early |late |mid[ -])?['’]?(?:(?<century>1[0-9]|20)?(?<digits>\d0)['’]?s|(?<word>${DECADE}))\b`,
      'gi'
    ),
    read: ({ groups }, { at }) => decade(groups ?? {}, at)
  }
]

function between(first: number, last: number): Reading | undefined {
  return first < last ? { ...yearsFrom(first, last - first + 1), kind: 'range' } : undefined
}

function yearsFrom(year: number, count: number): Reading {
  return instantOf({ from: monthStart(year * 12), to: monthStart((year + count) * 12) }, 'year')
}

/** Without a century: the latest such decade that has begun. */
function decade(groups: Record<string, string | undefined>, at: number | undefined): Reading {
  const short = Number(groups.digits ?? DECADES[(groups.word ?? '').toLowerCase()])
  const latest = at === undefined || yearOf(at) < 2000 + short ? 1900 : 2000
  const year = groups.century === undefined ? latest + short : Number(groups.century) * 100 + short
  return { ...yearsFrom(year, 10), kind: 'range' }
}
