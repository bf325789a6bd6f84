import { expect, test } from 'vitest'
import { type LexicalSources, makeRelatedTerms } from '../../../bin/related-terms/make-related-terms.ts'
import { createRelatedTerms } from '../../../src/search/related/related-terms.ts'

/**
 * A small dictionary in WordNet's format. A boat is a vessel and a punt is a boat; a rower rows, and a row is also a
 * line; the Titanic is an instance of a boat, not a kind.
 */
const NOUNS = [
  '  1 This line stands for the licence.',
  '00000010 06 n 01 vessel 0 001 ~ 00000020 n 0000 | what goes on water',
  '00000020 06 n 02 boat 0 bark 0 003 @ 00000010 n 0000 ~ 00000030 n 0000 ~i 00000060 n 0000 | a small vessel',
  '00000030 06 n 02 punt 0 flat-bottomed_boat 0 001 @ 00000020 n 0000 | a boat for shallow water',
  '00000040 04 n 02 row 0 line 1 000 | things side by side',
  '00000050 18 n 01 rower 0 001 + 00000070 v 0101 | who rows; "one | bar too many"',
  '00000060 06 n 01 Titanic 0 001 @i 00000020 n 0000 | one boat',
  '00000080 06 n 01 dory 0 001 @ 00000020 n 0000 | never met'
]
const VERBS = ['00000070 38 v 02 row 0 paddle 0 001 + 00000050 n 0101 01 + 02 00 | move with oars']
const ADJECTIVES = ['00000090 00 s 02 nautical(a) 0 marine 0 001 \\ 00000010 n 0101 | of vessels']
const SENSES = [
  'vessel%1:06:00:: 00000010 1 4',
  'boat%1:06:00:: 00000020 1 30',
  'bark%1:06:00:: 00000020 1 1',
  'punt%1:06:00:: 00000030 1 1',
  'row%1:04:00:: 00000040 1 9',
  'line%1:04:00:: 00000040 1 9',
  'rower%1:18:00:: 00000050 1 0',
  'row%2:38:00:: 00000070 1 9',
  'paddle%2:38:00:: 00000070 1 1',
  'dory%1:06:00:: 00000080 1 0',
  'nautical%5:00:00:vessel:00 00000090 1 2',
  'marine%5:00:00:vessel:00 00000090 1 2'
]
const EXCEPTIONS: [string, string][] = [
  ['rowen', 'row'],
  ['boaten', 'boat'],
  ['barken', 'bark'],
  ['line', 'dory']
]

const sources = (exceptions = EXCEPTIONS): LexicalSources => ({
  wordnet: {
    data: { n: `${NOUNS.join('\n')}\n`, v: `${VERBS.join('\n')}\n`, a: `${ADJECTIVES.join('\n')}\n`, r: '' },
    senses: `${SENSES.join('\n')}\n`
  },
  exceptions
})

const made = createRelatedTerms(makeRelatedTerms(sources()))
const related = (term: string) => new Map(made.of(term).related.map(({ term: other, weight }) => [other, weight]))

test('relates words of one meaning fully, and of one meaning among two by half', () => {
  expect(related('boat').get('bark')).toBe(1)
  expect(related('line').get('row')).toBe(0.75)
  expect(related('row').get('line')).toBe(0.75)
  expect(related('nautic').get('marin')).toBe(1)
})

test('relates kinds two levels down, never up, and excludes instances', () => {
  expect([...related('vessel').keys()]).toEqual(expect.arrayContaining(['boat', 'bark', 'punt']))
  expect(related('punt').size).toBe(0)
  expect(related('boat').has('titan')).toBe(false)
})

test('relates derived words both ways, whichever one the pointer is at', () => {
  expect(related('row').get('rower')).toBe(0.75)
  expect(related('rower').get('row')).toBe(0.75)
  expect(related('vessel').get('nautic')).toBe(1)
  expect(related('nautic').get('vessel')).toBe(1)
})

test('keeps words without known use only beside a word in use', () => {
  expect(related('boat').has('dori')).toBe(true)
  expect(made.of('dori').related).toEqual([])
})

test('counts a form as its word unless it is mostly another word', () => {
  expect(made.of('rowen').forms).toEqual([{ term: 'row', weight: 1 }])
  expect(made.of('row').forms).toEqual([{ term: 'rowen', weight: 1 }])
  expect(made.of('line').forms).toEqual([])
})

test('gives the same bytes for the same sources in any order', () => {
  const bytes = makeRelatedTerms(sources())
  expect(makeRelatedTerms(sources())).toEqual(bytes)
  expect(makeRelatedTerms(sources([...EXCEPTIONS].reverse()))).toEqual(bytes)
})
