import { Fault } from '../../contract/faults.ts'

/**
 * Parses a time that a person writes to the form of the wire (UTC with milliseconds). Accepts ISO 8601, where a missing
 * zone means UTC and a missing time means midnight, and a duration before now, such as `2h` or `2h ago`. Throws a usage
 * fault that names the flag.
 */
export function parseTime(text: string, flag: string, nowMs: number): string {
  const back = parseDuration(text.trim().replace(/\s+ago$/, ''))
  const ms = back === undefined ? isoMs(text.trim()) : nowMs - back
  if (ms !== undefined && ms >= FIRST_MS && ms <= LAST_MS) return new Date(ms).toISOString()
  throw new Fault('usage', `invalid ${flag} '${text}': expected a time in ISO 8601 or a duration before now`, {
    hint: `for example ${flag} 2026-01-31, ${flag} 2026-01-31T18:30:00+02:00, or ${flag} 2h for two hours ago`
  })
}

/** The limits of years with four digits. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

function isoMs(text: string): number | undefined {
  const [, day, minute = '00:00', second = '00', fraction = '', zone = 'Z'] = text.match(ISO) ?? []
  if (day === undefined) return undefined
  const wall = `${day}T${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`
  const ms = Date.parse(`${wall}Z`)
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== `${wall}Z`) return undefined
  const shift = zoneMs(zone)
  return shift === undefined ? undefined : ms - shift
}

/** Returns the offset of a zone from UTC in milliseconds. */
function zoneMs(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0
  const [, sign, hours = '0', minutes = '0'] = zone.match(/^([+-])(\d\d):?(\d\d)?$/) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Parses a duration such as `500ms`, `30s`, `10m`, `2h`, `3d` or `1w` to milliseconds. Returns undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = text.trim().match(/^(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h|d|w)$/) ?? []
  const size = UNITS_MS[unit ?? '']
  return amount === undefined || size === undefined ? undefined : Math.round(Number(amount) * size)
}

const SECOND_MS = 1000
const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3600 * SECOND_MS,
  d: 24 * 3600 * SECOND_MS,
  w: 7 * 24 * 3600 * SECOND_MS
}
