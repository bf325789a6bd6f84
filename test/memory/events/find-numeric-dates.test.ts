import { expect, test } from 'vitest'
import { findNumericDates } from '../../../src/memory/events/find-numeric-dates.ts'
import { understand } from '../../../src/memory/understand.ts'

test.each([
  ['Nous partons le 5.6.2021. Il fait chaud.', '2021-06-05', 'Nous partons le 5.6.2021'],
  ['Wir sehen uns am 2024-03-09 in der Halle.', '2024-03-09', 'Wir sehen uns am 2024-03-09 in der Halle.'],
  ['会議は 2024-03-09 です。場所は未定。', '2024-03-09', '会議は 2024-03-09 です']
])('finds the date in %s', (text, day, statement) => {
  const { facts, events } = understand({ text, at: undefined, speaker: undefined, title: undefined })
  expect(facts).toBeUndefined()
  expect(events).toMatchObject([{ statement, precision: 'day', started_at: `${day}T00:00:00.000Z` }])
})

test('ignores incomplete numeric dates', () => {
  const text = 'Version 10.4.20 um 10:30, 31.2.2021, 1/2 Liter'
  expect(findNumericDates(text, { start: 0, end: text.length })).toEqual([])
})

test('limits the dates of a long line, each with the words around it', () => {
  const text = 'le 5.6.2021 et '.repeat(500)
  const dates = findNumericDates(text, { start: 0, end: text.length })
  expect(dates).toHaveLength(20)
  for (const { statement } of dates) expect(statement.length).toBeLessThanOrEqual(320)
})
