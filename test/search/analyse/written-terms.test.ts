import { expect, test } from 'vitest'
import { findWrittenTerms } from '../../../src/search/analyse/find-term-spans.ts'

test('terms are given as the text first writes them', () => {
  const written = findWrittenTerms('Flights to Évora, then FLIGHT home', ['flight', 'evora', 'train'])
  expect([...written]).toEqual([
    ['flight', 'Flights'],
    ['evora', 'Évora']
  ])
})

test('what comes late in a very long text is left out', () => {
  const text = `early ${'\ufdfa'.repeat(1_000_000)} late`
  expect([...findWrittenTerms(text, ['earli', 'late'])]).toEqual([['earli', 'early']])
})
