import type { EventRecord } from '../../contract/snapshot.ts'

/** When something that a memory tells of was, stands after this mark. Of terms only one of nothing but spaces begins with it. */
const DATE_MARK = '\r'

/** So many events of one memory are looked at. */
const EVENTS_MAX = 300

/** The term of a part of a date at which something was that a memory tells of. */
export function eventTerm(part: 'year' | 'month' | 'day', value: number): string {
  return `${DATE_MARK}${part}:${value}`
}

/** The parts of the dates at which events began, as terms, each once: as exact as the memory is, in UTC. */
export function eventTerms(events: readonly EventRecord[]): string[] {
  const terms = new Set<string>()
  for (const { started_at, precision } of events.slice(0, EVENTS_MAX)) {
    const [, year, month, day] = DATE.exec(started_at ?? '') ?? []
    if (year === undefined) continue
    terms.add(eventTerm('year', Number(year)))
    if (precision === undefined || !MONTHLESS.has(precision)) terms.add(eventTerm('month', Number(month)))
    if (precision !== undefined && DAILY.has(precision)) terms.add(eventTerm('day', Number(day)))
  }
  return [...terms]
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})/
const MONTHLESS: ReadonlySet<string> = new Set(['year', 'season'])
const DAILY: ReadonlySet<string> = new Set(['day', 'hour', 'minute'])
