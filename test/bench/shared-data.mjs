import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the shared evaluation data, which is not part of this project and may be beside it. */
export const dataFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shared', 'data')

/** Returns the values of a JSON Lines file. */
export function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/**
 * Converts a document of a set to the source of a memory as its README describes. `at` is in ms since 1970, undefined
 * without a date.
 */
export function sourceOf({ text, caption, title, speaker, group, session, pos, date }) {
  const isTurn = session !== undefined
  return {
    text: caption === undefined ? text : `${text} [image: ${caption}]`,
    title,
    speaker,
    conversation: isTurn ? `${group}#${session}` : undefined,
    position: isTurn ? pos + 1 : undefined,
    at: date === undefined ? undefined : dateOf(date)
  }
}

/** Reads a date of any of the sets as UTC and returns it in ms since 1970. A month is a name or a number. */
function dateOf(text) {
  const form = DATE_FORMS.find((one) => one.test(text))
  if (form === undefined) throw new Error(`unknown form of date in an evaluation set: ${text}`)
  const { hour = 0, minute = 0, second = 0, half, year, month, day } = form.exec(text).groups
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  const monthIndex = /^\d/.test(month) ? Number(month) - 1 : MONTHS.indexOf(month.slice(0, 3))
  return Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute), Number(second))
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const DATE_FORMS = [
  // 1:56 pm on 8 May, 2023
  /^(?<hour>\d+):(?<minute>\d+) (?<half>am|pm) on (?<day>\d+) (?<month>[A-Z][a-z]+), (?<year>\d{4})$/,
  // 29.12.2023, 22:42:04
  /^(?<day>\d+)\.(?<month>\d+)\.(?<year>\d{4}), (?<hour>\d+):(?<minute>\d+):(?<second>\d+)$/,
  // March-15-2024
  /^(?<month>[A-Z][a-z]+)-(?<day>\d+)-(?<year>\d{4})$/,
  // 2023-12-25
  /^(?<year>\d{4})-(?<month>\d+)-(?<day>\d+)$/
]
