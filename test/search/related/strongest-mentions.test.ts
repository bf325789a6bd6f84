import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeStrongest } from '../../../src/search/related/strongest-mentions.ts'

const listOf = (documents: readonly number[], weight: number) => ({ documents: Uint32Array.from(documents), weight })

test('counts a document once, with the strongest of its terms', () => {
  const found = mergeStrongest([listOf([1, 4, 9], 0.25), listOf([4, 7], 0.75), listOf([4, 9], 0.5)])
  expect([...found.documents]).toEqual([1, 4, 7, 9])
  expect([...found.counts]).toEqual([1, 3, 3, 2])
  expect(found.most).toBe(3)
})

test('returns nothing for no lists and for empty lists', () => {
  for (const lists of [[], [listOf([], 1)], [listOf([], 1), listOf([], 0.5)]]) {
    expect(mergeStrongest(lists)).toEqual({ documents: new Uint32Array(), counts: new Uint8Array(), most: 0 })
  }
})

test('gives the same result for any order of lists, without loss or addition', () => {
  const list = fc.record({
    documents: fc.uniqueArray(fc.nat(60), { maxLength: 30 }).map((all) => all.sort((a, b) => a - b)),
    quarters: fc.integer({ min: 1, max: 4 })
  })
  fc.assert(
    fc.property(fc.array(list, { maxLength: 6 }), (all) => {
      const lists = all.map(({ documents, quarters }) => listOf(documents, quarters / 4))
      const expected = new Map<number, number>()
      for (const { documents, quarters } of all) {
        for (const document of documents) expected.set(document, Math.max(expected.get(document) ?? 0, quarters))
      }
      const found = mergeStrongest(lists)
      expect([...found.documents]).toEqual([...expected.keys()].sort((a, b) => a - b))
      expect([...found.counts]).toEqual([...found.documents].map((document) => expected.get(document)))
      expect(mergeStrongest([...lists].reverse())).toEqual(found)
    })
  )
})
