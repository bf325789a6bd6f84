import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { ANSWER } from '../../src/search/answer/answer-constants.ts'
import { type Bench, batchOf, bench, found, streamOf } from './device-kit.ts'
import { tickedFiles } from './ticked-files.ts'
import { watchedFiles } from './watched-files.ts'

const MIB = 1024 * 1024

/** A snapshot of some megabytes, searched once, and a count of what is read from it afterwards. */
async function searched() {
  const ticked = tickedFiles(nodeFiles)
  const { files, clock } = ticked
  const made = await bench({ files, clock })
  snapshot ??= await manyStored(made)
  made.write(snapshot)
  ticked.touched(made.path)
  await made.device.search('apple')
  const watched = watchedFiles(files, made.path)
  return { ...made, ticked, watched, size: () => statSync(made.path).size }
}

/** Made by the first test that needs it. */
let snapshot: Uint8Array | undefined

async function manyStored({ device, path }: Bench): Promise<Uint8Array> {
  await device.storeBatch(streamOf(batchOf(...manyMemories())))
  return readFileSync(path)
}

function manyMemories(): { raw_text: string; metadata: { pad: string } }[] {
  const metadata = { pad: 'x'.repeat(1000) }
  return Array.from({ length: 4000 }, (_, i) => ({ raw_text: `apple number ${i}`, metadata }))
}

/** Bytes of the lines that hold these texts. */
function bytesOf({ lines }: Bench, texts: readonly string[]): number {
  const all = lines()
  const line = (text: string): string => all.find((one) => one.includes(`"text":"${text}"`)) ?? ''
  return texts.reduce((sum, text) => sum + Buffer.byteLength(line(text)), 0)
}

test('of a file that looks as it did at the last search, the hits and a few that may be copies are read and nothing else', async () => {
  const { watched, another, ...rest } = await searched()
  const device = another(watched)
  for (const query of ['apple', 'number 17']) {
    const read = found(await device.search(query, { limit: 7 + ANSWER.FOLD_AHEAD, groups: ['sources'] }))
    watched.bytesRead()
    expect(found(await device.search(query, { limit: 7, groups: ['sources'] }))).toEqual(read.slice(0, 7))
    expect(watched.bytesRead()).toBe(bytesOf({ ...rest, another }, read))
    await device.search(query, { limit: 7 })
    expect(watched.bytesRead()).toBeLessThan(100_000)
  }
})

test('after stores of our own only the last block and what comes after it is read, by any process', async () => {
  const { watched, another, device, size } = await searched()
  await device.store({ text: 'a pear' })
  await device.store({ text: 'another pear' })
  const before = size()
  expect(before).toBeGreaterThan(4 * MIB)
  expect(found(await another(watched).search('pear'))).toHaveLength(2)
  expect(watched.bytesRead()).toBeLessThan(2 * MIB)
})

test('a forget of our own costs the next search no more than a store', async () => {
  const { watched, another, device } = await searched()
  const { id } = await device.store({ text: 'a pear' })
  await device.forget([id])
  expect(found(await another(watched).search('pear'))).toEqual([])
  expect(watched.bytesRead()).toBeLessThan(2 * MIB)
})

test('a file that was touched and not changed is hashed once, and not again', async () => {
  const { watched, another, ticked, path, size } = await searched()
  ticked.touched(path)
  const device = another(watched)
  const asked = { limit: 1, groups: ['sources'] as const }
  await device.search('apple', asked)
  expect(watched.bytesRead()).toBeGreaterThan(size())
  await device.search('apple', asked)
  expect(watched.bytesRead()).toBeLessThan(20_000)
  await another(watched).search('apple', asked)
  expect(watched.bytesRead()).toBeLessThan(20_000)
})

test('where the file differs from a block on, the index of what stands before it is kept', async () => {
  const { another, ticked, path } = await searched()
  const bytes = readFileSync(path)
  const place = bytes.indexOf('apple number 3000')
  bytes.write('mango', place)
  writeFileSync(path, bytes)
  ticked.touched(path)
  const { vanished, damaged, notes } = await another().search('apple')
  expect(damaged).toMatchObject([{ line: 3002, reason: expect.stringContaining('check') }])
  expect(vanished).toHaveLength(1)
  expect(notes).toEqual([`the index was mended: the file differs from byte ${Math.floor(place / MIB) * MIB} on`])
})

test('a file that was replaced by an equal one under the same name is not indexed anew', async () => {
  const { another, ticked, path } = await searched()
  writeFileSync(`${path}.copy`, readFileSync(path))
  renameSync(`${path}.copy`, path)
  ticked.touched(path)
  const { notes, vanished, response } = await another().search('number 17')
  expect({ notes, vanished }).toEqual({ notes: [], vanished: [] })
  expect(response.sources[0]?.text).toBe('apple number 17')
})

test('an unfinished line after the last LF costs a search its own length', async () => {
  const { watched, another, ticked, path } = await searched()
  appendFileSync(path, '{"at":"2026')
  ticked.touched(path)
  const device = another(watched)
  await device.search('apple')
  watched.bytesRead()
  expect((await device.search('apple', { limit: 1 })).damaged).toEqual([])
  expect(watched.bytesRead()).toBeLessThan(3 * MIB)
})

test('the index is saved only where it has changed', async () => {
  const { watched, another, ticked, cache } = await searched()
  let made = 0
  const files = {
    ...watched.files,
    open: (...call: Parameters<typeof watched.files.open>) => {
      if (call[0].startsWith(cache) && call[1] !== 'read') made++
      return watched.files.open(...call)
    }
  }
  const device = another({ files, clock: ticked.clock })
  await device.search('apple')
  await device.search('pear')
  expect(made).toBe(0)
})

test('storing and searching in turn reads the last block only, though the file is never left alone for long', async () => {
  const { watched, another, ticked } = await searched()
  const busy = { ...ticked.clock, now: () => ticked.clock.now() - 500 }
  const device = another({ files: watched.files, clock: busy })
  for (const name of ['pear', 'quince', 'grape']) {
    await device.store({ text: name })
    expect(found(await device.search(name, { limit: 1 }))).toEqual([name])
  }
  expect(watched.bytesRead()).toBeLessThan(4 * MIB)
})
