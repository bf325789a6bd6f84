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
])('treats %s as a form of the same word as %s, and vice versa', (one, other) => {
  expect(weightOf(of(one).forms, other)).toBe(1)
  expect(weightOf(of(other).forms, one)).toBe(1)
})

test('gives a form that is also another word less weight, or none', () => {
  expect(weightOf(of('left').forms, 'leave')).toBeLessThan(1)
  expect(weightOf(of('ground').forms, 'grind')).toBe(0)
  expect(weightOf(of('range').forms, 'ring')).toBe(0)
})

test('weighs a form by the usual meaning of its base: manly rarely means man', () => {
  expect(weightOf(of('man').forms, 'men')).toBe(1)
  expect(weightOf(of('man').forms, 'manlier')).toBe(0)
})

test('weighs a spelling by what the terms have in common', () => {
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
])('relates %s to %s', (one, other) => {
  expect(weightOf(of(one).related, other)).toBeGreaterThan(0)
})

test('relates a kind to its superordinate word, but not the other way round', () => {
  expect(weightOf(of('vehicle').related, 'bicycle')).toBeGreaterThan(0)
  expect(weightOf(of('bicycle').related, 'vehicle')).toBe(0)
})

test('never relates a term to itself, and lists each term once', () => {
  for (const word of ['go', 'child', 'doctor', 'work', 'play', 'set', 'run']) {
    const { forms, related } = of(word)
    const named = [...forms, ...related].map(({ term }) => term)
    expect(new Set([...named, analyse(word)[0]]).size).toBe(named.length + 1)
  }
})

test('sorts lists by descending weight, in quarters', () => {
  for (const word of ['child', 'work', 'play', 'car']) {
    const weights = of(word).related.map(({ weight }) => weight)
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
    expect(weights.every((weight) => [0.25, 0.5, 0.75, 1].includes(weight))).toBe(true)
  }
})

test('returns no relations for a word that no dictionary has', () => {
  for (const term of ['', 'qzxv', '\u{1f600}', '\u0000', 'слово', 'x'.repeat(300), '2024', 'zzzzzzzz', '~~~']) {
    expect(terms.of(term)).toEqual({ forms: [], related: [] })
  }
})

test('keeps the file small enough to read for every search', () => {
  expect(bytes.length).toBeLessThan(600_000)
})
