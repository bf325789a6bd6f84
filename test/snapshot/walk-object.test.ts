import { expect, test } from 'vitest'
import { BLOCK_BYTES, LINE_BYTES_MAX } from '../../src/snapshot/file/limits.ts'
import type { Source } from '../../src/snapshot/file/source.ts'
import { detectForm, readSnapshot } from '../../src/snapshot/read-snapshot.ts'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { file, header, memoryLine, sourceOf, thrown, united } from './builders.ts'

const small = file(memoryLine({ text: 'a "quoted\\" {text} [,' }), memoryLine({ text: 'b' }))
const object = united([small], { form: 'json' })

test('reads the same object, however few bytes a read returns', () => {
  for (const few of [1, 2, 3, 7, 100]) {
    const source: Source = sourceOf(object)
    const slow: Source = { ...source, read: (into, at) => source.read(at === 0 ? into : into.subarray(0, few), at) }
    expect(verifySnapshot(slow)).toMatchObject({ sound: true, rootHash: verifySnapshot(sourceOf(small)).rootHash })
  }
})

test('reads records across the ends of blocks completely', () => {
  const lines = Array.from({ length: 40 }, (_, n) => memoryLine({ text: `${n} ${'é'.repeat(BLOCK_BYTES / 24 + n)}` }))
  const bytes = file(...lines, memoryLine({ text: 'x'.repeat(BLOCK_BYTES * 3) }))
  expect(united([united([bytes], { form: 'json' })]).equals(united([bytes]))).toBe(true)
})

test('distinguishes an object on one line from lines, wherever its first 64 KiB end', () => {
  const text = '\u0001"\\é'.repeat(4000)
  const line = united([file(memoryLine({ text }), memoryLine({ text: `${text}2` }))], { form: 'json' })
    .toString()
    .replaceAll('\n', '')
  for (let spaces = 0; spaces < 16; spaces++) {
    expect(detectForm(sourceOf(`{${' '.repeat(spaces)}${line.slice(1)}`))).toBe('json')
  }
})

test('limits records like lines, so that they fit both forms', () => {
  const fill = (bytes: number): string => {
    const empty = Buffer.byteLength(memoryLine({ text: '' }))
    return memoryLine({ text: 'x'.repeat(bytes - empty) })
  }
  const head = header().slice(1)
  const largest = `{"records":[${fill(LINE_BYTES_MAX - 1)}],${head}`
  const tooLarge = `{"records":[${fill(LINE_BYTES_MAX)},${memoryLine({ text: 'b' })}],${head}`
  expect(united([largest]).length).toBeGreaterThan(LINE_BYTES_MAX)
  const reading = readSnapshot(sourceOf(tooLarge), () => undefined)
  expect(reading.damaged).toMatchObject([{ line: 1, bytes: LINE_BYTES_MAX, reason: expect.stringContaining('longer') }])
})

test('keeps any valid text in header fields, and rejects ill-formed text', () => {
  const bytes = united([file(header({ motto: 'naïve 😀', '\u007f': 1 }))], { form: 'json' })
  expect(united([bytes]).toString()).toContain('"motto":"naïve 😀"')
  const spoiled = Buffer.from(bytes)
  spoiled[bytes.indexOf('ï')] = 0xff
  expect(thrown(() => verifySnapshot(sourceOf(spoiled)))).toMatchObject({ message: expect.stringContaining('UTF-8') })
})

test('rejects an object that is truncated at any place', () => {
  for (let end = 1; end < object.length - 1; end += process.env.SLOW ? 1 : 17) {
    expect(thrown(() => verifySnapshot(sourceOf(object.subarray(0, end))))).toMatchObject({ code: 'not_a_snapshot' })
  }
})

test('rejects header fields of more than 64 KiB in total before they are joined', () => {
  const fields = Array.from({ length: 100 }, (_, n) => `"f${n}":"${'x'.repeat(1000)}"`)
  const bytes = `{\n"records":[],${fields.join(',')},${header().slice(1)}`
  expect(thrown(() => verifySnapshot(sourceOf(bytes)))).toMatchObject({ message: expect.stringContaining('65536') })
})
