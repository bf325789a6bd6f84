import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The shared evaluation data, which is no part of this project and may lie beside it. */
export const dataFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shared', 'data')

/** The values of a JSON Lines file. */
export function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** A document of a set as its README says a memory is made of it; `at` in ms since 1970, undefined where it has no date. */
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

/** `1:56 pm on 8 May, 2023` as ms since 1970. */
function dateOf(text) {
  const [, hour, minute, half, day] = /^(\d+):(\d+) (am|pm) on (.+)$/.exec(text)
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  return Date.parse(`${day} UTC`) + (hours * 60 + Number(minute)) * 60_000
}
