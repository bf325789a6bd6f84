import { expect, test } from 'vitest'
import { computeFeedbackRatio, FEEDBACK, weighFeedbackTerms } from '../../../src/search/rank/find-feedback-cues.ts'
import { RANKING } from '../../../src/search/rank/ranking-constants.ts'
import type { WeighedTerm } from '../../../src/search/rank/term-match.ts'

/** Creates a source with a number of terms: the given ones, and fillers that occur nowhere else. */
const source = (score: number, length: number, terms: readonly string[]) => {
  const filling = Array.from({ length: length - terms.length }, (_, at) => `only-${score}-${terms[0]}-${at}`)
  return { score, length, terms: [...terms, ...filling] }
}

/** All words are equally rare except those listed; a word of a single document has no rarity. */
const rarityOf =
  (rarities: Record<string, number> = {}) =>
  (term: string) =>
    term.startsWith('only-') ? undefined : (rarities[term] ?? 4)

const sum = (terms: readonly WeighedTerm[]): number => terms.reduce((all, { weight }) => all + weight, 0)

test('adds terms of long texts after those of the query, most distinctive first', () => {
  const own = [
    { name: 'kiln', weight: 5 },
    { name: 'heat', weight: 2 }
  ]
  const sources = [
    source(3, 120, ['kiln', 'glaze', 'glaze', 'clay', 'tuesday']),
    source(2.9, 120, ['kiln', 'glaze', 'clay', 'clay', 'tuesday'])
  ]
  const terms = weighFeedbackTerms(own, { sources, rarityOf: rarityOf({ tuesday: 0.1, clay: 3 }) })
  expect(terms.map(({ name }) => name)).toEqual(['kiln', 'heat', 'glaze', 'clay', 'tuesday'])
  const [kiln, heat, glaze, clay, tuesday] = terms.map(({ weight }) => weight)
  expect(kiln).toBeGreaterThan(5)
  expect(heat).toBeLessThanOrEqual(2)
  expect(glaze).toBeGreaterThan(clay ?? 0)
  expect(tuesday).toBeLessThan(0.01 * (clay ?? 0))
})

test('keeps the total weight of the own terms, and gives feedback its share of it', () => {
  const own = [
    { name: 'kiln', weight: 5 },
    { name: 'thing', weight: 1 }
  ]
  const sources = [source(2, 70, ['glaze', 'clay']), source(2, 70, ['clay', 'salt'])]
  const share = computeFeedbackRatio(sources)
  expect(share).toBeCloseTo((RANKING.FEEDBACK_WEIGHT * 50) / 150, 10)
  const terms = weighFeedbackTerms(own, { sources, rarityOf: rarityOf({ kiln: 6, thing: 1 }) })
  expect(sum(terms.slice(0, 2))).toBeCloseTo(6, 10)
  expect(sum(terms.slice(2))).toBeCloseTo(6 * share, 10)
  expect(terms[1]?.weight).toBeLessThan(1)
})

test('ignores short texts: a chat or a list of notes is searched once, and nothing is read', () => {
  const notes = Array.from({ length: 10 }, (_, at) => source(10 - at, 15, ['glaze']))
  expect(computeFeedbackRatio(notes)).toBe(0)
  const own = [{ name: 'kiln', weight: 5 }]
  expect(weighFeedbackTerms(own, { sources: notes, rarityOf: rarityOf() })).toEqual(own)
})

test('increases the share with the length of the results up to a limit', () => {
  const shares = [20, 40, 80, 200, 2000, 200_000].map((length) => computeFeedbackRatio([{ score: 1, length }]))
  expect([...shares].sort((left, right) => left - right)).toEqual(shares)
  expect(shares[0]).toBe(0)
  expect(shares.at(-1)).toBe(FEEDBACK.RATIO_MOST)
})

test('gives a long text far behind short ones almost no weight', () => {
  const mixed = [...Array.from({ length: 9 }, () => ({ score: 8, length: 12 })), { score: 2, length: 3000 }]
  expect(computeFeedbackRatio(mixed)).toBe(0)
  const ahead = [{ score: 8, length: 3000 }, ...Array.from({ length: 9 }, () => ({ score: 2, length: 12 }))]
  expect(computeFeedbackRatio(ahead)).toBeGreaterThan(0.9 * computeFeedbackRatio([{ score: 8, length: 3000 }]))
})

test('limits the number of sources and of terms', () => {
  const words = (from: number): string[] => Array.from({ length: 30 }, (_, at) => `a-word-${from + at}`)
  const sources = Array.from({ length: FEEDBACK.SOURCES + 5 }, (_, at) => source(5, 100, words(at * 30)))
  const terms = weighFeedbackTerms([{ name: 'kiln', weight: 1 }], { sources, rarityOf: rarityOf() })
  expect(terms.length).toBe(1 + FEEDBACK.TERMS)
  const last = source(5, 100, ['late', 'late', 'late', 'late', 'late', 'late'])
  const later = weighFeedbackTerms([{ name: 'kiln', weight: 1 }], {
    sources: [...sources.slice(0, FEEDBACK.SOURCES), last],
    rarityOf: rarityOf()
  })
  expect(later.map(({ name }) => name)).not.toContain('late')
})

test('returns the same terms in the same order for any order of words in the sources', () => {
  const own = [{ name: 'kiln', weight: 2 }]
  const words = ['salt', 'clay', 'glaze', 'ash', 'kiln', 'fire']
  const forth = [source(4, 90, words), source(3, 90, words)]
  const back = [source(4, 90, [...words].reverse()), source(3, 90, [...words].reverse())]
  expect(weighFeedbackTerms(own, { sources: forth, rarityOf: rarityOf() })).toEqual(
    weighFeedbackTerms(own, { sources: back, rarityOf: rarityOf() })
  )
})

test.each([
  ['no source', [], [{ name: 'kiln', weight: 2 }]],
  ['a source without a score', [source(0, 200, ['clay'])], [{ name: 'kiln', weight: 2 }]],
  ['sources with words that occur nowhere else', [source(3, 200, [])], [{ name: 'kiln', weight: 2 }]],
  ['a query of weight 0', [source(3, 200, ['clay'])], [{ name: 'the', weight: 0 }]],
  ['a query without terms', [source(3, 200, ['clay'])], []]
])('keeps the query unchanged for %s', (_, sources, own) => {
  expect(weighFeedbackTerms(own, { sources, rarityOf: rarityOf() })).toEqual(own)
})
