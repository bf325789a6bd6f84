import { expect, test } from 'vitest'
import type { EventRecord } from '../../../src/contract/snapshot.ts'
import { eventTerm, eventTerms } from '../../../src/search/index/event-terms.ts'

function event(started_at: string | undefined, precision?: EventRecord['precision']): EventRecord {
  return { statement: 'It was', rule: 'time.past', span: [0, 6], started_at, precision } as EventRecord
}

const year = eventTerm('year', 2024)
const month = eventTerm('month', 3)
const day = eventTerm('day', 9)

test('events have the parts of their dates, no more exactly than is known', () => {
  const at = '2024-03-09T00:00:00.000Z'
  expect(eventTerms([event(at, 'day')])).toEqual([year, month, day])
  expect(eventTerms([event(at, 'minute')])).toEqual([year, month, day])
  for (const precision of ['month', 'week', undefined] as const) {
    expect(eventTerms([event(at, precision)])).toEqual([year, month])
  }
  expect(eventTerms([event(at, 'year'), event(at, 'season')])).toEqual([year])
  expect(eventTerms([event(undefined, 'day'), event('soon', 'day')])).toEqual([])
})

test('of very many events the first are looked at', () => {
  const many = Array.from({ length: 1000 }, (_, at) => event(`${3000 + at}-01-01T00:00:00.000Z`, 'year'))
  expect(eventTerms(many)).toHaveLength(300)
})
