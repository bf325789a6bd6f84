import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { type Bench, batchOf, bench, found, streamOf } from './device-kit.ts'
import { tickedFiles } from './ticked-files.ts'
import { watchedFiles } from './watched-files.ts'

const ASKED = { limit: 3, groups: ['sources'] as const }

const MIB = 1024 * 1024

/** Creates a snapshot with a device whose index is open, and counts what is read from the file. */
async function held({ memories = 400 } = {}) {
  const ticked = tickedFiles(nodeFiles)
  const made = await bench(ticked)
  const metadata = { pad: 'x'.repeat(1000) }
  const apples = Array.from({ length: memories }, (_, i) => ({ raw_text: `apple number ${i}`, metadata }))
  await made.device.storeBatch(streamOf(batchOf(...apples)))
  const watched = watchedFiles(ticked.files, made.path)
  const reader = made.another(watched)
  await reader.search('apple', ASKED)
  watched.bytesRead()
  return { ...made, ticked, watched, reader }
}

/** Returns the cached index; a new one has another inode. */
function cached({ cache }: Pick<Bench, 'cache'>): { ino: number; text: string } {
  const folder = join(cache, 'index')
  const name = readdirSync(folder).find((one) => one.endsWith('.sqlite')) ?? ''
  return { ino: statSync(join(folder, name)).ino, text: readFileSync(join(folder, name), 'latin1') }
}

test('finds memories appended by others on an open device, and reads only the last block', async () => {
  const { another, watched, reader, path } = await held({ memories: 3000 })
  expect(statSync(path).size).toBeGreaterThan(3 * MIB)
  for (const fruit of ['quince', 'medlar', 'papaya']) {
    await another().store({ text: `a ${fruit}` })
    expect(found(await reader.search(fruit, ASKED))).toEqual([`a ${fruit}`])
    expect(watched.bytesRead()).toBeLessThan(1.1 * MIB)
  }
})

test('does not rewrite the cache for a few new memories, which every process still finds', async () => {
  const { another, reader, ...made } = await held()
  const { ino } = cached(made)
  for (const fruit of ['quince', 'medlar', 'papaya']) {
    await another().store({ text: `a ${fruit}` })
    expect(found(await reader.search(fruit, ASKED))).toEqual([`a ${fruit}`])
    expect(found(await another().search(fruit, ASKED))).toEqual([`a ${fruit}`])
  }
  expect(cached(made).ino).toBe(ino)
})

test('saves the index after many new memories', async () => {
  const { device, reader, ...made } = await held()
  const { ino } = cached(made)
  await device.storeBatch(
    streamOf(batchOf(...Array.from({ length: 300 }, (_, i) => ({ raw_text: `pear number ${i}` }))))
  )
  await reader.search('pear', ASKED)
  expect(cached(made).ino).not.toBe(ino)
})

test('removes forgotten memories from the cache, saved or not', async () => {
  const { device, reader, ...made } = await held()
  const { id } = await device.store({ text: 'a zanzibarquince' })
  expect(found(await reader.search('zanzibarquince', ASKED))).toHaveLength(1)
  await device.storeBatch(
    streamOf(batchOf(...Array.from({ length: 300 }, (_, i) => ({ raw_text: `pear number ${i}` }))))
  )
  await reader.search('pear', ASKED)
  expect(cached(made).text).toContain('zanzibarquinc')
  await device.forget([id])
  expect(cached(made).text).not.toContain('zanzibarquinc')
  expect(found(await reader.search('zanzibarquince', ASKED))).toEqual([])
})

test('does not trust an open index whose unsaved last lines another program has rewritten', async () => {
  const { another, device, reader, ticked, path, lines } = await held()
  const { id } = await device.store({ text: 'a quince' })
  expect(found(await reader.search('quince', ASKED))).toEqual(['a quince'])
  const others = lines().filter((line) => !line.includes(id))
  writeFileSync(path, others.map((line) => `${line}\n`).join(''))
  ticked.touched(path)
  expect(found(await another().search('quince', ASKED))).toEqual([])
  await device.store({ text: 'a medlar' })
  expect(found(await reader.search('quince', ASKED))).toEqual([])
  expect(found(await reader.search('medlar', ASKED))).toEqual(['a medlar'])
})
