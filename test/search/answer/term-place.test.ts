import { expect, test } from 'vitest'
import { createCoverage, createPlaceFinder, type RelationsOf } from '../../../src/search/answer/term-place.ts'

const TERMS = [
  { name: 'boiler', weight: 0.7 },
  { name: 'fail', weight: 0.3 }
]
const NO_RELATIONS: RelationsOf = () => ({ forms: [], related: [] })

test('each place says which term stands there and what it weighs', () => {
  expect(createPlaceFinder(TERMS, NO_RELATIONS)('Boilers fail. One failed')).toEqual([
    { term: 'boiler', start: 0, end: 7, weight: 0.7 },
    { term: 'fail', start: 8, end: 12, weight: 0.3 },
    { term: 'fail', start: 18, end: 24, weight: 0.3 }
  ])
})

test('a query of nothing is found nowhere', () => {
  expect(createPlaceFinder([], NO_RELATIONS)('Boilers fail')).toEqual([])
})

test('another form of a word counts as the word; a related one only where nothing else stands', () => {
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

test('coverage is the weight of the terms that a text has, each counted once, in any of their forms', () => {
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

test('a text that has only related words covers nothing of a query', () => {
  const relationsOf: RelationsOf = () => ({ forms: [], related: [{ term: 'travel', weight: 0.5 }] })
  expect(createCoverage([{ name: 'go', weight: 1 }], relationsOf)('They travel')).toBe(0)
})
