import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDevice } from '../../src/device/open-device.ts'
import { type ReceiveOptions, receiveSnapshot } from '../../src/device/receive-snapshot.ts'
import { batchOf, bench, faultOf, streamOf, temporaryFolder, texts, worldWith } from './device-kit.ts'
import { exportOf, inChunks } from './sent-export.ts'

/** Creates a sender with three memories, one of them forgotten, and a folder to receive into. */
async function setUp() {
  const { device: sender, cache } = await bench()
  await sender.storeBatch(
    streamOf(batchOf({ raw_text: 'café', at: '2026-01-01' }, { raw_text: 'two' }, { raw_text: 'three' }))
  )
  await sender.forget([[...sender.list().records][2]?.id ?? ''])
  const folder = temporaryFolder()
  const output = join(folder, 'got.mem.jsonl')
  const world = worldWith(cache)
  const receive = (bytes: Uint8Array, more: Partial<ReceiveOptions> = {}) =>
    receiveSnapshot(world, { chunks: inChunks(bytes), output, replacing: 'refuse', ...more })
  return { sender, sent: await exportOf(sender), folder, output, world, receive, got: openDevice(world, output) }
}

test('writes the sent file from chunks of any size', async () => {
  const { sender, sent, output, receive, folder } = await setUp()
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3000 }), async (size) => {
      const report = await receive(Buffer.alloc(0), { chunks: inChunks(sent, size) })
      expect(readFileSync(output)).toEqual(readFileSync(sender.path))
      expect(report.received).toMatchObject({ records: 3, bytes: sent.length, root_hash: report.root_hash })
    }),
    { numRuns: 20 }
  )
  expect(statSync(output).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['got.mem.jsonl'])
})

test('writes no file from an export that is truncated anywhere', async () => {
  const { sent, folder, receive } = await setUp()
  for (let end = 0; end < sent.length; end += 37) {
    expect(await faultOf(() => receive(sent.subarray(0, end)))).toMatchObject({ code: 'broken_transfer', exitCode: 7 })
    expect(readdirSync(folder)).toEqual([])
  }
})

const spoiled: [name: string, spoil: (lines: string[]) => string[]][] = [
  ['a changed letter', (lines) => lines.map((line) => line.replace('café', 'cafe'))],
  ['a missing line', ([header = '', , ...rest]) => [header, ...rest]],
  ['a repeated line', ([header = '', first = '', ...rest]) => [header, first, first, ...rest]],
  ['no header', ([, ...rest]) => rest],
  ['two headers', ([header = '', ...rest]) => [header, header, ...rest]],
  ['a line after the end', (lines) => [...lines, lines[1] ?? '']],
  [
    'another root hash',
    (lines) => [...lines.slice(0, -1), JSON.stringify({ ...endOf(lines), root_hash: 'a'.repeat(64) })]
  ],
  ['another number', (lines) => [...lines.slice(0, -1), JSON.stringify({ ...endOf(lines), records: 4 })]],
  ['a page of a proxy', () => ['<html>', 'Bad gateway', '</html>']]
]

function endOf(lines: readonly string[]): object {
  return JSON.parse(lines.at(-1) ?? '{}')
}

test.each(spoiled)('rejects an export with %s, and writes nothing', async (_name, spoil) => {
  const { sent, folder, receive } = await setUp()
  const lines = spoil(sent.toString('utf8').trimEnd().split('\n'))
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  expect(await faultOf(() => receive(bytes))).toMatchObject({ code: 'broken_transfer' })
  expect(readdirSync(folder)).toEqual([])
})

test('refuses to replace a file with lines that the export lacks, and reports their number; merge keeps, force drops them', async () => {
  const { sent, receive, got, output } = await setUp()
  await receive(sent)
  await got.storeBatch(streamOf(batchOf({ raw_text: 'only here' }, { raw_text: 'here too' })))
  const before = readFileSync(output)
  expect(await faultOf(() => receive(sent))).toMatchObject({
    code: 'exists',
    exitCode: 6,
    message: `${output} has 2 lines that the export lacks`
  })
  expect(readFileSync(output)).toEqual(before)
  expect(await receive(sent, { replacing: 'merge' })).toMatchObject({ kept: 2, memories: 4, forgotten: 1 })
  expect(texts(got)).toEqual(['café', 'two', 'only here', 'here too'])
  expect(await got.verify()).toMatchObject({ sound: true, memories: 4 })
  expect(await receive(sent, { replacing: 'force' })).toMatchObject({ kept: 0, memories: 2 })
  expect(texts(got)).toEqual(['café', 'two'])
})

test('treats a local forget as a line that the export lacks', async () => {
  const { sent, receive, got } = await setUp()
  await receive(sent)
  await got.forget([[...got.list().records][0]?.id ?? ''])
  expect(await faultOf(() => receive(sent))).toMatchObject({
    code: 'exists',
    message: expect.stringContaining('1 line ')
  })
})

test('replaces an older state of the same snapshot, whatever was forgotten since', async () => {
  const { sender, sent, receive, got } = await setUp()
  await receive(sent)
  await sender.forget([[...sender.list().records][0]?.id ?? ''])
  await sender.store({ text: 'new' })
  expect(await receive(await exportOf(sender))).toMatchObject({ kept: 0, memories: 2, forgotten: 2 })
  expect(texts(got)).toEqual(['two', 'new'])
})

test('replaces a damaged file or one that is not a snapshot only with force', async () => {
  const { sent, receive, output } = await setUp()
  writeFileSync(output, 'a letter\n')
  for (const replacing of ['refuse', 'merge'] as const) {
    expect(await faultOf(() => receive(sent, { replacing }))).toMatchObject({
      code: 'not_a_snapshot',
      hint: expect.stringContaining('--force')
    })
    expect(readFileSync(output, 'utf8')).toBe('a letter\n')
  }
  expect(await receive(sent, { replacing: 'force' })).toMatchObject({ memories: 2 })
})

test('keeps form, mode and links of the file', async () => {
  const { sent, receive, output, folder } = await setUp()
  await receive(sent, { format: 'json' })
  chmodSync(output, 0o640)
  symlinkSync(output, join(folder, 'link'))
  await receive(sent, { output: join(folder, 'link'), replacing: 'merge' })
  expect(JSON.parse(readFileSync(output, 'utf8')).records).toHaveLength(3)
  expect(statSync(output).mode & 0o777).toBe(0o640)
  expect(existsSync(join(folder, 'link'))).toBe(true)
})

test('leaves the file unchanged if it is stopped halfway', async () => {
  const { sent, receive, output, folder } = await setUp()
  await receive(sent)
  const stop = new AbortController()
  const progress: number[] = []
  const onProgress = ({ records, total }: { records: number; total: number }) => {
    progress.push(total)
    if (records === 1) stop.abort()
  }
  const before = readFileSync(output)
  const fault = await faultOf(() => receive(sent, { signal: stop.signal, onProgress }))
  expect(fault).toMatchObject({ code: 'cancelled', message: 'stopped; nothing was written' })
  expect(progress.at(-1)).toBe(3)
  expect(readFileSync(output)).toEqual(before)
  expect(readdirSync(folder)).toEqual(['got.mem.jsonl'])
})

test('ignores leftovers of an earlier transfer that was killed', async () => {
  const { sent, receive, output, folder } = await setUp()
  writeFileSync(`${output}.part`, 'half a file')
  await receive(sent)
  expect(readdirSync(folder)).toEqual(['got.mem.jsonl'])
})
