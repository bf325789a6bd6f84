import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { lines, runs } from './arbitraries.ts'
import { file, header, memoryLine, sourceOf, united } from './builders.ts'

/** A snapshot is a set of lines: what follows from that, byte for byte. */

/** A file of these lines; which snapshot it says it is differs from file to file. */
const anyFile = fc
  .tuple(lines, fc.nat(3), fc.constantFrom(null, 'c1', 'c2'))
  .map(([some, n, collection_id]) =>
    file(header({ id: `snp_${String(n).repeat(32)}`, collection_id, [`f${n}`]: n }), ...some)
  )

test('merging is commutative, associative and idempotent', () => {
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

test('canonical form is its own, keeps the root hash and counts, and has nothing odd', () => {
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

test('the order of lines and how often they stand there mean nothing', () => {
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

test('lines split over files, with headers of their own, give what one file gives', () => {
  fc.assert(
    fc.property(lines, fc.nat(12), (some, at) => {
      const parts = [file(...some.slice(0, at)), file(...some.slice(at))]
      expect(united(parts).equals(united([file(...some)]))).toBe(true)
      expect(united([Buffer.concat(parts)]).equals(united([file(...some)]))).toBe(true)
    }),
    runs(200)
  )
})

test('the object form holds all that the file form does, either way', () => {
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

test('lines written otherwise give the same canonical form', () => {
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

test('a snapshot of more memories than tables begin with keeps them all', () => {
  const many = Array.from({ length: 3000 }, (_, n) => memoryLine({ text: `memory ${n}`, position: n % 7 }))
  const canonical = united([file(...many), file(...many.slice(500))])
  const { table, sound } = verifySnapshot(sourceOf(canonical))
  expect({ sound, ...table.counts() }).toEqual({ sound: true, memories: 3000, forgotten: 0, unknown: 0, surplus: 0 })
})

test('records that stand close together in the object form become lines of their own', () => {
  const some = ['a', 'b', 'c'].map((text, position) => memoryLine({ text, position }))
  const object = united([file(...some)], { form: 'json' })
    .toString()
    .replaceAll('\n', '')
  expect(united([object]).equals(united([file(...some)]))).toBe(true)
  expect(united([object], { form: 'json' }).equals(united([file(...some)], { form: 'json' }))).toBe(true)
})
