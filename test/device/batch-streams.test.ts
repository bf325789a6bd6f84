import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { batchOf, bench, faultOf, streamOf, texts } from './device-kit.ts'

const MIB = 1024 * 1024

/** Texts of megabytes are stored without extraction, which would take most of the time. */
const KEPT_ONLY = { options: { extract: false } }

test('accepts a stream that is split anywhere, even within a character', async () => {
  const said = ['Ärger', '日本語', '😀 smile', 'a\nb', '']
  const bytes = Buffer.from(`\ufeff${batchOf(...said.map((raw_text) => ({ raw_text })))}\r\n{"raw_text":"last"}`)
  const cuts = fc.array(fc.nat(bytes.length), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const { device } = await bench()
      const ends = [...places.sort((a, b) => a - b), bytes.length]
      const parts = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
      expect(await device.storeBatch(streamOf(...parts))).toMatchObject({ lines: 6, stored: 6 })
      expect(texts(device)).toEqual([...said, 'last'])
    }),
    { numRuns: process.env.SLOW ? 300 : 8 }
  )
})

test('reads a file in the same way, wherever its lines cross the parts that are read', async () => {
  const sizes = [MIB - 40, 30, 3, MIB, 2 * MIB + 1, 1, MIB - 1]
  const said = sizes.map((size, i) => `${i}${'é'.repeat(size / 2)}`)
  const { device, folder } = await bench(KEPT_ONLY)
  const file = join(folder, 'batch.jsonl')
  writeFileSync(file, batchOf(...said.map((raw_text) => ({ raw_text }))))
  expect(await device.storeBatch({ file })).toMatchObject({ lines: 7, stored: 7 })
  expect(texts(device)).toEqual(said)
})

test('limits an append to 4 MiB of bytes, not characters, except for a longer line', async () => {
  const sizes: number[] = []
  const files = {
    ...nodeFiles,
    write: (fd: number, bytes: Uint8Array, at?: number) => {
      sizes.push(bytes.length)
      return nodeFiles.write(fd, bytes, at)
    }
  }
  const { device, another, folder } = await bench(KEPT_ONLY)
  const file = join(folder, 'batch.jsonl')
  const said = Array.from({ length: 40 }, (_, i) => `${i}${'日'.repeat(i === 20 ? 2 * MIB : 100_000)}`)
  writeFileSync(file, batchOf(...said.map((raw_text) => ({ raw_text }))))
  const still = { ...nodeClock, ticks: () => 0 }
  await another({ files, clock: still }).storeBatch({ file })
  expect(texts(device)).toEqual(said)
  expect(sizes.filter((size) => size > 4 * MIB)).toEqual([expect.closeTo(6 * MIB, -4)])
  expect(sizes.filter((size) => size > 3 * MIB).length).toBeGreaterThan(2)
})

test('refuses a line over 16 MiB by its number: a file as a whole, a stream after the lines before', async () => {
  const batch = [batchOf({ raw_text: 'good' }), '{"raw_text":"', 'x'.repeat(16 * MIB), '"}\n']
  const { device, folder } = await bench(KEPT_ONLY)
  const file = join(folder, 'batch.jsonl')
  writeFileSync(file, batch.join(''))
  const fault = { code: 'too_large', message: expect.stringContaining('line 2 of the batch') }
  expect(await faultOf(() => device.storeBatch({ file }))).toMatchObject(fault)
  expect(texts(device)).toEqual([])
  expect(await faultOf(() => device.storeBatch(streamOf(...batch)))).toMatchObject(fault)
  expect(texts(device)).toEqual(['good'])
})

test('refuses a line whose record would exceed 16 MiB', async () => {
  const fits = 16 * MIB - 60
  const grows = { raw_text: 'n', metadata: { n: Array.from({ length: 1_000_000 }, () => 9e15) } }
  const short = batchOf(grows).replaceAll('9000000000000000', '9e15')
  for (const long of [batchOf({ raw_text: 'x'.repeat(fits) }), short]) {
    const { device, folder } = await bench(KEPT_ONLY)
    const file = join(folder, 'batch.jsonl')
    const batch = `${batchOf({ raw_text: 'good' })}${long}`
    writeFileSync(file, batch)
    const fault = {
      code: 'too_large',
      message: expect.stringContaining('line 2 of the batch: the memory is too large')
    }
    expect(await faultOf(() => device.storeBatch({ file }))).toMatchObject(fault)
    expect(texts(device)).toEqual([])
    expect(await faultOf(() => device.storeBatch(streamOf(batch)))).toMatchObject(fault)
    expect(texts(device)).toEqual(['good'])
  }
})

test('refuses an endless line after 16 MiB, however small the chunks of the stream are', async () => {
  const { device } = await bench()
  let given = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    const part = Buffer.alloc(4096, 0x20)
    for (; ; given += part.length) yield part
  }
  const fault = await faultOf(() => device.storeBatch({ stream: endless() }))
  expect(fault).toMatchObject({ code: 'too_large', message: expect.stringContaining('line 1') })
  expect(given).toBeLessThan(17 * MIB)
})

test('writes each chunk of a stream to the disk before it requests the next', async () => {
  const { device, another } = await bench()
  const seen: string[][] = []
  async function* asked(): AsyncGenerator<Uint8Array> {
    for (const raw_text of ['a', 'b', 'c']) {
      seen.push(texts(another()))
      yield Buffer.from(batchOf({ raw_text }))
    }
  }
  await device.storeBatch({ stream: asked() })
  expect(seen).toEqual([[], ['a'], ['a', 'b']])
})

test('keeps what was stored before a stream fails', async () => {
  const { device } = await bench()
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(batchOf({ raw_text: 'a' }))
    throw new Error('the pipe broke')
  }
  expect(await faultOf(() => device.storeBatch({ stream: breaking() }))).toMatchObject({ message: 'the pipe broke' })
  expect(texts(device)).toEqual(['a'])
})
