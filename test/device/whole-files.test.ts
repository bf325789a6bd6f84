import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createReExtraction } from '../../src/device/compact-file.ts'
import { createSnapshot } from '../../src/device/create-snapshot.ts'
import { diffSnapshots } from '../../src/device/diff-snapshots.ts'
import { mergeSnapshots } from '../../src/device/merge-snapshots.ts'
import { EXTRACTOR_VERSION } from '../../src/memory/extractor-version.ts'
import { understand } from '../../src/memory/understand.ts'
import { serializeRecord } from '../../src/snapshot/record/compute-check.ts'
import { memory, memoryLine } from '../snapshot/builders.ts'
import { batchOf, bench, faultOf, found, streamOf, temporaryFolder, texts, worldWith } from './device-kit.ts'

async function sides() {
  const left = await bench()
  const right = await bench()
  for (const { device } of [left, right])
    await device.storeBatch(streamOf(batchOf({ raw_text: 'both', at: '2026-01-01' })))
  await left.device.storeBatch(streamOf(batchOf({ raw_text: 'left', at: '2026-01-02' })))
  await right.device.storeBatch(streamOf(batchOf({ raw_text: 'right', at: '2026-01-03' })))
  return { left, right, world: worldWith(left.cache) }
}

test('compacts away superseded lines, keeps the root hash, and updates the next search', async () => {
  const { device } = await bench()
  await device.storeBatch(streamOf(batchOf({ raw_text: 'plan a' }, { raw_text: 'plan b' }, { raw_text: 'plan c' })))
  const [first] = [...device.list().records]
  await device.forget([first?.id ?? ''])
  const before = await device.verify()
  const report = await device.compact()
  expect(report).toMatchObject({ memories: 2, dropped: 1, re_extracted: 0, aside: 0, notes: [] })
  expect(report.bytes_after).toBeLessThan(report.bytes_before)
  expect(report.root_hash).toBe(before.root_hash)
  expect(await device.verify()).toMatchObject({ root_hash: before.root_hash, lines: 4, forgotten: 1 })
  expect(found(await device.search('plan'))).toHaveLength(2)
})

test('refuses to compact a damaged file unless the damage may be moved aside', async () => {
  const { device, path, write, lines } = await bench()
  await device.store({ text: 'sound' })
  write(`${lines().join('\n')}\nno line\n{"torn`)
  const before = readFileSync(path)
  expect(await faultOf(() => device.compact())).toMatchObject({ code: 'invalid_snapshot' })
  expect(readFileSync(path)).toEqual(before)
  expect(await device.compact({ skipDamaged: true })).toMatchObject({
    aside: 1,
    notes: [`13 bytes that were not valid lines were moved to ${path}.aside`]
  })
  expect(readFileSync(`${path}.aside`, 'utf8')).toBe('no line\n{"torn\n')
  expect(texts(device)).toEqual(['sound'])
})

test('changes the form by compacting, after which every method still works', async () => {
  const { device, path } = await bench()
  await device.store({ text: 'a plan' })
  await device.search('plan')
  await device.compact({ format: 'json' })
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ records: [{ text: 'a plan' }] })
  await device.store({ text: 'another plan' })
  expect(found(await device.search('plan'))).toHaveLength(2)
  await device.compact({ format: 'jsonl' })
  expect(await device.verify()).toMatchObject({ form: 'jsonl', memories: 2, sound: true })
})

test('extracts a record of an older extractor again, and keeps its other fields', () => {
  const old = { ...memory({ text: 'a', metadata: { n: 1 }, later: [1] }), extractor: EXTRACTOR_VERSION - 1, facts: [] }
  const reExtracted = createReExtraction(understand)
  const remade = reExtracted(old)
  expect(remade).toEqual({ ...memory({ text: 'a', metadata: { n: 1 }, later: [1] }), extractor: EXTRACTOR_VERSION })
  expect(reExtracted({ ...old, extractor: EXTRACTOR_VERSION })).toBeUndefined()
  expect(reExtracted({ ...old, extractor: EXTRACTOR_VERSION + 7 })).toBeUndefined()
})

test('keeps what a newer extractor made, even when asked to extract again', async () => {
  const { device, write, lines } = await bench()
  const line = memoryLine({ text: 'a', extractor: 99, facts: [{ subject: 's', predicate: 'p', value: 'v' }] })
  write([...lines(), line, ''].join('\n'))
  expect(await device.compact({ reExtract: true })).toMatchObject({ re_extracted: 0, memories: 1 })
  expect(lines()[1]).toBe(line)
})

test('drops forget lines permanently', async () => {
  const { device } = await bench()
  const { id } = await device.store({ text: 'a' })
  await device.forget([id])
  await device.compact({ dropForgets: true })
  expect(await device.verify()).toMatchObject({ memories: 0, forgotten: 0, known_ids: 0, sound: true })
})

test('merges in any order, and reports what each input added', async () => {
  const { left, right, world } = await sides()
  const output = join(left.folder, 'out.mem.jsonl')
  const report = await mergeSnapshots(world, { inputs: [left.path, right.path], output })
  expect(report).toMatchObject({ output, memories: 3, forgotten: 0, added: [2, 1], notes: [] })
  expect(report.bytes).toBe(readFileSync(output).length)
  const other = join(left.folder, 'other.mem.jsonl')
  const turned = await mergeSnapshots(world, { inputs: [right.path, left.path], output: other })
  expect(turned.root_hash).toBe(report.root_hash)
  expect(readFileSync(other)).toEqual(readFileSync(output))
})

test('shows a merge into one of its inputs to a device that is open on it', async () => {
  const { left, right, world } = await sides()
  await left.device.search('both')
  await mergeSnapshots(world, { inputs: [left.path, right.path], output: left.path })
  expect(texts(left.device).sort()).toEqual(['both', 'left', 'right'])
  expect(found(await left.device.search('right', { limit: 1 }))).toEqual(['right'])
  expect(readdirSync(left.folder).sort()).toEqual(['a.mem.jsonl', 'cache'])
})

test('overwrites no file that is not an input, unless forced', async () => {
  const { left, right, world } = await sides()
  const output = join(left.folder, 'there.txt')
  writeFileSync(output, 'mine')
  const options = { inputs: [left.path, right.path], output }
  expect(await faultOf(() => mergeSnapshots(world, options))).toMatchObject({ code: 'exists' })
  expect(readFileSync(output, 'utf8')).toBe('mine')
  expect(await mergeSnapshots(world, { ...options, force: true })).toMatchObject({ memories: 3 })
})

test('does not bring a forgotten memory back by merging', async () => {
  const { left, right, world } = await sides()
  const both = [...left.device.list().records].find(({ text }) => text === 'both')
  await left.device.forget([both?.id ?? ''], { compact: true })
  await mergeSnapshots(world, { inputs: [right.path, left.path], output: right.path })
  expect(texts(right.device).sort()).toEqual(['left', 'right'])
})

test('refuses a damaged input and leaves no file behind', async () => {
  const { left, right, world } = await sides()
  right.write(`${right.lines().join('\n')}\nno line\n`)
  const output = join(left.folder, 'out.mem.jsonl')
  const options = { inputs: [left.path, right.path], output }
  expect(await faultOf(() => mergeSnapshots(world, options))).toMatchObject({ code: 'invalid_snapshot' })
  expect(existsSync(output) || existsSync(`${output}.lock`) || existsSync(`${output}.new`)).toBe(false)
  expect(await mergeSnapshots(world, { ...options, skipDamaged: true })).toMatchObject({ memories: 3 })
})

test('refuses to merge nothing', async () => {
  const { left, world } = await sides()
  const output = join(left.folder, 'out.mem.jsonl')
  expect(await faultOf(() => mergeSnapshots(world, { inputs: [], output }))).toMatchObject({ code: 'usage' })
  expect(existsSync(output)).toBe(false)
})

test('reports memories added, missing, forgotten and changed, and nothing for equal sets', async () => {
  const { left, right, world } = await sides()
  await right.device.storeBatch(streamOf(batchOf({ raw_text: 'left too', at: '2026-01-02' })))
  const both = [...right.device.list().records].find(({ text }) => text === 'both')
  await right.device.forget([both?.id ?? ''])
  const report = diffSnapshots(world, left.path, right.path)
  expect(report.equal).toBe(false)
  expect(report.memories.added.map(({ text }) => text)).toEqual(['left too', 'right'])
  expect(report.memories.gone.map(({ text }) => text)).toEqual(['left'])
  expect(report.memories.forgotten).toEqual([
    { id: both?.id, at: '2026-01-01T00:00:00.000Z', speaker: null, text: 'both' }
  ])
  const copy = join(left.folder, 'copy.mem.jsonl')
  await mergeSnapshots(world, { inputs: [left.path], output: copy, format: 'json' })
  expect(diffSnapshots(world, left.path, copy)).toMatchObject({ equal: true })
})

test('reports facts added, missing and changed', async () => {
  const { left, right, world } = await sides()
  const fact = (value: string) => ({ subject: 'Ada', predicate: 'lives in', value, rule: 'r', span: [0, 1] })
  const said = memory({ text: 'where Ada lives', extractor: 1 })
  left.write([...left.lines(), serializeRecord({ ...said, facts: [fact('Paris')] }), ''].join('\n'))
  right.write([...right.lines(), serializeRecord({ ...said, facts: [fact('Lisbon')] }), ''].join('\n'))
  const { facts, memories } = diffSnapshots(world, left.path, right.path)
  expect(facts).toMatchObject({
    added: [],
    gone: [],
    revalued: [{ subject: 'Ada', predicate: 'lives in', from: ['Paris'], to: ['Lisbon'] }]
  })
  expect(memories.changed.map(({ id }) => id)).toEqual([said.id])
})

test('refuses to compare a damaged file, and leaves no file open if one is missing', async () => {
  const { left, right, world } = await sides()
  right.write(`${right.lines().join('\n')}\nno line\n`)
  expect(await faultOf(() => diffSnapshots(world, left.path, right.path))).toMatchObject({ code: 'invalid_snapshot' })
  const open: number[] = []
  const files = {
    ...world.files,
    open: (...call: Parameters<typeof world.files.open>) => {
      open.push(1)
      return world.files.open(...call)
    },
    close: (fd: number) => {
      open.pop()
      world.files.close(fd)
    }
  }
  const fault = await faultOf(() => diffSnapshots({ ...world, files }, left.path, join(left.folder, 'none')))
  expect(fault).toMatchObject({ code: 'snapshot_missing' })
  expect(open).toEqual([])
})

test('creates a snapshot once, and never overwrites a file', async () => {
  const folder = temporaryFolder()
  const world = worldWith(join(folder, 'cache'))
  const path = join(folder, 'new.mem.jsonl')
  const attempts = await Promise.allSettled(Array.from({ length: 4 }, () => createSnapshot(world, path)))
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
  for (const there of [path, folder, join(folder, 'link')]) {
    expect(await faultOf(() => createSnapshot(world, there))).toMatchObject({ code: 'exists' })
  }
  expect(await faultOf(() => createSnapshot(world, join(folder, 'none', 'a')))).toMatchObject({
    code: 'system_refused'
  })
  expect(readdirSync(folder).sort()).toEqual(['link', 'new.mem.jsonl'])
})
