import { expect, test } from 'vitest'
import { findWrittenTerms } from '../../../src/search/analyse/find-term-spans.ts'

test('returns terms as the text first spells them', () => {
  const written = findWrittenTerms('Flights to Évora, then FLIGHT home', ['flight', 'evora', 'train'])
  expect([...written]).toEqual([
    ['flight', 'Flights'],
    ['evora', 'Évora']
  ])
})

test('ignores terms that occur late in a very long text', () => {
  const text = `early ${'\ufdfa'.repeat(1_000_000)} late`
  expect([...findWrittenTerms(text, ['earli', 'late'])]).toEqual([['earli', 'early']])
})
