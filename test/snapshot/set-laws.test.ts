import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { lines, runs } from './arbitraries.ts'
import { file, header, memoryLine, sourceOf, united } from './builders.ts'

/** The properties of a snapshot as a set of lines, byte for byte. */

/** Generates a file of these lines, with a different header for each file. */
const anyFile = fc
  .tuple(lines, fc.nat(3), fc.constantFrom(null, 'c1', 'c2'))
  .map(([some, n, collection_id]) =>
    file(header({ id: `snp_${String(n).repeat(32)}`, collection_id, [`f${n}`]: n }), ...some)
  )

test('merges commutatively, associatively and idempotently', () => {
  fc.assert(
    fc.property(anyFile, anyFile, anyFile, (a, b, c) => {
      const ab = united([a, b])
      expect(united([b, a]).equals(ab)).toBe(true)
      expect(united([ab, c]).equals(united([a, united([b, c])]))).toBe(true)
      expect(united([a, b, c]).equals(united([ab, c]))).toBe(true)
      expect(united([ab, a]).equals(ab)).toBe(true)
      expect(united([ab, ab]).equals(ab)).toBe(true)
    }),
    runs(150)
  )
})

test('keeps the canonical form, root hash and counts of a canonical file, without deviations', () => {
  fc.assert(
    fc.property(anyFile, (bytes) => {
      const before = verifySnapshot(sourceOf(bytes))
      const canonical = united([bytes])
      const after = verifySnapshot(sourceOf(canonical))
      expect(after.rootHash).toBe(before.rootHash)
      expect(after.table.counts()).toEqual({ ...before.table.counts(), surplus: 0 })
      expect({ sound: after.sound, notes: after.notes }).toEqual({ sound: true, notes: [] })
      expect(united([canonical]).equals(canonical)).toBe(true)
    }),
    runs(200)
  )
})

test('ignores the order and the repetition of lines', () => {
  fc.assert(
    fc.property(lines, fc.array(fc.nat()), fc.infiniteStream(fc.nat()), (some, repeats, order) => {
      const more = [...some, ...repeats.flatMap((n) => some.at(n % Math.max(some.length, 1)) ?? [])]
      const shuffled = more.map((line) => ({ line, key: order.next().value })).sort((a, b) => a.key - b.key)
      const again = file(...shuffled.map(({ line }) => line))
      expect(united([again]).equals(united([file(...some)]))).toBe(true)
    }),
    runs(300)
  )
})

test('gives the same result for lines in several files with headers as for one file', () => {
  fc.assert(
    fc.property(lines, fc.nat(12), (some, at) => {
      const parts = [file(...some.slice(0, at)), file(...some.slice(at))]
      expect(united(parts).equals(united([file(...some)]))).toBe(true)
      expect(united([Buffer.concat(parts)]).equals(united([file(...some)]))).toBe(true)
    }),
    runs(200)
  )
})

test('converts between the file form and the object form without loss', () => {
  fc.assert(
    fc.property(anyFile, (bytes) => {
      const canonical = united([bytes])
      const object = united([bytes], { form: 'json' })
      expect(united([object]).equals(canonical)).toBe(true)
      expect(united([canonical], { form: 'json' }).equals(object)).toBe(true)
      const pretty = JSON.stringify(JSON.parse(object.toString()), undefined, 2)
      expect(united([pretty]).equals(canonical)).toBe(true)
    }),
    runs(150)
  )
})

test('gives the same canonical form for lines in another spelling', () => {
  fc.assert(
    fc.property(anyFile, (bytes) => {
      const rows = bytes.toString().trimEnd().split('\n')
      const loose = rows.map((row) =>
        JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(row)).reverse()), undefined, 1)
      )
      expect(united([loose.map((row) => `${row.replaceAll('\n', ' ')}\r\n`).join('')]).equals(united([bytes]))).toBe(
        true
      )
    }),
    runs(150)
  )
})

test('keeps all memories of a snapshot that exceeds the initial size of tables', () => {
  const many = Array.from({ length: 3000 }, (_, n) => memoryLine({ text: `memory ${n}`, position: n % 7 }))
  const canonical = united([file(...many), file(...many.slice(500))])
  const { table, sound } = verifySnapshot(sourceOf(canonical))
  expect({ sound, ...table.counts() }).toEqual({ sound: true, memories: 3000, forgotten: 0, unknown: 0, surplus: 0 })
})

test('writes adjacent records of the object form as separate lines', () => {
  const some = ['a', 'b', 'c'].map((text, position) => memoryLine({ text, position }))
  const object = united([file(...some)], { form: 'json' })
    .toString()
    .replaceAll('\n', '')
  expect(united([object]).equals(united([file(...some)]))).toBe(true)
  expect(united([object], { form: 'json' }).equals(united([file(...some)], { form: 'json' }))).toBe(true)
})
