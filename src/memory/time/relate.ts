import { amountOf } from './amount.ts'
import { shift, unitAt } from './calendar.ts'
import type { Found, Relation } from './time-expression.ts'
import { AMOUNT, UNIT } from './time-words.ts'

/** A time with the words before it: `since May`, `until Friday`, `two weeks before Christmas`. */
export function relate(found: Found, text: string): Found {
  if (found.kind === 'recurring' || found.kind === 'duration' || found.relation !== undefined) return found
  const preceding = text.slice(Math.max(0, found.start - PRECEDING_UNITS), found.start)
  return counted(found, preceding) ?? related(found, preceding) ?? found
}

/** How far before a time its `two weeks before` may begin, in UTF-16 code units. */
const PRECEDING_UNITS = 40

const RELATED =
  /\b(?<word>since|until|till|til|by|before|after|during|throughout|from|between)\s+(?:the\s+|about\s+|around\s+)?$/i

function related(found: Found, preceding: string): Found | undefined {
  const match = RELATED.exec(preceding)
  const word = match?.groups?.word?.toLowerCase() ?? ''
  if (match === null || found.from === undefined || found.to === undefined) return undefined
  const { from, to, precision } = found
  const start = found.start - match[0].length
  const end = found.end
  const open = (relation: Relation, sides: { from?: number; to?: number }): Found => ({
    start,
    end,
    ...sides,
    precision,
    kind: 'range',
    relation
  })
  if (word === 'since') return open('since', { from })
  if (word === 'before') return open('before', { to: from })
  if (word === 'after') return open('after', { from: to })
  if (/^(?:un)?till?$|^by$/.test(word)) return open('until', { to })
  if (word === 'from' || word === 'between') return found.kind === 'range' ? { ...found, start } : undefined
  return { ...found, start, relation: 'during' }
}

const COUNTED = new RegExp(String.raw`\b(?:${AMOUNT}|the) (?<unit>${UNIT}) (?:(?<before>before)|after) (?:the )?$`, 'i')

function counted(found: Found, preceding: string): Found | undefined {
  const match = COUNTED.exec(preceding)
  const amount = amountOf({ ...match?.groups, number: match?.groups?.number ?? 'one' })
  if (!match || amount === undefined || found.from === undefined) return undefined
  const away = match.groups?.before === undefined ? amount.least : -amount.least
  const stretch = unitAt(amount.unit, shift(amount.unit, found.from, away))
  return { start: found.start - match[0].length, end: found.end, ...stretch, precision: amount.unit, kind: 'instant' }
}
