import type { DateCue } from './date-cues.ts'

const DAY_MS = 86_400_000

/**
 * Reads the asked part of a time (ms since 1970, in UTC). It is worked out once a day's number: turns of one day follow
 * each other.
 */
export function datePartOf(part: DateCue['part']): (time: number) => number {
  let day = Number.NaN
  let value = 0
  return (time) => {
    const here = Math.floor(time / DAY_MS)
    if (here === day) return value
    day = here
    const date = new Date(here * DAY_MS)
    value = part === 'year' ? date.getUTCFullYear() : part === 'month' ? date.getUTCMonth() + 1 : date.getUTCDate()
    return value
  }
}
