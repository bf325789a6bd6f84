import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { type IngestOptions, ingestInto } from '../../src/ingest/ingest.ts'
import { bench } from '../device/device-kit.ts'
import { folderOf, ingestWorld } from './ingest-kit.ts'

const NOTES = { 'a.md': 'The ferry leaves at nine.', 'b.md': 'The harbour is closed.', 'c.png': 'x' }

/** A folder that was ingested long after its last change, and functions to change it and to ingest it again. */
async function ingested() {
  const { device } = await bench()
  const folder = folderOf(NOTES)
  const world = ingestWorld()
  const opened: string[] = []
  let laterMs = 60_000
  const watched = {
    ...world,
    clock: { ...world.clock, now: () => world.clock.now() + laterMs },
    files: {
      ...nodeFiles,
      open: (...given: Parameters<typeof nodeFiles.open>) => {
        if (given[0].startsWith(folder)) opened.push(given[0].slice(folder.length + 1))
        return nodeFiles.open(...given)
      }
    }
  }
  const again = async (options: IngestOptions = {}) => {
    opened.length = 0
    // The detection of the format reads files too.
    const all = { from: 'markdown', ...options }
    const { seconds: _seconds, ...report } = await ingestInto({ world: watched, device }, { path: folder }, all)
    return { report, opened: [...opened].sort() }
  }
  const cache = join(world.folders.cache, 'ingest')
  return {
    device,
    folder,
    cacheFile: () => join(cache, readdirSync(cache)[0] ?? ''),
    advance: (ms: number) => {
      laterMs = ms
    },
    first: await again(),
    again
  }
}

const COUNTS = { seen: 3, taken: 2, left_out: 1, lines: 2 }

test('does not read a file again that has not changed, and gives the same report', async () => {
  const { first, again } = await ingested()
  expect(first).toMatchObject({ report: { ...COUNTS, stored: 2, known: 0 }, opened: ['a.md', 'b.md'] })
  const second = await again()
  expect(second).toEqual({ report: { ...first.report, stored: 0, known: 2 }, opened: [] })
  expect(await again()).toEqual(second)
})

test('reads an edited file, and after that only what was edited since', async () => {
  const { folder, again } = await ingested()
  writeFileSync(join(folder, 'a.md'), 'The ferry leaves at ten.')
  expect(await again()).toMatchObject({ report: { ...COUNTS, stored: 1, known: 1, superseded: 1 }, opened: ['a.md'] })
  expect(await again()).toMatchObject({ report: { stored: 0, known: 2, gone: 1 }, opened: [] })
})

test('counts a file as renamed in the first import after it was renamed, read again or not', async () => {
  const { folder, advance, again } = await ingested()
  advance(0)
  renameSync(join(folder, 'a.md'), join(folder, 'ferry.md'))
  expect(await again()).toMatchObject({ report: { stored: 0, renamed: 1 }, opened: ['ferry.md'] })
  expect(await again()).toMatchObject({ report: { stored: 0, renamed: 0 }, opened: ['ferry.md'] })
  advance(60_000)
  await again()
  expect(await again()).toMatchObject({ report: { stored: 0, renamed: 0 }, opened: [] })
  renameSync(join(folder, 'ferry.md'), join(folder, 'boat.md'))
  expect(await again()).toMatchObject({ report: { stored: 0, renamed: 1 } })
})

test('reads a file again whose memory was forgotten, and does not store it', async () => {
  const { device, again } = await ingested()
  const [memory] = device.list().records
  await device.forget([String(memory?.id)])
  expect(await again()).toMatchObject({ report: { stored: 0, known: 1, forgotten: 1 }, opened: ['a.md'] })
})

test('stores a file again in another snapshot', async () => {
  const { folder, again } = await ingested()
  await again()
  const { device } = await bench()
  expect(await ingestInto({ world: ingestWorld(), device }, { path: folder })).toMatchObject({ stored: 2 })
})

test('reads files that were changed within the last two seconds', async () => {
  const { folder, advance, again } = await ingested()
  writeFileSync(join(folder, 'a.md'), 'The ferry leaves at ten.')
  advance(0)
  await again()
  expect((await again()).opened).toEqual(['a.md'])
})

test('keeps what is known about files that --only excludes', async () => {
  const { again } = await ingested()
  expect(await again({ only: 'b.md' })).toMatchObject({ report: { taken: 1, left_out: 2 }, opened: [] })
  expect((await again()).opened).toEqual([])
})

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 50))],
  ['of another shape', (path: string) => writeFileSync(path, '[["a.md",{"stamp":1}],7]')]
])('reads everything if the cache is %s', async (_name, damage) => {
  const { again, cacheFile } = await ingested()
  damage(cacheFile())
  expect(await again()).toMatchObject({ report: { ...COUNTS, stored: 0, known: 2 }, opened: ['a.md', 'b.md'] })
})

test('does not use the cache with other options', async () => {
  const { again } = await ingested()
  expect((await again({ zone: 'Europe/Berlin' })).opened).toEqual(['a.md', 'b.md'])
  expect((await again({ since: '2020-01-01T00:00:00Z' })).opened).toEqual(['a.md', 'b.md'])
})
