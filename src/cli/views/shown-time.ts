import { shortTime } from '../output/short-forms.ts'

/** A time as a hit shows it: to the minute, to the day where it is midnight; nothing where there is none. UTC. */
export function shownTime(time: string | null): string {
  const short = shortTime(time)
  return short.endsWith(MIDNIGHT) && time?.endsWith('T00:00:00.000Z') ? short.slice(0, -MIDNIGHT.length) : short
}

/** From when to when: a day that both share is said once. */
export function shownPeriod(from: string | null, to: string | null): string {
  const [start, end] = [shownTime(from), shownTime(to)]
  if (start === '' || end === '' || start === end) return start || end
  const day = start.slice(0, DAY_LENGTH)
  return `${start} to ${end.startsWith(`${day} `) && start !== day ? end.slice(DAY_LENGTH + 1) : end}`
}

/** A time to the day, in UTC. */
export function shownDay(time: string): string {
  return shortTime(time).slice(0, DAY_LENGTH)
}

const MIDNIGHT = ' 00:00'
const DAY_LENGTH = 'YYYY-MM-DD'.length
