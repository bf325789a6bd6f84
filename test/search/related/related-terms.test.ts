import { expect, test } from 'vitest'
import { nodeAssets } from '../../../bin/node/node-assets.ts'
import { analyse } from '../../../src/search/analyse/analyse.ts'
import { createRelatedTerms } from '../../../src/search/related/related-terms.ts'
import type { RelatedTerm } from '../../../src/search/related/related-terms-layout.ts'

const bytes = nodeAssets.relatedTerms()
const terms = createRelatedTerms(bytes)

const of = (word: string) => terms.of(analyse(word)[0] ?? '')
const weightOf = (list: readonly RelatedTerm[], word: string) =>
  list.find(({ term }) => term === analyse(word)[0])?.weight ?? 0

test.each([
  ['went', 'go'],
  ['go', 'gone'],
  ['children', 'child'],
  ['mice', 'mouse'],
  ['bought', 'buy'],
  ['woman', 'women'],
  ['sang', 'sing'],
  ['colour', 'color'],
  ['favourite', 'favorite'],
  ['grey', 'gray'],
  ['realise', 'realize']
])('%s is a form of the same word as %s, and the other way round', (one, other) => {
  expect(weightOf(of(one).forms, other)).toBe(1)
  expect(weightOf(of(other).forms, one)).toBe(1)
})

test('a form that is a word of its own counts for less, or not at all', () => {
  expect(weightOf(of('left').forms, 'leave')).toBeLessThan(1)
  expect(weightOf(of('ground').forms, 'grind')).toBe(0)
  expect(weightOf(of('range').forms, 'ring')).toBe(0)
})

test('a form is one of what its base mostly stands for: manly is hardly ever meant by man', () => {
  expect(weightOf(of('man').forms, 'men')).toBe(1)
  expect(weightOf(of('man').forms, 'manlier')).toBe(0)
})

test('a spelling counts by what the terms have in common', () => {
  expect(weightOf(of('organise').forms, 'organ')).toBeGreaterThan(0)
  expect(weightOf(of('organise').forms, 'organ')).toBeLessThan(1)
})

test.each([
  ['doctor', 'physician'],
  ['car', 'automobile'],
  ['kid', 'child'],
  ['buy', 'purchase'],
  ['decision', 'decide'],
  ['doctor', 'surgeon'],
  ['sport', 'football']
])('%s has to do with %s', (one, other) => {
  expect(weightOf(of(one).related, other)).toBeGreaterThan(0)
})

test('a kind stands for what it is a kind of, and not the other way round', () => {
  expect(weightOf(of('vehicle').related, 'bicycle')).toBeGreaterThan(0)
  expect(weightOf(of('bicycle').related, 'vehicle')).toBe(0)
})

test('a term is never its own form or related to itself, and no term is named twice', () => {
  for (const word of ['go', 'child', 'doctor', 'work', 'play', 'set', 'run']) {
    const { forms, related } = of(word)
    const named = [...forms, ...related].map(({ term }) => term)
    expect(new Set([...named, analyse(word)[0]]).size).toBe(named.length + 1)
  }
})

test('lists begin with what is strongest, weights are quarters', () => {
  for (const word of ['child', 'work', 'play', 'car']) {
    const weights = of(word).related.map(({ weight }) => weight)
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
    expect(weights.every((weight) => [0.25, 0.5, 0.75, 1].includes(weight))).toBe(true)
  }
})

test('what no dictionary has is related to nothing', () => {
  for (const term of ['', 'qzxv', '\u{1f600}', '\u0000', 'слово', 'x'.repeat(300), '2024', 'zzzzzzzz', '~~~']) {
    expect(terms.of(term)).toEqual({ forms: [], related: [] })
  }
})

test('the file is small enough to be read at every search', () => {
  expect(bytes.length).toBeLessThan(600_000)
})
