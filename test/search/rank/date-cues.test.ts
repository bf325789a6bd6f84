import { expect, test } from 'vitest'
import { findDateCues } from '../../../src/search/rank/query-cues.ts'

test.each([
  ['What did Anna do on 8 May 2023?', ['month:5', 'day:8', 'year:2023']],
  ['on the 3rd of March', ['month:3', 'day:3']],
  ['December 24th, 1999', ['month:12', 'day:24', 'year:1999']],
  ['in May', ['month:5']],
  ['May 2022', ['month:5', 'year:2022']],
  ['log of 2023-05-08', ['month:5', 'day:8', 'year:2023']],
  ['report 2024-11', ['month:11', 'year:2024']],
  ['you may march on', []],
  ['since March', ['month:3']],
  ['Sept. 5 at 10:30', ['month:9', 'day:5']],
  ['June 10:30', ['month:6']],
  ['How was June?', ['month:6']],
  ['photos june', ['month:6']],
  ['Where does Jun work?', []],
  ['What is June afraid of?', []],
  ["What is April's job?", []],
  ['room 3000 or 99', []],
  ['', []]
])('finds the dates in %j', (query, names) => {
  expect(findDateCues(query).map(({ name }) => name)).toEqual(names)
})

test('reads a long query in linear time', () => {
  expect(findDateCues('1 may '.repeat(200_000)).map(({ name }) => name)).toEqual(['month:5', 'day:1'])
})
