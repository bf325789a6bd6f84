import { expect, test } from 'vitest'
import { encodeWordVectors } from '../../../bin/word-vectors/encode-word-vectors.ts'
import { analyse } from '../../../src/search/analyse/analyse.ts'
import { computeSimilarity } from '../../../src/search/index/meaning.ts'
import { createWordVectors, DIMENSIONS, openWordVectors } from '../../../src/search/related/word-vectors.ts'
import { assets } from '../make-memories.ts'

const vectorOf = (first: number) => Array.from({ length: DIMENSIONS }, (_, axis) => first - axis)

function sumOf(text: string): Int32Array {
  const { findRow, add } = openWordVectors(assets)
  const sum = new Int32Array(DIMENSIONS)
  for (const term of analyse(text)) if (findRow(term) >= 0) add(sum, findRow(term), 1)
  return sum
}

test('reads the vectors that were written, and none for another term', () => {
  const names = Array.from({ length: 200 }, (_, nth) => `term${nth}`)
  const terms = names.map((name, nth) => ({ name, vector: vectorOf(nth % 60) }))
  const read = createWordVectors(encodeWordVectors(terms))
  for (const { name, vector } of terms) {
    const sum = new Int32Array(DIMENSIONS)
    read.add(sum, read.findRow(name), 2)
    expect([...sum]).toEqual(vector.map((x) => 2 * x))
  }
  expect(read.findRow('other')).toBe(-1)
})

test('reads a view into a larger buffer', () => {
  const bytes = encodeWordVectors([{ name: 'tea', vector: vectorOf(5) }])
  const within = Buffer.concat([Buffer.alloc(3, 7), bytes, Buffer.alloc(5, 7)]).subarray(3, 3 + bytes.length)
  const sum = new Int32Array(DIMENSIONS)
  createWordVectors(within).add(sum, 0, 1)
  expect([...sum]).toEqual(vectorOf(5))
})

test('rejects bytes of another format or version, and truncated ones', () => {
  const bytes = encodeWordVectors([{ name: 'tea', vector: vectorOf(5) }])
  for (let length = 0; length < bytes.length; length++) {
    expect(() => createWordVectors(bytes.subarray(0, length))).toThrow(/not a file of word vectors|truncated/)
  }
  const other = bytes.slice()
  other[4] = 9
  expect(() => createWordVectors(other)).toThrow('unsupported version 9')
})

test('contains similar vectors for words of similar meaning', () => {
  const boat = sumOf('boat')
  expect(computeSimilarity(boat, sumOf('ship'))).toBeGreaterThan(0.5)
  expect(computeSimilarity(boat, sumOf('tax'))).toBeLessThan(0.2)
  expect(computeSimilarity(boat, sumOf('xqzzy'))).toBe(0)
})
