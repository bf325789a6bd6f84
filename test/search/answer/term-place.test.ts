import { expect, test } from 'vitest'
import { createCoverage, createPlaceFinder, type RelationsOf } from '../../../src/search/answer/term-place.ts'

const TERMS = [
  { name: 'boiler', weight: 0.7 },
  { name: 'fail', weight: 0.3 }
]
const NO_RELATIONS: RelationsOf = () => ({ forms: [], related: [] })

test('returns each place with its term and weight', () => {
  expect(createPlaceFinder(TERMS, NO_RELATIONS)('Boilers fail. One failed')).toEqual([
    { term: 'boiler', start: 0, end: 7, weight: 0.7 },
    { term: 'fail', start: 8, end: 12, weight: 0.3 },
    { term: 'fail', start: 18, end: 24, weight: 0.3 }
  ])
})

test('finds nothing for an empty query', () => {
  expect(createPlaceFinder([], NO_RELATIONS)('Boilers fail')).toEqual([])
})

test('counts another form as the word, and a related word only if there is nothing else', () => {
  const relationsOf: RelationsOf = (term) => ({
    forms:
      term === 'go'
        ? [
            { term: 'went', weight: 1 },
            { term: 'gone', weight: 0.2 }
          ]
        : [],
    related: term === 'go' ? [{ term: 'travel', weight: 0.5 }] : []
  })
  const find = createPlaceFinder([{ name: 'go', weight: 1 }], relationsOf)
  const found = (text: string) => find(text).map(({ term, start, end }) => [term, text.slice(start, end)])
  expect(found('She went to travel')).toEqual([['go', 'went']])
  expect(found('They travelled, all gone')).toEqual([['go', 'travelled']])
})

test('computes coverage from the weights of the terms in a text, each once, in any form', () => {
  const relationsOf: RelationsOf = (term) => ({
    forms: term === 'go' ? [{ term: 'went', weight: 1 }] : [],
    related: []
  })
  const terms = [
    { name: 'go', weight: 0.4 },
    { name: 'boiler', weight: 0.5 }
  ]
  const coverageOf = createCoverage(terms, relationsOf)
  expect(coverageOf('The boiler went, and went again')).toBeCloseTo(0.9)
  expect(coverageOf('We went home')).toBeCloseTo(0.4)
  expect(coverageOf('nothing of it')).toBe(0)
})

test('computes no coverage for a text with related words only', () => {
  const relationsOf: RelationsOf = () => ({ forms: [], related: [{ term: 'travel', weight: 0.5 }] })
  expect(createCoverage([{ name: 'go', weight: 1 }], relationsOf)('They travel')).toBe(0)
})
