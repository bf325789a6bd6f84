import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MEANING_BYTES } from '../../../src/search/index/document-table.ts'
import { addMeaning, computeSimilarity, createMeaningWriter, shareMeaning } from '../../../src/search/index/meaning.ts'
import { createTermCollector, createVocabulary } from '../../../src/search/index/term-collector.ts'
import { DIMENSIONS, type WordVectors } from '../../../src/search/related/word-vectors.ts'

/** Writes the meaning of texts whose words are rows of these vectors, and reads it back. */
function meaningsOf(vectors: readonly (readonly number[])[], texts: readonly (readonly number[])[]): Uint8Array {
  const words: WordVectors = {
    findRow: (term) => (vectors[Number(term)] === undefined ? -1 : Number(term)),
    add(sum, row, times) {
      vectors[row]?.forEach((x, axis) => {
        sum[axis] = (sum[axis] ?? 0) + times * x
      })
    }
  }
  const vocabulary = createVocabulary()
  const collector = createTermCollector(vocabulary)
  const write = createMeaningWriter(() => words, vocabulary.names)
  const meanings = new Uint8Array(texts.length * MEANING_BYTES)
  texts.forEach((text, row) => {
    collector.add(text.map(String))
    write(collector.stream, meanings, row)
  })
  return meanings
}

function sumOf(meanings: Uint8Array, row: number): Int32Array {
  const sum = new Int32Array(DIMENSIONS)
  addMeaning(sum, meanings.subarray(row * MEANING_BYTES), 1)
  return sum
}

const vector = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })

test('keeps the direction of the sum of the words', () => {
  fc.assert(
    fc.property(vector, vector, (one, other) => {
      const exact = Int32Array.from(one, (x, axis) => 2 * x + (other[axis] ?? 0))
      fc.pre(exact.some((x) => x !== 0))
      const kept = sumOf(meaningsOf([one, other], [[0, 1, 0]]), 0)
      expect(computeSimilarity(exact, kept)).toBeGreaterThan(0.6)
    })
  )
  const even = Array.from({ length: DIMENSIONS }, (_, axis) => (axis % 2 === 0 ? 100 : -100))
  expect(computeSimilarity(Int32Array.from(even), sumOf(meaningsOf([even], [[0]]), 0))).toBeGreaterThan(0.97)
})

test('gives a text without known words no meaning', () => {
  const meanings = meaningsOf([], [[1, 2], []])
  expect([...meanings].every((byte) => byte === 0)).toBe(true)
  expect(computeSimilarity(sumOf(meanings, 0), sumOf(meanings, 1))).toBe(0)
})

test('gives all passages the meaning of their text', () => {
  const [left, right] = [0, 1].map((odd) =>
    Array.from({ length: DIMENSIONS }, (_, axis) => (axis % 2 === odd ? 90 : 0))
  )
  const meanings = meaningsOf([left ?? [], right ?? []], [[0], [1], [0, 1]])
  shareMeaning(meanings, { from: 0, to: 2 })
  expect([...sumOf(meanings, 0)]).toEqual([...sumOf(meanings, 2)])
  expect([...sumOf(meanings, 1)]).toEqual([...sumOf(meanings, 2)])
})
