import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createSnapshot, type Device, diffSnapshots, Fault, mergeSnapshots, openDevice } from '../../bin/device.ts'
import { faultOf, temporaryFolder, texts } from './device-kit.ts'

/** A caller without a compiler, which may pass anything. */
type Untyped = { [Name in keyof Device]: (...given: unknown[]) => unknown } & { device: Device; folder: string }

/** Creates a device of the library on an empty snapshot. */
async function untyped(): Promise<Untyped> {
  const folder = temporaryFolder()
  const path = join(folder, 'a.mem.jsonl')
  await createSnapshot(path)
  const device = openDevice(path, { cacheFolder: join(folder, 'cache') })
  onTestFinished(() => device.close())
  return { ...device, device, folder } as unknown as Untyped
}

async function* streamOf(...chunks: unknown[]): AsyncGenerator<unknown> {
  yield* chunks
}

const WRONG: readonly (readonly [what: string, call: (device: Untyped) => unknown, said: RegExp])[] = [
  ['a memory that is null', (device) => device.store(null), /expected an object with a `text`/],
  ['a memory that is a text', (device) => device.store('Ada'), /expected an object with a `text`/],
  ['a preview of nothing', (device) => device.preview(), /expected an object with a `text`/],
  ['a query that is a number', (device) => device.search(5), /`query` of search must be a text, not 5/],
  ['a Date for a time', (device) => device.search('x', { as_of: new Date(0) }), /`as_of` of search must be a time/],
  [
    'a group that there is not',
    (device) => device.search('x', { groups: ['foo'] }),
    /`groups` of search must be a list/
  ],
  ['an option in other letters', (device) => device.search('x', { asOf: '2026-01-01' }), /no option `asOf`/],
  ['options that are none', (device) => device.search('x', null), /options of search must be an object, not null/],
  [
    'a limit that is a text',
    (device) => device.search('x', { limit: '3' }),
    /`limit` of search must be a whole number/
  ],
  ['no id', (device) => device.whyNot('x'), /`id` of whyNot must be a text, not undefined/],
  ['ids that are no list', (device) => device.forget('mem_00'), /`ids` of forget must be a list of ids/],
  ['a batch from nowhere', (device) => device.storeBatch({}), /needs a file or a stream/],
  ['a batch that is nothing', (device) => device.storeBatch(), /needs a file or a stream/],
  ['a path with NUL', (device) => device.storeBatch({ file: 'a\0b' }), /`file` of storeBatch must be a path/],
  [
    'a stream that is a list',
    (device) => device.storeBatch({ stream: ['a'] }),
    /`stream` of storeBatch must be an async/
  ],
  [
    'a stream of numbers',
    (device) => device.storeBatch({ stream: streamOf(1) }),
    /expected chunks of bytes or strings/
  ],
  ['half a character', (device) => device.storeBatch({ stream: streamOf('\ud83d') }), /lone surrogate/],
  [
    'another form',
    (device) => device.compact({ format: 'xml' }),
    /`format` of compact must be 'jsonl' or 'json', not "xml"/
  ],
  ['a signal that is none', (device) => device.verify({ signal: 'stop' }), /`signal` of verify must be an AbortSignal/],
  ['a call back that is none', (device) => device.storeBatch({ file: 'b' }, { onProgress: 1 }), /must be a function/]
]

test.each(WRONG)('rejects %s with a fault that states the expected input', async (_what, call, said) => {
  const device = await untyped()
  const fault = await faultOf(() => call(device))
  if (!(fault instanceof Fault)) throw fault
  expect(fault.message).toMatch(said)
  expect(['usage', 'invalid_input']).toContain(fault.code)
  expect(texts(device.device)).toEqual([])
})

test('throws faults of synchronous methods', async () => {
  const device = await untyped()
  const path = join(device.folder, 'a.mem.jsonl')
  const create = createSnapshot as (...given: unknown[]) => Promise<unknown>
  const merge = mergeSnapshots as (...given: unknown[]) => Promise<unknown>
  const usage = expect.objectContaining({ code: 'usage', name: 'Fault' })
  expect(() => device.show()).toThrow(usage)
  expect(() => device.list({ since: 5 })).toThrow(usage)
  expect(() => openDevice(pathToFileURL(path) as unknown as string)).toThrow(usage)
  expect(() => openDevice(`${path}\0`)).toThrow(usage)
  expect(() => openDevice(path, { lockWait: 1 } as object)).toThrow(usage)
  expect(() => diffSnapshots(path, undefined as unknown as string)).toThrow(usage)
  await expect(create(5)).rejects.toEqual(usage)
  await expect(create(join(device.folder, 'b.mem.jsonl'), { format: 'yaml' })).rejects.toEqual(usage)
  await expect(merge()).rejects.toEqual(usage)
  await expect(merge({ inputs: path, output: path })).rejects.toEqual(usage)
  await expect(merge({ inputs: [path] })).rejects.toEqual(usage)
})

test('names a valid input in the fault', async () => {
  const device = await untyped()
  const unknown = await faultOf(() => device.search('x', { asOf: '2026-01-01' }))
  expect(unknown).toMatchObject({
    hint: 'search takes limit, groups, as_of, known_at, since, until, speaker, conversation, source, only_sources, except_sources, kind, explain'
  })
  const date = await faultOf(() => device.search('x', { as_of: new Date(0) }))
  expect(date).toMatchObject({
    message: expect.stringContaining('not an object (Date)'),
    hint: expect.stringContaining('toISOString')
  })
})

test('does nothing if it was aborted before it started', async () => {
  const { device } = await untyped()
  const signal = AbortSignal.abort()
  for (const work of [device.verify({ signal }), device.stats({ signal }), device.compact({ signal })])
    await expect(work).rejects.toMatchObject({ code: 'cancelled' })
})

test('accepts a batch of strings, split anywhere, as a file is read with an encoding', async () => {
  const said = ['Ärger', '日本語', '😀 smile']
  const batch = said.map((raw_text) => `${JSON.stringify({ raw_text })}\n`).join('')
  const { device, folder } = await untyped()
  const units = Array.from({ length: batch.length }, (_, at) => batch.charAt(at))
  expect(await device.storeBatch({ stream: streamOf(...units) as AsyncGenerator<string> })).toMatchObject({ stored: 3 })
  expect(texts(device)).toEqual(said)
  const file = join(folder, 'b.jsonl')
  writeFileSync(file, batch)
  expect(await device.storeBatch({ stream: createReadStream(file, 'utf8') })).toMatchObject({ stored: 0, known: 3 })
})
