import { expect, test } from 'vitest'
import type { EventRecord } from '../../../src/contract/snapshot.ts'
import { buildEventTerm, collectEventTerms } from '../../../src/search/index/collect-about-terms.ts'

function event(started_at: string | undefined, precision?: EventRecord['precision']): EventRecord {
  return { statement: 'It was', rule: 'time.past', span: [0, 6], started_at, precision } as EventRecord
}

const year = buildEventTerm('year', 2024)
const month = buildEventTerm('month', 3)
const day = buildEventTerm('day', 9)

test('gives events the parts of their dates up to their precision', () => {
  const at = '2024-03-09T00:00:00.000Z'
  expect(collectEventTerms([event(at, 'day')])).toEqual([year, month, day])
  expect(collectEventTerms([event(at, 'minute')])).toEqual([year, month, day])
  for (const precision of ['month', 'week', undefined] as const) {
    expect(collectEventTerms([event(at, precision)])).toEqual([year, month])
  }
  expect(collectEventTerms([event(at, 'year'), event(at, 'season')])).toEqual([year])
  expect(collectEventTerms([event(undefined, 'day'), event('soon', 'day')])).toEqual([])
})

test('examines only the first of very many events', () => {
  const many = Array.from({ length: 1000 }, (_, at) => event(`${3000 + at}-01-01T00:00:00.000Z`, 'year'))
  expect(collectEventTerms(many)).toHaveLength(300)
})
