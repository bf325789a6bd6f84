import type { Unit } from './calendar.ts'
import { NUMBERS, VAGUE_NUMBERS } from './time-words.ts'

/** So many of a unit, between `least` and `most`. */
export type Amount = { unit: Unit; least: number; most: number; isVague: boolean }

/** What the groups `number`, `half` and `unit` of a match say (`half a year`, `a couple of weeks`, `few days`). */
export function amountOf(groups: Readonly<Record<string, string | undefined>>): Amount | undefined {
  const unit = unitOf(groups.unit ?? '')
  const word = (groups.number ?? '').toLowerCase()
  if (unit === undefined || word === '') return undefined
  const [least, most] = VAGUE_NUMBERS[word] ?? both(NUMBERS[word] ?? Number(word))
  if (groups.half !== undefined) return halfOf(unit.name)
  return { unit: unit.name, least: least * unit.times, most: most * unit.times, isVague: least !== most }
}

/** A unit by any of its names; a decade is ten years, a quarter three months. */
export function unitOf(word: string): { name: Unit; times: number } | undefined {
  const lower = word.toLowerCase()
  return UNITS[lower] ?? UNITS[lower.replace(/s$/, '')]
}

const UNITS: Readonly<Record<string, { name: Unit; times: number }>> = {
  minute: { name: 'minute', times: 1 },
  min: { name: 'minute', times: 1 },
  hour: { name: 'hour', times: 1 },
  hr: { name: 'hour', times: 1 },
  day: { name: 'day', times: 1 },
  night: { name: 'day', times: 1 },
  week: { name: 'week', times: 1 },
  fortnight: { name: 'week', times: 2 },
  month: { name: 'month', times: 1 },
  quarter: { name: 'month', times: 3 },
  season: { name: 'season', times: 1 },
  year: { name: 'year', times: 1 },
  yr: { name: 'year', times: 1 },
  decade: { name: 'year', times: 10 }
}

function halfOf(unit: Unit): Amount | undefined {
  if (unit === 'year') return { unit: 'month', least: 6, most: 6, isVague: false }
  if (unit === 'hour') return { unit: 'minute', least: 30, most: 30, isVague: false }
  return unit === 'day' ? { unit: 'hour', least: 12, most: 12, isVague: false } : undefined
}

function both(count: number): [number, number] {
  return [count, count]
}
