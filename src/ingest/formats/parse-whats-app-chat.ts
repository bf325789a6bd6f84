import { toZonedTime, type ZonedTime } from '../lines/zoned-time.ts'

/** The stamp that begins a message, and the rest of its line. */
export const STAMP =
  /^[\ufeff\u200e\u200f]*\[?(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{1,4})\.?,?\s+(?:(上午|下午|午前|午後|오전|오후|at|um|à|às|alle)\s*)?(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:\s*([ap])\.?\s?m\.?)?(?:\]|\s[-–])\s?(.*)$/iu

/** A message of a chat. Without a `speaker` it is a line that WhatsApp wrote. */
export type WhatsAppMessage = { time: ZonedTime | undefined; speaker: string | undefined; text: string }

/** Numbers of a date in the order of the file. */
type Stamp = {
  parts: readonly [string, string, string]
  separator: string
  hour: number
  minute: number
  second: number
  halves: boolean
}

type Order = 'dmy' | 'mdy' | 'ymd'

/** Parses the text of a chat. Lines without a stamp belong to the message before them. */
export function parseWhatsAppChat(text: string, zone: string): WhatsAppMessage[] {
  const found: { stamp: Stamp; lines: string[] }[] = []
  for (const line of text.split(/\r?\n/)) {
    const match = STAMP.exec(line)
    if (match !== null) found.push({ stamp: readStamp(match), lines: [match[10] ?? ''] })
    else found.at(-1)?.lines.push(line)
  }
  const order = chooseOrder(found.map(({ stamp }) => stamp))
  return found.map(({ stamp, lines }) => ({
    time: toTime(stamp, order, zone),
    ...splitSpeaker(lines.join('\n').trim())
  }))
}

/** The words for the second half of the day, besides `p. m.`. */
const AFTERNOON: ReadonlySet<string> = new Set(['下午', '午後', '오후'])
const MORNING: ReadonlySet<string> = new Set(['上午', '午前', '오전'])

function readStamp(match: RegExpExecArray): Stamp {
  const [, one = '', separator = '', two = '', three = '', word = '', hour = '', minute, second, letter] = match
  const half = letter?.toLowerCase() ?? (AFTERNOON.has(word) ? 'p' : MORNING.has(word) ? 'a' : undefined)
  return {
    parts: [one, two, three],
    separator,
    hour: half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0),
    minute: Number(minute),
    second: Number(second ?? 0),
    halves: half !== undefined
  }
}

/**
 * Chooses the order of day and month for the whole file: by a number above 12; otherwise the order in which fewer times go
 * backwards; otherwise as the separator and the clock are used together.
 */
function chooseOrder(stamps: readonly Stamp[]): Order {
  const [first] = stamps
  if (first === undefined || stamps.some(({ parts }) => parts[0].length > 2)) return 'ymd'
  const daysFirst = stamps.filter(({ parts }) => Number(parts[0]) > 12).length
  const monthsFirst = stamps.filter(({ parts }) => Number(parts[1]) > 12).length
  if (daysFirst !== monthsFirst) return daysFirst > monthsFirst ? 'dmy' : 'mdy'
  const difference = countBackwards(stamps, 'dmy') - countBackwards(stamps, 'mdy')
  if (difference !== 0) return difference < 0 ? 'dmy' : 'mdy'
  return first.separator === '/' && first.halves ? 'mdy' : 'dmy'
}

function countBackwards(stamps: readonly Stamp[], order: Order): number {
  let before = ''
  let count = 0
  for (const stamp of stamps) {
    const { year, month, day } = toDate(stamp, order)
    const key = [year, month, day].map((part) => String(part).padStart(4, '0')).join()
    if (key < before) count += 1
    before = key
  }
  return count
}

function toDate({ parts: [one, two, three] }: Stamp, order: Order): { year: number; month: number; day: number } {
  if (order === 'ymd') return { year: Number(one), month: Number(two), day: Number(three) }
  const year = three.length <= 2 ? 2000 + Number(three) : Number(three)
  return order === 'dmy'
    ? { year, month: Number(two), day: Number(one) }
    : { year, month: Number(one), day: Number(two) }
}

function toTime(stamp: Stamp, order: Order, zone: string): ZonedTime | undefined {
  const { hour, minute, second } = stamp
  return toZonedTime({ ...toDate(stamp, order), hour, minute, second }, zone)
}

/** Longer names do not exist: WhatsApp allows 25 letters, and a phone's contacts few more. */
const NAME_UNITS_MAX = 100

/**
 * Splits a message at the colon after its speaker. A line with quotes before the colon reports an event, such as the change
 * of a subject.
 */
function splitSpeaker(body: string): { speaker: string | undefined; text: string } {
  const end = body.indexOf(':')
  const name = body.slice(0, end)
  const isEvent = end < 1 || end > NAME_UNITS_MAX || /["“”\n]/.test(name) || body.startsWith('//', end + 1)
  if (isEvent) return { speaker: undefined, text: body }
  return { speaker: name.replace(/^[\u200e\u200f~\s]+/, ''), text: body.slice(end + 1).trim() }
}
