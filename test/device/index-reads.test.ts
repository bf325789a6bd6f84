import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { ANSWER } from '../../src/search/answer/answer-constants.ts'
import { type Bench, batchOf, bench, found, streamOf } from './device-kit.ts'
import { tickedFiles } from './ticked-files.ts'
import { watchedFiles } from './watched-files.ts'

const MIB = 1024 * 1024

/** Creates a snapshot of some megabytes, searches it once, and counts what is read afterwards. */
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

/** Created by the first test that needs it. */
let snapshot: Uint8Array | undefined

async function manyStored({ device, path }: Bench): Promise<Uint8Array> {
  await device.storeBatch(streamOf(batchOf(...manyMemories())))
  return readFileSync(path)
}

function manyMemories(): { raw_text: string; metadata: { pad: string } }[] {
  const metadata = { pad: 'x'.repeat(1000) }
  return Array.from({ length: 4000 }, (_, i) => ({ raw_text: `apple number ${i}`, metadata }))
}

/** Returns the size of the lines with these texts. */
function bytesOf({ lines }: Bench, texts: readonly string[]): number {
  const all = lines()
  const line = (text: string): string => all.find((one) => one.includes(`"text":"${text}"`)) ?? ''
  return texts.reduce((sum, text) => sum + Buffer.byteLength(line(text)), 0)
}

test('reads only the hits and a few possible copies from a file that is unchanged since the last search', async () => {
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

test('reads only the last block and the new lines after our own stores, in any process', async () => {
  const { watched, another, device, size } = await searched()
  await device.store({ text: 'a pear' })
  await device.store({ text: 'another pear' })
  const before = size()
  expect(before).toBeGreaterThan(4 * MIB)
  expect(found(await another(watched).search('pear'))).toHaveLength(2)
  expect(watched.bytesRead()).toBeLessThan(2 * MIB)
})

test('reads no more after our own forget than after a store', async () => {
  const { watched, another, device } = await searched()
  const { id } = await device.store({ text: 'a pear' })
  await device.forget([id])
  expect(found(await another(watched).search('pear'))).toEqual([])
  expect(watched.bytesRead()).toBeLessThan(2 * MIB)
})

test('hashes a file once that was touched but not changed', async () => {
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

test('keeps the index of everything before the first changed block', async () => {
  const { another, ticked, path } = await searched()
  const bytes = readFileSync(path)
  const place = bytes.indexOf('apple number 3000')
  bytes.write('mango', place)
  writeFileSync(path, bytes)
  ticked.touched(path)
  const { vanished, damaged, notes } = await another().search('apple')
  expect(damaged).toMatchObject([{ line: 3002, reason: expect.stringContaining('check') }])
  expect(vanished).toHaveLength(1)
  expect(notes).toEqual([`the index was repaired: the file differs from byte ${Math.floor(place / MIB) * MIB} on`])
})

test('does not index a file again that was replaced by an equal one', async () => {
  const { another, ticked, path } = await searched()
  writeFileSync(`${path}.copy`, readFileSync(path))
  renameSync(`${path}.copy`, path)
  ticked.touched(path)
  const { notes, vanished, response } = await another().search('number 17')
  expect({ notes, vanished }).toEqual({ notes: [], vanished: [] })
  expect(response.sources[0]?.text).toBe('apple number 17')
})

test('reads an unfinished line only once per search', async () => {
  const { watched, another, ticked, path } = await searched()
  appendFileSync(path, '{"at":"2026')
  ticked.touched(path)
  const device = another(watched)
  await device.search('apple')
  watched.bytesRead()
  expect((await device.search('apple', { limit: 1 })).damaged).toEqual([])
  expect(watched.bytesRead()).toBeLessThan(3 * MIB)
})

test('saves the index only if it has changed', async () => {
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

test('reads only the last block while stores and searches alternate without a pause', async () => {
  const { watched, another, ticked } = await searched()
  const busy = { ...ticked.clock, now: () => ticked.clock.now() - 500 }
  const device = another({ files: watched.files, clock: busy })
  for (const name of ['pear', 'quince', 'grape']) {
    await device.store({ text: name })
    expect(found(await device.search(name, { limit: 1 }))).toEqual([name])
  }
  expect(watched.bytesRead()).toBeLessThan(4 * MIB)
})
