import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countProvenBlocks, createHashingSource } from '../../src/snapshot/block-proof.ts'
import { BLOCK_BYTES } from '../../src/snapshot/file/limits.ts'
import { createByteTable } from '../../src/snapshot/table/byte-table.ts'
import { hashSorted } from '../../src/snapshot/table/hash-sorted.ts'
import { createRowReader } from '../../src/snapshot/table/row-reader.ts'
import { runs } from './arbitraries.ts'
import { sourceOf } from './builders.ts'

/** Many keys share their first bytes, so that ties and collisions occur. */
const key = fc
  .tuple(fc.nat(3), fc.uint8Array({ minLength: 15, maxLength: 15 }))
  .map(([first, rest]) => Buffer.from([first, ...(first === 0 ? [0, 0, 0, 0, 0] : []), ...rest].slice(0, 16)))

test('holds the same keys in a byte table as in a map of hex strings', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 700 }), (keys) => {
      const table = createByteTable(16)
      const map = new Map<string, number>()
      for (const bytes of keys) {
        const hex = bytes.toString('hex')
        expect(table.find(bytes, 0)).toBe(map.get(hex) ?? -1)
        if (!map.has(hex)) map.set(hex, map.size)
        expect(table.add(bytes, 0)).toBe(map.get(hex))
      }
      expect(table.size).toBe(map.size)
      expect(table.keys.toString('hex', 0, table.size * 16)).toBe([...map.keys()].join(''))
    }),
    runs(60)
  )
})

test('distinguishes keys that were chosen to collide, in bounded time', () => {
  const table = createByteTable(16)
  const chosen = (n: number): Buffer => Buffer.from(`00000000${n.toString(16).padStart(24, '0')}`, 'hex')
  for (let n = 0; n < 50_000; n++) table.add(chosen(n), 0)
  expect(table.size).toBe(50_000)
  for (let n = 0; n < 50_000; n += 7) expect(table.find(chosen(n), 0)).toBe(n)
  expect(table.find(chosen(50_000), 0)).toBe(-1)
})

test('hashes sorted keys like sorted strings', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
      const sorted = keys.map((bytes) => bytes.toString('hex')).sort()
      const hash = createHash('sha256')
        .update(Buffer.from(sorted.join(''), 'hex'))
        .digest('hex')
      expect(hashSorted({ bytes: Buffer.concat(keys), width: 16 }, keys.length)).toBe(hash)
    }),
    runs(100)
  )
})

test('reads rows in any order, across blocks', () => {
  const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, n) => `{"n":${n}}\n`).join(''))
  const reader = createRowReader(sourceOf(bytes))
  const starts = [
    0,
    ...Array.from(bytes.keys())
      .filter((at) => bytes[at] === 0x0a)
      .map((at) => at + 1)
  ].slice(0, -1)
  const place = (n: number): { offset: number; length: number } => ({
    offset: starts[n] as number,
    length: (starts[n + 1] ?? bytes.length) - (starts[n] as number) - 1
  })
  for (let n = 0; n < starts.length; n += 97) expect(reader.record(place(n))).toEqual({ n })
  for (const n of [399_999, 0, 200_000, 200_001, 5]) expect(reader.record(place(n))).toEqual({ n })
})

test('proves what was read in order block by block, and locates any change in its block', () => {
  const bytes = Buffer.alloc(BLOCK_BYTES * 2 + 1000, 'a')
  const { source, proofTo } = createHashingSource(sourceOf(bytes))
  const part = Buffer.alloc(700_000)
  for (let at = 0; at < bytes.length; ) at += source.read(part, at)
  for (const end of [bytes.length, BLOCK_BYTES * 2, BLOCK_BYTES * 2 + 1]) {
    const proof = proofTo(end)
    expect(proof?.blocks).toHaveLength(Math.ceil(end / BLOCK_BYTES))
    if (proof) expect(countProvenBlocks(sourceOf(bytes), proof)).toBe(proof.blocks.length)
  }
  const proof = proofTo(bytes.length) ?? { end: 0, blocks: [] }
  for (const [at, block] of [
    [0, 0],
    [BLOCK_BYTES, 1],
    [bytes.length - 1, 2]
  ] as const) {
    const changed = Buffer.from(bytes)
    changed[at] = 0x62
    expect(countProvenBlocks(sourceOf(changed), proof)).toBe(block)
  }
  expect(countProvenBlocks(sourceOf(bytes.subarray(0, -1)), proof)).toBe(2)
})

test('continues an earlier proof, but not one that no longer matches the file', () => {
  const bytes = Buffer.alloc(BLOCK_BYTES + 5000, 'a')
  const whole = readAll(createHashingSource(sourceOf(bytes)), 0, bytes.length)
  const first = readAll(createHashingSource(sourceOf(bytes)), 0, BLOCK_BYTES + 10)
  expect(readAll(createHashingSource(sourceOf(bytes), first), BLOCK_BYTES + 10, bytes.length)).toEqual(whole)
  const changed = Buffer.from(bytes)
  changed[BLOCK_BYTES + 5] = 0x62
  expect(readAll(createHashingSource(sourceOf(changed), first), BLOCK_BYTES + 10, bytes.length)).toBeUndefined()
})

function readAll(
  { source, proofTo }: ReturnType<typeof createHashingSource>,
  from: number,
  end: number
): ReturnType<typeof proofTo> {
  const part = Buffer.alloc(end - from)
  source.read(part, from)
  return proofTo(end)
}
