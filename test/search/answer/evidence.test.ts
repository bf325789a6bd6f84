import { expect, test } from 'vitest'
import { evidenceIn } from '../../../src/search/answer/evidence.ts'

test('each place says which term stands there and what it weighs', () => {
  const terms = [
    { name: 'boiler', weight: 0.7 },
    { name: 'fail', weight: 0.3 }
  ]
  expect(evidenceIn('Boilers fail. One failed', terms)).toEqual([
    { term: 'boiler', start: 0, end: 7, weight: 0.7 },
    { term: 'fail', start: 8, end: 12, weight: 0.3 },
    { term: 'fail', start: 18, end: 24, weight: 0.3 }
  ])
})

test('a query of nothing is found nowhere', () => {
  expect(evidenceIn('Boilers fail', [])).toEqual([])
})
