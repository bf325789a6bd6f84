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

/** Parses `1:56 pm on 8 May, 2023` as ms since 1970. */
function dateOf(text) {
  const [, hour, minute, half, day] = /^(\d+):(\d+) (am|pm) on (.+)$/.exec(text)
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  return Date.parse(`${day} UTC`) + (hours * 60 + Number(minute)) * 60_000
}
