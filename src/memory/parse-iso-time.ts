/**
 * Parses an ISO 8601 time and returns it as UTC with milliseconds. A date alone means its midnight, and a time without
 * a zone is UTC. Returns undefined for anything else, including dates that do not exist.
 */
export function parseIsoTime(text: string): string | undefined {
  if (FINISHED.test(text)) return text
  const match = PATTERN.exec(text.trim())
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const ms = Number((match[7] ?? '').slice(1, 4).padEnd(3, '0'))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return undefined
  date.setUTCHours(hour, minute - parseZone(match[8]), second, ms)
  return formatTime(date.getTime())
}

/** Pattern of a time in a snapshot, with each field within its bounds. It does not check the length of the month. */
export const TIME_PATTERN = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z`
export const TIME_TEXT = new RegExp(`^${TIME_PATTERN}$`)

/** Formats milliseconds since 1970 as a time, or returns undefined outside the years 0 to 9999. */
export function formatTime(ms: number): string | undefined {
  if (!(ms >= FIRST_MS && ms <= LAST_MS)) return undefined
  return new Date(ms).toISOString()
}

/**
 * Matches a time that is already in the snapshot form, on a day that every month has. Most times that programs send
 * match.
 */
const FINISHED = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)([.,]\d{1,9})?)?\s*(Z|[+-]\d\d:?(?:\d\d)?)?)?$/i

const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

function parseZone(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return zone.startsWith('-') ? -minutes : minutes
}
