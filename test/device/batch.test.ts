import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import type { BatchProgress, Device } from '../../src/device/device.ts'
import { batchOf, bench, faultOf, hastyClock, stillClock, streamOf, texts } from './device-kit.ts'

const NOON = Date.UTC(2026, 2, 3, 12)

/** Creates a batch file, and the snapshot to store it into. */
async function fileBench(text: string | Uint8Array) {
  const made = await bench({ clock: stillClock(NOON) })
  const file = join(made.folder, 'batch.jsonl')
  writeFileSync(file, text)
  return { ...made, file }
}

function records(device: Device): MemoryRecord[] {
  return [...device.list().records]
}

test('gives undated lines the time of the run plus their number, and the same ids in every run', async () => {
  const batch = batchOf({ raw_text: 'one' }, { raw_text: 'two' })
  const { device, another } = await fileBench(batch)
  await device.storeBatch(streamOf(batch))
  expect(records(device)).toMatchObject([
    { text: 'one', at: '2026-03-03T12:00:00.001Z', undated: true },
    { text: 'two', at: '2026-03-03T12:00:00.002Z', undated: true }
  ])
  const later = another({ clock: stillClock(NOON + 86_400_000) })
  expect(await later.storeBatch(streamOf(batch))).toMatchObject({ lines: 2, stored: 0, known: 2, differed: 0 })
})

test('counts blank lines in the line numbers that times depend on', async () => {
  const { device } = await fileBench('')
  await device.storeBatch(streamOf('\n', batchOf({ raw_text: 'on line two' })))
  expect(records(device)[0]?.at).toBe('2026-03-03T12:00:00.002Z')
})

test('accepts a byte order mark, CR before LF, blank lines and a missing last LF', async () => {
  const text = '\ufeff\r\n{"raw_text":"a"}\r\n \t\r\n\n{"raw_text":"b"}'
  const { device, file } = await fileBench(text)
  expect(await device.storeBatch({ file })).toMatchObject({ lines: 2, stored: 2 })
  expect(await device.storeBatch(streamOf(text))).toMatchObject({ lines: 2, known: 2 })
  expect(texts(device)).toEqual(['a', 'b'])
})

test('numbers lines with equal text, speaker, time and conversation as copies, whatever their other fields', async () => {
  const batch = batchOf(
    { raw_text: 'yes', speaker: 'Ada' },
    { raw_text: 'yes', speaker: 'Ada', metadata: { n: 2 } },
    { raw_text: 'yes', speaker: 'Alan' },
    { raw_text: 'yes', metadata: { speaker: 'Ada' } },
    { raw_text: 'yes', speaker: 'Ada', at: '2026-01-01' }
  )
  const { device } = await fileBench('')
  await device.storeBatch(streamOf(batch))
  const copies = records(device).map(({ speaker, at, copy, undated }) => [speaker, undated ? null : at, copy])
  expect(copies).toEqual([
    ['Ada', '2026-01-01T00:00:00.000Z', undefined],
    ['Ada', null, undefined],
    ['Ada', null, 2],
    ['Alan', null, undefined],
    ['Ada', null, 3]
  ])
  expect(await device.storeBatch(streamOf(batch))).toMatchObject({ stored: 0, known: 5 })
})

test('numbers the lines of each conversation from 1, unless they have a position', async () => {
  const { device } = await fileBench('')
  const batch = batchOf(
    { raw_text: 'a1', conversation: 'a' },
    { raw_text: 'b1', conversation: 'b' },
    { raw_text: 'none' },
    { raw_text: 'a2', metadata: { conversation: 'a' } },
    { raw_text: 'a9', conversation: 'a', position: 9 },
    { raw_text: 'a4', conversation: 'a' }
  )
  await device.storeBatch(streamOf(batch))
  expect(records(device).map(({ text, position }) => [text, position])).toEqual([
    ['a1', 1],
    ['b1', 1],
    ['none', undefined],
    ['a2', 2],
    ['a9', 9],
    ['a4', 4]
  ])
})

test('leaves a memory with other metadata or position unchanged, and reports the difference', async () => {
  const { device, lines } = await fileBench('')
  const said = { raw_text: 'a', at: '2026-01-01' }
  await device.storeBatch(streamOf(batchOf({ ...said, metadata: { n: 1 } })))
  const before = lines()
  expect(await device.storeBatch(streamOf(batchOf({ ...said, metadata: { n: 2 } })))).toMatchObject({ differed: 1 })
  expect(await device.storeBatch(streamOf(batchOf({ ...said, position: 3 })))).toMatchObject({ differed: 1 })
  expect(lines()).toEqual(before)
})

test('does not store forgotten memories again, and reports them', async () => {
  const batch = batchOf({ raw_text: 'a' }, { raw_text: 'b' })
  const { device } = await fileBench('')
  await device.storeBatch(streamOf(batch))
  const [first] = records(device)
  await device.forget([first?.id ?? ''])
  const report = await device.storeBatch(streamOf(batch))
  expect(report).toMatchObject({
    stored: 0,
    known: 1,
    forgotten: 1,
    notes: ['1 were forgotten earlier and remain forgotten']
  })
  expect(texts(device)).toEqual(['b'])
})

test.each([
  ['invalid JSON', '{"raw_text":', 'malformed_json'],
  ['a duplicate key', '{"raw_text":"a","raw_text":"b"}', 'malformed_json'],
  ['not an object', '["raw_text"]', 'invalid_input'],
  ['no text', '{"text":"a"}', 'invalid_input'],
  ['an unknown field', '{"raw_text":"a","speeker":"Ada"}', 'invalid_input'],
  ['a field called constructor', '{"raw_text":"a","constructor":"Ada"}', 'invalid_input'],
  ['a time that does not exist', '{"raw_text":"a","at":"2026-02-30"}', 'invalid_input'],
  ['a lone surrogate', '{"raw_text":"\\ud800"}', 'malformed_json'],
  ['a position that is not an integer', '{"raw_text":"a","position":1.5}', 'invalid_input'],
  ['metadata that is not an object', '{"raw_text":"a","metadata":[1]}', 'invalid_input']
])(
  'stores nothing from a file with %s in its last line, but the preceding lines of a stream',
  async (_what, bad, code) => {
    const batch = `${batchOf({ raw_text: 'good' })}${bad}\n`
    const { device, file } = await fileBench(batch)
    expect(await faultOf(() => device.storeBatch({ file }))).toMatchObject({
      code,
      message: expect.stringContaining('line 2 of the batch')
    })
    expect(texts(device)).toEqual([])
    expect(await faultOf(() => device.storeBatch(streamOf(batch)))).toMatchObject({ code })
    expect(texts(device)).toEqual(['good'])
  }
)

test('treats null fields as absent', async () => {
  const { device } = await fileBench('')
  const nothing = { at: null, speaker: null, conversation: null, position: null, metadata: null }
  await device.storeBatch(streamOf(batchOf({ raw_text: 'a', ...nothing })))
  expect(Object.keys(records(device)[0] ?? {}).sort()).toEqual(
    ['at', 'check', 'extractor', 'id', 'text', 'type', 'undated'].sort()
  )
})

test('writes nothing in a dry run, even without a file, and returns the records it would store', async () => {
  const { device, folder, path, file } = await fileBench(batchOf({ raw_text: 'a' }, { raw_text: 'b' }))
  const before = readFileSync(path)
  const seen: string[] = []
  const report = await device.storeBatch({ file }, { dryRun: true, onRecord: ({ text }) => void seen.push(text) })
  expect(report).toMatchObject({ lines: 2, stored: 2 })
  expect(seen).toEqual(['a', 'b'])
  expect(readFileSync(path)).toEqual(before)
  nodeFiles.unlink(path)
  expect(await device.storeBatch({ file }, { dryRun: true })).toMatchObject({ stored: 2 })
  expect(nodeFiles.list(folder)).toEqual(['batch.jsonl'])
})

test('reports progress that never decreases and reaches the end, even if all memories exist', async () => {
  const many = Array.from({ length: 1000 }, (_, i) => ({ raw_text: `${i} ${'é'.repeat(300)}` }))
  const { another, file } = await fileBench(`${batchOf(...many)}\n\n`)
  const device = another({ clock: hastyClock() })
  const total = readFileSync(file).length
  for (const stored of [1000, 0]) {
    const told: BatchProgress[] = []
    const report = await device.storeBatch({ file }, { onProgress: (progress) => void told.push(progress) })
    expect(report).toMatchObject({ lines: 1000, stored })
    expect(told.at(-1)).toEqual({ lines: 1000, stored, bytesRead: total, bytesTotal: total })
    expect(told.length).toBeGreaterThan(10)
    for (const name of ['lines', 'stored', 'bytesRead'] as const) {
      expect(told.map((progress) => progress[name])).toEqual(
        told.map((progress) => progress[name]).sort((a, b) => a - b)
      )
    }
  }
})

test('names a missing or invalid batch file, and not the snapshot', async () => {
  const { device, folder } = await fileBench('')
  const missing = await faultOf(() => device.storeBatch({ file: join(folder, 'none.jsonl') }))
  expect(missing).toMatchObject({ code: 'not_found', message: expect.stringContaining('none.jsonl') })
  expect(await faultOf(() => device.storeBatch({ file: folder }))).toMatchObject({ code: 'invalid_input' })
})

test('stores a batch into a file in object form', async () => {
  const { device } = await bench({ format: 'json' })
  await device.storeBatch(streamOf(batchOf({ raw_text: 'a' }), batchOf({ raw_text: 'b' })))
  expect(texts(device)).toEqual(['a', 'b'])
  expect(await device.verify()).toMatchObject({ sound: true, form: 'json', memories: 2 })
})
