import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as codec from '../../../src/search/index/number-column.ts'

const CODECS = [
  ['numbers', { pack: codec.packNumbers, unpack: codec.unpackNumbers }, fc.maxSafeNat()],
  [
    'differences',
    { pack: codec.packDeltas, unpack: codec.unpackDeltas },
    fc.integer({ min: -(2 ** 52), max: 2 ** 52 })
  ],
  [
    'runs',
    { pack: codec.packRuns, unpack: codec.unpackRuns },
    fc.oneof(fc.nat(3), fc.integer({ min: -(2 ** 52), max: 2 ** 52 }))
  ],
  ['quarters', { pack: codec.packQuarters, unpack: codec.unpackQuarters }, fc.nat(3)],
  ['bytes', { pack: codec.packBytes, unpack: codec.unpackBytes }, fc.nat(255)]
] as const

test.each(CODECS)('%s: unpacks the packed values at any row of a column', (_, { pack, unpack }, cell) => {
  fc.assert(
    fc.property(fc.array(cell), fc.nat(5), (values, at) => {
      const into = new Float64Array(at + values.length + 1).fill(-7)
      unpack(pack(Float64Array.from(values)), into, { at, count: values.length })
      expect([...into]).toEqual([...Array(at).fill(-7), ...values, -7])
    })
  )
})

test('packs repeated differences into almost no space', () => {
  expect(codec.packRuns(Float64Array.from({ length: 10_000 }, (_, row) => row)).length).toBeLessThan(10)
})

test('reads truncated bytes as zeros', () => {
  const into = new Float64Array(3)
  codec.unpackNumbers(new Uint8Array(0), into, { at: 0, count: 3 })
  expect([...into]).toEqual([0, 0, 0])
})
