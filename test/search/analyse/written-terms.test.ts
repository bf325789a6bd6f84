import { expect, test } from 'vitest'
import { writtenTerms } from '../../../src/search/analyse/written-terms.ts'

test('terms are given as the text first writes them', () => {
  const written = writtenTerms('Flights to Évora, then FLIGHT home', ['flight', 'evora', 'train'])
  expect([...written]).toEqual([
    ['flight', 'Flights'],
    ['evora', 'Évora']
  ])
})

test('what comes late in a very long text is left out', () => {
  const text = `early ${'\ufdfa'.repeat(1_000_000)} late`
  expect([...writtenTerms(text, ['earli', 'late'])]).toEqual([['earli', 'early']])
})
