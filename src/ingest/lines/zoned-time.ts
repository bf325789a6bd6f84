import { Fault } from '../../contract/faults.ts'
import { parseIsoTime } from '../../memory/parse-iso-time.ts'

/** A time in milliseconds since 1970. `guessed`: the source gave no time zone, so that of `--tz` was taken. */
export type ZonedTime = { ms: number; guessed: boolean }

/** Fields of a time on a clock, with `month` from 1. */
export type ClockTime = {
  year: number
  month: number
  day: number
  hour?: number
  minute?: number
  second?: number
}

/**
 * Checks the name of a time zone.
 * @throws Fault `usage` if it is unknown.
 */
export function checkZone(zone: string): string {
  if (OFFSET.test(zone) || isKnownZone(zone)) return zone
  throw new Fault('usage', `unknown time zone '${zone}': expected a name such as Europe/Berlin, or +02:00`, {
    hint: 'memctl device ingest PATH --tz Europe/Berlin'
  })
}

const OFFSET = /^([+-])(\d\d):?(\d\d)$/

function isKnownZone(zone: string): boolean {
  try {
    createFormat(zone)
    return true
  } catch {
    return false
  }
}

/** Parses an ISO 8601 time. A time or date without a zone is taken in `zone`. Returns undefined for any other text. */
export function parseZonedTime(text: string, zone: string): ZonedTime | undefined {
  const utc = parseIsoTime(text)
  if (utc === undefined) return undefined
  const ms = Date.parse(utc)
  if (/(?:Z|[+-]\d\d:?(?:\d\d)?)$/i.test(text.trim().slice(11))) return { ms, guessed: false }
  return { ms: ms - findOffset(ms, zone), guessed: true }
}

/** Converts a time on a clock in `zone`. Returns undefined for a date that does not exist. */
export function toZonedTime(time: ClockTime, zone: string): ZonedTime | undefined {
  const { year, month, day, hour = 0, minute = 0, second = 0 } = time
  const two = (value: number): string => String(value).padStart(2, '0')
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return parseZonedTime(`${date}T${two(hour)}:${two(minute)}:${two(second)}`, zone)
}

/** Returns the offset from UTC, in milliseconds, of the clock time that reads `localMs` as if it were UTC. */
function findOffset(localMs: number, zone: string): number {
  if (zone === 'UTC') return 0
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? []
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  // The offset may change between the guess and the result, at most once.
  const guess = readOffset(localMs, zone)
  return readOffset(localMs - guess, zone)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function createFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric'
    })
    formats.set(zone, format)
  }
  return format
}

/** Reads how far the clock of a zone is ahead of UTC at an instant, in milliseconds. */
function readOffset(ms: number, zone: string): number {
  const parts = new Map(
    createFormat(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)])
  )
  const field = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  const local = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second')
  )
  return local - Math.floor(ms / 1000) * 1000
}
