import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Metadata } from '../../src/contract/snapshot.ts'
import { json } from '../snapshot/arbitraries.ts'
import { batchOf, bench, faultOf, streamOf } from './device-kit.ts'

function nested(depth: number): Metadata {
  let value: Metadata = {}
  for (let i = 1; i < depth; i++) value = { a: value }
  return value
}

function cyclic(): unknown {
  const value: { self?: unknown } = {}
  value.self = value
  return value
}

/** The cast stands for callers without types. */
const odd = (metadata: unknown): { text: string; metadata: Metadata } => ({ text: 't', metadata: metadata as Metadata })

test('preserves any JSON object as metadata, stored alone or in a batch', async () => {
  const { device } = await bench()
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        json
      ),
      async (made) => {
        const metadata = JSON.parse(JSON.stringify(made)) as Metadata
        fc.pre(!holdsUnsafe(metadata))
        const { id } = await device.store({ text: 't', metadata })
        expect(device.show(id).record.metadata).toEqual(metadata)
        await device.storeBatch(streamOf(batchOf({ raw_text: `batch ${id}`, metadata })))
        const stored = [...device.list().records].find(({ text }) => text === `batch ${id}`)
        expect(stored?.metadata).toEqual(metadata)
      }
    ),
    { numRuns: process.env.SLOW ? 300 : 10 }
  )
})

/** Checks for integers that are refused. */
function holdsUnsafe(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsUnsafe)
}

test('uses the toJSON method of objects, and leaves out undefined members', async () => {
  const { device } = await bench()
  const metadata = { when: new Date(Date.UTC(2026, 0, 2)), not: undefined, list: [undefined] }
  expect((await device.preview(odd(metadata))).metadata).toEqual({ when: '2026-01-02T00:00:00.000Z', list: [null] })
})

test('accepts 64 levels of nesting, and refuses one more', async () => {
  const { device } = await bench()
  const deep = { text: 't', metadata: nested(62) }
  await device.store(deep)
  expect(await device.verify()).toMatchObject({ sound: true, memories: 1 })
  expect(await faultOf(() => device.store({ text: 't', metadata: nested(65) }))).toMatchObject({
    code: 'malformed_json'
  })
})

test.each([
  ['a cycle', cyclic()],
  ['a function', { f: () => 1 }],
  ['a function for metadata', () => 1],
  ['a symbol', { s: Symbol('s') }],
  ['NaN', { n: Number.NaN }],
  ['an infinite number', [{ n: Number.NEGATIVE_INFINITY }]],
  ['a big integer', { n: 1n }],
  ['a map', { m: new Map([[1, 2]]) }],
  ['a set deep inside', { a: [{ b: new Set([1]) }] }],
  ['a regular expression', { r: /a/ }],
  ['bytes', { b: new Uint8Array(3) }],
  ['an error', { e: new Error('x') }],
  ['a toJSON that returns undefined', { toJSON: () => undefined }],
  ['a lone surrogate', { a: '\ud800' }],
  ['a lone surrogate in a key', { '\ud800': 1 }],
  ['a key __proto__', JSON.parse('{"__proto__":1}')],
  ['a whole number over 2^53', { n: 2 ** 60 }],
  ['nesting of thousands', nested(20_000)]
])('refuses %s in metadata, and stores nothing', async (_what, metadata) => {
  const { device, lines } = await bench()
  expect(await faultOf(() => device.store(odd(metadata)))).toMatchObject({ code: 'malformed_json' })
  expect(lines()).toHaveLength(1)
})

test.each([
  ['a list', [1]],
  ['a string', 'x'],
  ['a number', 1],
  ['a boolean', true]
])('refuses metadata that is %s', async (_what, metadata) => {
  const { device } = await bench()
  expect(await faultOf(() => device.store(odd(metadata)))).toMatchObject({
    code: 'invalid_input',
    message: '`metadata` must be an object'
  })
})

test('names the refused value', async () => {
  const { device } = await bench()
  expect(await faultOf(() => device.store(odd({ a: { amount: Number.NaN } })))).toMatchObject({
    message: '`metadata` cannot be written as JSON: `amount` is NaN'
  })
})
