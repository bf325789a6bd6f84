import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { batchOf, bench, faultOf, hastyClock, streamOf, texts } from './device-kit.ts'

/** Enough for several appends by `hastyClock`. */
const LINES = 1000
const MANY = batchOf(
  ...Array.from({ length: LINES }, (_, i) => ({ raw_text: `memory number ${i}`, conversation: 'c' }))
)

test('reports how many memories are stored when a batch is stopped, and continues when it is repeated', async () => {
  const { device, folder } = await bench({ clock: hastyClock() })
  const file = join(folder, 'batch.jsonl')
  writeFileSync(file, MANY)
  const stop = new AbortController()
  const onProgress = ({ stored }: { stored: number }): void => {
    if (stored > 0) stop.abort()
  }
  const fault = await faultOf(() => device.storeBatch({ file }, { signal: stop.signal, onProgress }))
  const { length } = texts(device)
  expect(length).toBeGreaterThan(0)
  expect(length).toBeLessThan(LINES)
  expect(fault).toMatchObject({
    code: 'cancelled',
    message: expect.stringContaining(`${length} memories of the batch`)
  })
  expect(await device.storeBatch({ file })).toMatchObject({ lines: LINES, known: length, stored: LINES - length })
  const whole = await bench({ clock: hastyClock() })
  await whole.device.storeBatch({ file })
  expect(texts(device)).toEqual(texts(whole.device))
})

test('stores nothing if it is stopped during validation of the file', async () => {
  const { device, folder } = await bench({ clock: hastyClock() })
  const file = join(folder, 'batch.jsonl')
  writeFileSync(file, MANY)
  const stopped = device.storeBatch({ file }, { signal: AbortSignal.abort() })
  expect(await faultOf(() => stopped)).toMatchObject({
    code: 'cancelled',
    message: expect.stringContaining('nothing was stored')
  })
  expect(texts(device)).toEqual([])
})

test('stops while it waits for a stream that sends nothing', async () => {
  const { device } = await bench({ clock: hastyClock() })
  const stop = new AbortController()
  async function* silent(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(batchOf({ raw_text: 'a' }, { raw_text: 'b' }))
    stop.abort()
    await new Promise(() => undefined)
  }
  expect(await faultOf(() => device.storeBatch({ stream: silent() }, { signal: stop.signal }))).toMatchObject({
    code: 'cancelled',
    message: expect.stringContaining('2 memories of the batch are stored')
  })
  expect(texts(device)).toEqual(['a', 'b'])
})

test('stops a batch whose memories all exist', async () => {
  const { device, folder } = await bench({ clock: hastyClock() })
  const file = join(folder, 'batch.jsonl')
  writeFileSync(file, MANY)
  await device.storeBatch({ file })
  const stop = new AbortController()
  const options = { signal: stop.signal, onProgress: () => stop.abort() }
  expect(await faultOf(() => device.storeBatch({ file }, options))).toMatchObject({ code: 'cancelled' })
})

test('does not mention stored memories after a stopped dry run', async () => {
  const { device } = await bench({ clock: hastyClock() })
  const options = { dryRun: true, signal: AbortSignal.abort() }
  expect(await faultOf(() => device.storeBatch(streamOf(MANY), options))).toMatchObject({
    message: expect.stringContaining('nothing was stored')
  })
})

test('stores two simultaneous batches without losing or mixing lines', async () => {
  const { device, another } = await bench({ clock: hastyClock() })
  const half = (name: string) => batchOf(...Array.from({ length: 2000 }, (_, i) => ({ raw_text: `${name} ${i}` })))
  const parts = (text: string): string[] => text.match(/.{1,10000}/gs) ?? []
  const reports = await Promise.all([
    device.storeBatch(streamOf(...parts(half('left')))),
    another().storeBatch(streamOf(...parts(half('right')))),
    ...Array.from({ length: 10 }, (_, i) => another().store({ text: `single ${i}` }))
  ])
  expect(reports).toHaveLength(12)
  expect(new Set(texts(device)).size).toBe(4010)
  expect(await device.verify()).toMatchObject({ sound: true, memories: 4010, tail: null })
})
