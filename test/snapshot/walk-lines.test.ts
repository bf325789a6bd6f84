import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BLOCK_BYTES, LINE_BYTES_MAX } from '../../src/snapshot/file/limits.ts'
import type { Source } from '../../src/snapshot/file/source.ts'
import { type Line, walkLines } from '../../src/snapshot/file/walk-lines.ts'
import { readSnapshot } from '../../src/snapshot/read-snapshot.ts'
import { runs } from './arbitraries.ts'
import { file, memoryLine, sourceOf } from './builders.ts'

type Walked = Pick<Line, 'offset' | 'number' | 'length' | 'terminated' | 'tooLong'> & { text: string }

test('finds the same lines as splitting at line feeds, however few bytes a read returns', () => {
  const bytes = fc
    .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0x00, 0xff), { maxLength: 60 })
    .map((all) => Buffer.from(all))
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 7 }), (all, few) => {
      expect(walked(fewAtATime(sourceOf(all), few))).toEqual(splitAt(all))
    }),
    runs(500)
  )
})

test('reads lines across the ends of blocks completely', () => {
  const lengths = [BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3, BLOCK_BYTES * 2 + 5, 0, 7]
  const all = Buffer.from(lengths.map((length, i) => `${String.fromCharCode(97 + i).repeat(length)}\n`).join(''))
  expect(walked(sourceOf(all)).map(({ text }) => text.length)).toEqual(lengths)
  expect(walked(sourceOf(all))).toEqual(splitAt(all))
})

test('starts and stops a walk at any line', () => {
  const source = sourceOf('one\ntwo\nthree\nfour')
  const seen: string[] = []
  walkLines(source, { offset: 4, number: 2 }, (line) => {
    seen.push(`${line.number} ${line.bytes.toString('utf8', line.start, line.end)}`)
    return line.number < 3
  })
  expect(seen).toEqual(['2 two', '3 three'])
})

test('reads a line of 16 MiB with its LF, only counts a longer one, and reads the next', () => {
  const longest = Buffer.alloc(LINE_BYTES_MAX, 'x')
  longest[LINE_BYTES_MAX - 1] = 0x0a
  const tooLong = Buffer.concat([Buffer.from('x'), longest])
  const found = walked(sourceOf(Buffer.concat([longest, tooLong, Buffer.from('next\n'), tooLong.subarray(0, -1)])))
  expect(found.map(({ text, length, tooLong: long }) => [text.length, length, long])).toEqual([
    [LINE_BYTES_MAX - 1, LINE_BYTES_MAX, false],
    [0, LINE_BYTES_MAX + 1, true],
    [4, 5, false],
    [0, LINE_BYTES_MAX, true]
  ])
})

test('treats a record over the limit as damage of its line, and reads the others', () => {
  const fill = (bytes: number): string => {
    const empty = Buffer.byteLength(memoryLine({ text: '' }))
    return memoryLine({ text: 'x'.repeat(bytes - empty) })
  }
  const bytes = file(
    memoryLine({ text: 'a' }),
    fill(LINE_BYTES_MAX - 1),
    fill(LINE_BYTES_MAX),
    memoryLine({ text: 'b' })
  )
  const seen: number[] = []
  const reading = readSnapshot(sourceOf(bytes), ({ line }) => void seen.push(line))
  expect(seen).toEqual([2, 3, 5])
  expect(reading.damaged).toMatchObject([{ line: 4, bytes: LINE_BYTES_MAX, reason: expect.stringContaining('longer') }])
})

function walked(source: Source): Walked[] {
  const seen: Walked[] = []
  walkLines(source, { offset: 0, number: 1 }, ({ bytes, start, end, offset, number, length, terminated, tooLong }) => {
    seen.push({ offset, number, length, terminated, tooLong, text: bytes.toString('latin1', start, end) })
    return true
  })
  return seen
}

function splitAt(bytes: Buffer): Walked[] {
  const parts = bytes.toString('latin1').split('\n')
  const isFinished = parts.at(-1) === ''
  if (isFinished) parts.pop()
  let offset = 0
  return parts.map((text, i) => {
    const terminated = isFinished || i < parts.length - 1
    const length = text.length + (terminated ? 1 : 0)
    offset += length
    return { offset: offset - length, number: i + 1, length, terminated, tooLong: false, text }
  })
}

/** Creates a source that returns at most `most` bytes per call, as a slow file system may. */
function fewAtATime(source: Source, most: number): Source {
  return { ...source, read: (into, at) => source.read(into.subarray(0, most), at) }
}
