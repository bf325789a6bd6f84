import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { LIMIT_MAX } from '../../src/contract/groups.ts'
import { openDevice } from '../../src/device/open-device.ts'
import { batchOf, bench, faultOf, found, streamOf, worldWith } from './device-kit.ts'
import { saidLine } from './fact-lines.ts'
import { tickedFiles } from './ticked-files.ts'
import { watchedFiles } from './watched-files.ts'

async function threePlans(more: Parameters<typeof bench>[0] = {}) {
  const made = await bench(more)
  await made.device.storeBatch(
    streamOf(batchOf({ raw_text: 'first plan' }, { raw_text: 'second plan' }, { raw_text: 'third plan' }))
  )
  return made
}

test('names damaged lines in every search, even with a cached index, and returns the others', async () => {
  const { device, another, lines, write } = await threePlans()
  write(lines().join('\n').replace('second', 'sekond').concat('\n'))
  for (const asked of [device, another(), device, another()]) {
    const { damaged, response } = await asked.search('plan')
    expect(damaged).toEqual([{ line: 3, offset: expect.any(Number), reason: expect.stringContaining('`check`') }])
    expect(response.sources).toHaveLength(2)
  }
})

test('names an id once that is neither in the file nor forgotten any more', async () => {
  const ticked = tickedFiles(nodeFiles)
  const { device, another, lines, write, path } = await threePlans(ticked)
  await device.search('plan')
  const [header, first = '', second = '', third] = lines()
  write([header, first, third, ''].join('\n'))
  ticked.touched(path)
  const gone = (JSON.parse(second) as { id: string }).id
  expect((await another().search('plan')).vanished).toEqual([gone])
  expect((await another().search('plan')).vanished).toEqual([])
  expect((await device.search('plan')).vanished).toEqual([])
})

test('does not report a line as vanished that lost its LF, moved, or was forgotten and compacted', async () => {
  const { device, lines, write } = await threePlans()
  await device.search('plan')
  const [header = '', ...rest] = lines()
  write([header, ...rest].join('\n'))
  expect(await device.search('plan')).toMatchObject({ vanished: [], damaged: [] })
  write([header, ...rest.reverse(), ''].join('\n'))
  expect(await device.search('plan')).toMatchObject({ vanished: [] })
  const [newest] = (await device.search('third')).response.sources
  await device.forget([newest?.id ?? ''], { compact: true })
  const { vanished, response } = await device.search('plan')
  expect({ vanished, count: response.sources.length }).toEqual({ vanished: [], count: 2 })
})

test('reports ids that vanished since the last search when a forget updates the index', async () => {
  const { device, lines, write } = await threePlans()
  await device.search('plan')
  const [header = '', first = '', second = '', third = ''] = lines()
  write([header, second, third, ''].join('\n'))
  const { id: gone } = JSON.parse(first) as { id: string }
  const { id } = JSON.parse(second) as { id: string }
  const { notes } = await device.forget([id])
  expect(notes).toEqual([expect.stringContaining(gone)])
  expect((await device.search('plan')).vanished).toEqual([])
})

test('searches without a cache, and says once why the index was not saved', async () => {
  const { path, another, folder } = await threePlans()
  writeFileSync(join(folder, 'no-folder'), '')
  const device = another({ cache: join(folder, 'no-folder') })
  const first = await device.search('plan')
  expect(found(first)).toHaveLength(3)
  expect(first.notes).toEqual([expect.stringContaining('the index could not be saved')])
  expect((await device.search('plan')).notes).toEqual([])
  await device.store({ text: 'fourth plan' })
  expect(found(await device.search('plan'))).toHaveLength(4)
  expect(readFileSync(path, 'utf8')).toContain('fourth plan')
})

test('uses a read-only cache', async () => {
  const { cache, device, another } = await threePlans()
  await device.search('plan')
  const refused = (): never => {
    throw Object.assign(new Error('EROFS: read-only'), { code: 'EROFS', syscall: 'open' })
  }
  const files = {
    ...nodeFiles,
    makeFolders: refused,
    open: (...call: Parameters<typeof nodeFiles.open>) =>
      call[0].startsWith(cache) && call[1] !== 'read' ? refused() : nodeFiles.open(...call)
  }
  const reader = another({ files })
  expect(await reader.search('plan')).toMatchObject({ notes: [] })
  await device.store({ text: 'fourth plan' })
  expect(found(await reader.search('plan'))).toHaveLength(4)
})

test.each(['', 'no index at all', '\0'.repeat(120)])('ignores a cache that contains %j', async (rubbish) => {
  const { cache, device, another } = await threePlans()
  await device.search('plan')
  for (const name of nodeFiles.list(join(cache, 'index'))) writeFileSync(join(cache, 'index', name), rubbish)
  const outcome = await another().search('plan')
  expect(found(outcome)).toHaveLength(3)
  expect((await another().search('plan')).notes).toEqual([])
})

test('gives the same answers on two devices with one cache, whichever stores and searches', async () => {
  const { device, another } = await threePlans()
  const other = another()
  for (let i = 0; i < 5; i++) {
    await device.store({ text: `plan of one, ${i}` })
    await other.store({ text: `plan of the other, ${i}` })
    const [left, right] = await Promise.all([device.search('plan', { limit: 50 }), other.search('plan', { limit: 50 })])
    expect(left.response.sources).toHaveLength(3 + 2 * (i + 1))
    expect(right.response).toEqual(left.response)
  }
})

test('uses a newer index saved by another device, and reads no more than needed', async () => {
  const ticked = tickedFiles(nodeFiles)
  const { device, another, path } = await threePlans(ticked)
  await device.storeBatch(
    streamOf(batchOf(...Array.from({ length: 3000 }, (_, i) => ({ raw_text: `${i} ${'x'.repeat(900)}` }))))
  )

  const watched = watchedFiles(ticked.files, path)
  const holder = another({ files: watched.files })
  await holder.search('plan')
  writeFileSync(path, readFileSync(path))
  ticked.touched(path)
  await another().search('plan')
  watched.bytesRead()
  expect(found(await holder.search('second plan', { limit: 1 }))).toEqual(['second plan'])
  expect(watched.bytesRead()).toBeLessThan(2000)
})

test('shares the index among simultaneous searches on one device, each with its own answer', async () => {
  const loads: number[] = []
  const files = {
    ...nodeFiles,
    open: (...call: Parameters<typeof nodeFiles.open>) => {
      if (call[0].endsWith('.sqlite') && call[1] === 'read') loads.push(1)
      return nodeFiles.open(...call)
    }
  }
  const { device, another } = await threePlans({ files })
  await device.search('plan')
  const other = another()
  const queries = ['first plan', 'second plan', 'third plan']
  const outcomes = await Promise.all(queries.map((query) => other.search(query, { limit: 1 })))
  expect(outcomes.map(found)).toEqual(queries.map((query) => [query]))
  expect(loads).toHaveLength(1)
})

test('completes a search that began before close, and searches again afterwards', async () => {
  const { device } = await threePlans()
  await device.search('plan')
  const begun = [device.search('first'), device.search('second')]
  device.close()
  expect((await Promise.all(begun)).map((outcome) => found(outcome)[0])).toEqual(['first plan', 'second plan'])
  expect(found(await device.search('third'))[0]).toBe('third plan')
  device.close()
  device.close()
})

test('searches again after a failed search', async () => {
  const { device, path } = await threePlans()
  await device.search('plan')
  const bytes = readFileSync(path)
  writeFileSync(path, 'no snapshot any more\n')
  expect(await faultOf(() => device.search('plan'))).toMatchObject({ code: 'not_a_snapshot' })
  nodeFiles.unlink(path)
  expect(await faultOf(() => device.search('plan'))).toMatchObject({ code: 'snapshot_missing' })
  writeFileSync(path, bytes)
  expect(await device.search('plan')).toMatchObject({ vanished: [], damaged: [] })
})

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, LIMIT_MAX + 1])('rejects a limit of %s', async (limit) => {
  const { device } = await threePlans()
  expect(await faultOf(() => device.search('plan', { limit }))).toMatchObject({ code: 'usage' })
})

test('applies limits and groups', async () => {
  const { device } = await threePlans()
  expect(found(await device.search('plan', { limit: 2 }))).toHaveLength(2)
  expect(found(await device.search('plan', { limit: LIMIT_MAX }))).toHaveLength(3)
  expect((await device.search('plan', { groups: ['semantics'] })).response.sources).toEqual([])
  expect(found(await device.search(''))).toEqual([])
})

test('uses one index for a file with several names, and another after a link is redirected', async () => {
  const { folder, path, cache, device } = await threePlans()
  const link = join(folder, 'link.mem.jsonl')
  symlinkSync(path, link)
  const linked = openDevice(worldWith(cache), link)
  await device.search('plan')
  expect(await linked.search('plan')).toMatchObject({ notes: [] })
  expect(nodeFiles.list(join(cache, 'index')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1)
  const second = await bench()
  await second.device.store({ text: 'a plan elsewhere' })
  nodeFiles.unlink(link)
  symlinkSync(second.path, link)
  expect(found(await linked.search('plan'))).toEqual(['a plan elsewhere'])
  linked.close()
})

test('creates cache folders for their owner only', async () => {
  const { cache, device } = await threePlans()
  await device.search('plan')
  expect(nodeFiles.find(join(cache, 'index'))?.mode).toBe(0o700)
  for (const name of nodeFiles.list(join(cache, 'index'))) {
    expect(nodeFiles.find(join(cache, 'index', name))?.mode).toBe(0o600)
  }
})

test('answers as of a time, and refuses an invalid one', async () => {
  const { device, lines, write } = await bench()
  const moved = [
    { subject: 'Ada', predicate: 'lives in', value: 'Oslo', day: 1 },
    { subject: 'Ada', predicate: 'moved to', value: 'Lisbon', day: 20, hidden: true }
  ]
  write([...lines(), ...moved.map(saidLine), ''].join('\n'))
  const told = async (as_of?: string) =>
    (await device.search('Where does Ada live?', { as_of })).response.semantics.map(({ value }) => value)
  expect(await told()).toEqual(['Lisbon'])
  expect(await told('2024-01-10')).toEqual(['Oslo'])
  expect(await faultOf(() => device.search('Ada', { as_of: 'someday' }))).toMatchObject({ code: 'usage' })
})
