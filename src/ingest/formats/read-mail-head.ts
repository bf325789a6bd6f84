import { Buffer } from 'node:buffer'
import { type ClockTime, toZonedTime, type ZonedTime } from '../lines/zoned-time.ts'

/** Headers are looked for in this many bytes. */
const HEAD_BYTES_MAX = 64 * 1024

/** The headers of a message by their names in lower case, the first of each name, unfolded. */
export type MailHead = ReadonlyMap<string, string>

/** Reads the headers that place a message in a mailbox. The reader of mail reads all others. */
export function readMailHead(bytes: Uint8Array): MailHead {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES_MAX)).toString()
  const end = /\r?\n\r?\n/.exec(start)?.index
  const head = new Map<string, string>()
  for (const line of start
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([!-9;-~]{1,100}):[ \t]*(.*)$/.exec(line) ?? []
    if (name !== '' && !head.has(name.toLowerCase())) head.set(name.toLowerCase(), value.trim())
  }
  return head
}

/** Parses a time of RFC 5322, such as `Thu, 02 Jan 2025 10:20:30 +0100`, also in the obsolete forms. */
export function parseMailTime(text: string, zone: string): ZonedTime | undefined {
  const [, day, month = '', year = '', hour, minute, second, named = ''] =
    /(\d{1,2})[ -]+([A-Za-z]{3})[a-z]*[ -]+(\d{2,4})[ ,]+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([+-]\d{4}|[A-Z]{1,5})?/.exec(
      text
    ) ?? []
  const time = { day, month, hour, minute, second, year: year.length === 2 ? toFullYear(year) : year }
  return toTime(time, { named, zone })
}

/** Parses the time in the line that begins a message of an mbox, which is in UTC unless it has a zone. */
export function parseFromLine(line: string): ZonedTime | undefined {
  const [, month = '', day, hour, minute, second, before, year = '', after] =
    /\b([A-Z][a-z]{2}) +(\d{1,2}) +(\d{1,2}):(\d\d)(?::(\d\d))? +(?:([+-]\d{4}|[A-Z]{3,4}) +)?(\d{4})(?: +([+-]\d{4}))?/.exec(
      line
    ) ?? []
  return toTime({ day, month, year, hour, minute, second }, { named: before ?? after ?? 'UTC', zone: 'UTC' })
}

type TimeTexts = { month: string } & Record<Exclude<keyof ClockTime, 'month'>, string | undefined>

function toTime(texts: TimeTexts, { named, zone }: { named: string; zone: string }): ZonedTime | undefined {
  const month = MONTHS.indexOf(texts.month.toLowerCase()) + 1
  if (month === 0) return undefined
  const { day, year, hour, minute, second } = texts
  const time = {
    year: Number(year),
    month,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second ?? 0)
  }
  const known = ZONES[named] ?? (/^[+-]/.test(named) ? named : undefined)
  const found = toZonedTime(time, known ?? zone)
  return found && { ms: found.ms, guessed: known === undefined }
}

/** RFC 5322 section 4.3. */
function toFullYear(year: string): string {
  return `${Number(year) < 50 ? '20' : '19'}${year}`
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** The zones of RFC 5322 section 4.3. Other names have several meanings. */
const ZONES: Readonly<Record<string, string>> = {
  UT: '+0000',
  UTC: '+0000',
  GMT: '+0000',
  Z: '+0000',
  EST: '-0500',
  EDT: '-0400',
  CST: '-0600',
  CDT: '-0500',
  MST: '-0700',
  MDT: '-0600',
  PST: '-0800',
  PDT: '-0700'
}
