import { expect, test } from 'vitest'
import { Fault } from '../../src/contract/faults.ts'
import { HEADER_BYTES_MAX } from '../../src/snapshot/file/limits.ts'
import { readSnapshot } from '../../src/snapshot/read-snapshot.ts'
import { createHeader, parseHeader, serializeHeader } from '../../src/snapshot/record/create-header.ts'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { damageOf, file, header, headerOver, memory, memoryLine, sourceOf, thrown, united } from './builders.ts'

const A = memory({ text: 'a' })
const B = memory({ text: 'b' })
const idA = A.id as string
const idB = B.id as string

test('joins headers field by field in any order', () => {
  const one = header({
    id: `snp_${'b'.repeat(32)}`,
    created_at: '2026-05-01T00:00:00.000Z',
    collection_id: 'c',
    x: 'b',
    only: 1
  })
  const two = header({
    id: `snp_${'a'.repeat(32)}`,
    created_at: '2026-06-01T00:00:00.000Z',
    collection_id: 'c',
    x: ['b']
  })
  const joined = united([`${one}\n${two}\n`])
  expect(joined.equals(united([`${two}\n${one}\n`]))).toBe(true)
  expect(JSON.parse(joined.toString())).toMatchObject({
    id: `snp_${'a'.repeat(32)}`,
    created_at: '2026-05-01T00:00:00.000Z',
    collection_id: 'c',
    x: 'b',
    only: 1
  })
})

test('joins different collections to null, also in later joins', () => {
  const of = (collection_id: string | null): string => `${header({ collection_id })}\n`
  for (const files of [
    [of('c'), of('d')],
    [of('c'), of(null), of('c')]
  ]) {
    expect(JSON.parse(united(files).toString())).toMatchObject({ collection_id: null })
  }
})

test('keeps header fields named like built-in properties of objects', () => {
  const odd = { constructor: 1, toString: 'x', hasOwnProperty: null, valueOf: [] }
  expect(JSON.parse(united([`${header(odd)}\n`]).toString())).toMatchObject(odd)
})

test('keeps an integer over 2^53 in a header, as in any line', () => {
  expect(JSON.parse(united([`${header({ big: 2 ** 60 })}\n`]).toString())).toMatchObject({ big: 2 ** 60 })
})

test('limits every header to 64 KiB with its LF', () => {
  const room = HEADER_BYTES_MAX - Buffer.byteLength(`${header({ fill: '' })}\n`)
  const largest = header({ fill: 'x'.repeat(room) })
  const tooLarge = header({ fill: 'x'.repeat(room + 1) })
  expect(readSnapshot(sourceOf(`${largest}\n`), () => undefined).headers).toHaveLength(1)
  expect(thrown(() => readSnapshot(sourceOf(`${tooLarge}\n`), () => undefined))).toMatchObject({
    code: 'not_a_snapshot'
  })
  expect(damageOf(file(largest))).toEqual([])
  expect(damageOf(file(tooLarge))).toEqual([expect.stringMatching(/^2 .*65536/)])
})

test.each([
  ['{"type":"header"} and more', 'it has text that follows it'],
  ['not a header', 'it is not JSON'],
  ['[]', 'found no object']
])('explains in one sentence what is wrong with the first line %s', (line, why) => {
  const fault = thrown(() => readSnapshot(sourceOf(`${line}\n${memoryLine({ text: 'a' })}\n`), () => undefined))
  expect(fault).toMatchObject({
    code: 'not_a_snapshot',
    message: expect.stringMatching(new RegExp(`expected a header in the first line, but ${why}$`))
  })
})

test('refuses to write a joined header that is too long to be read', () => {
  const files = ['a', 'b'].map((name) => `${header({ [name]: 'x'.repeat(40_000) })}\n`)
  expect(thrown(() => united(files))).toMatchObject({ code: 'invalid_snapshot' })
})

test('rejects a header with the field `records`', () => {
  expect(damageOf(file(header({ records: [] })))).toEqual(['2 `records` must be absent'])
})

test('rejects a file with a header of another version at any place', () => {
  for (const bytes of [`${header({ version: 2 })}\n`, file(header({ version: 0 }))]) {
    expect(thrown(() => readSnapshot(sourceOf(bytes), () => undefined))).toMatchObject({ code: 'unsupported_version' })
  }
})

test('reports the number of lost ids if a header counted more', () => {
  const { losses, sound } = verifySnapshot(sourceOf(`${headerOver([idA, idB])}\n${memoryLine({ text: 'a' })}\n`))
  expect({ lost: losses.lost, sound }).toEqual({ lost: 1, sound: false })
})

test('reports a loss if the number of ids is the counted one, but their hash differs', () => {
  const bytes = `${headerOver([idA])}\n${memoryLine({ text: 'b' })}\n`
  expect(verifySnapshot(sourceOf(bytes)).losses).toMatchObject({ lost: 1 })
})

test('reports no loss if there are more ids than counted', () => {
  const bytes = `${headerOver([idB])}\n${header()}\n${memoryLine({ text: 'a' })}\n${memoryLine({ text: 'c' })}\n`
  expect(verifySnapshot(sourceOf(bytes)).sound).toBe(true)
})

test('refuses to rewrite a file with damage or loss, and names it', () => {
  const lossy = `${headerOver([idA, idB])}\n${memoryLine({ text: 'a' })}\n`
  expect(thrown(() => united([lossy]))).toMatchObject({
    code: 'invalid_snapshot',
    message: expect.stringContaining('lost')
  })
  const damaged = file('{}', '{}', '{}', '{}')
  expect(thrown(() => united([damaged]))).toMatchObject({
    code: 'invalid_snapshot',
    message: expect.stringMatching(/line 2 .*; and 1 more/)
  })
  expect(united([lossy], { skipDamaged: true }).toString()).toContain('"count":1')
})

test('creates a valid header at any clock time', () => {
  const ids = { randomHex: (bytes: number) => 'ab'.repeat(bytes) }
  for (const now of [0, Date.UTC(2026, 0, 1), -1e20, Number.NaN]) {
    const made = createHeader({ ids, clock: { now: () => now, ticks: () => 0, wait: async () => undefined } })
    const line = JSON.parse(serializeHeader(made)) as Parameters<typeof parseHeader>[0]
    expect(parseHeader(line, 'a test')).toEqual(line)
  }
})

test('exits with code 10 for faults of reading', () => {
  const fault = thrown(() => readSnapshot(sourceOf(''), () => undefined)) as Fault
  expect(fault).toBeInstanceOf(Fault)
  expect(fault.exitCode).toBe(10)
})
