import { expect, test } from 'vitest'
import { toTerm } from '../../../src/search/analyse/to-term.ts'

/** Words and stems from the published description of Porter2. */
const SAMPLE = {
  consign: 'consign',
  consigned: 'consign',
  consigning: 'consign',
  consignment: 'consign',
  consist: 'consist',
  consisted: 'consist',
  consistency: 'consist',
  consistent: 'consist',
  consistently: 'consist',
  consisting: 'consist',
  consolation: 'consol',
  consolations: 'consol',
  consolatory: 'consolatori',
  console: 'consol',
  consoled: 'consol',
  conspicuously: 'conspicu',
  conspiracy: 'conspiraci',
  conspirators: 'conspir',
  constable: 'constabl',
  constancy: 'constanc',
  knack: 'knack',
  knackeries: 'knackeri',
  knavish: 'knavish',
  kneaded: 'knead',
  kneeling: 'kneel',
  knightly: 'knight',
  knitted: 'knit',
  knives: 'knive',
  knocker: 'knocker',
  knotted: 'knot',
  skies: 'sky',
  dying: 'die',
  news: 'news',
  hoping: 'hope',
  hopping: 'hop',
  generously: 'generous',
  happily: 'happili',
  relational: 'relat',
  controlling: 'control',
  agreed: 'agre',
  ties: 'tie',
  cries: 'cri',
  gas: 'gas',
  gaps: 'gap'
}

test.each(Object.entries(SAMPLE))('converts %s to the term %s', (word, stem) => {
  expect(toTerm(word)).toBe(stem)
})

test('keeps words with characters outside a to z unchanged', () => {
  expect(['b2b', '3rd', 'москва', 'ab'].map(toTerm)).toEqual(['b2b', '3rd', 'москва', 'ab'])
})

test('returns no term for a stop word', () => {
  expect(['the', 'dont', 'who'].map(toTerm)).toEqual(['', '', ''])
})

test('returns the same term for a word after the cache has overflowed', () => {
  const before = toTerm('wandering')
  for (let number = 0; number < 150_000; number++) toTerm(`w${number}`)
  expect(toTerm('wandering')).toBe(before)
})
