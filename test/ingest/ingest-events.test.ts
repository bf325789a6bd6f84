import { expect, test } from 'vitest'
import { ingest, openDevice } from '../../bin/device.ts'
import { ingestEvents } from '../../src/ingest/ingest-events.ts'
import { bench, faultOf } from '../device/device-kit.ts'
import { folderOf, ingestWorld } from './ingest-kit.ts'

const NOTES = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.md`, `The note of pier ${n}.`]))

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

test('yields progress and ends with the report', async () => {
  const { path } = await bench()
  const device = openDevice(path)
  const events = await collect(ingest(device, folderOf(NOTES)))
  device.close()
  expect(events.slice(0, -1).every(({ event }) => event === 'progress')).toBe(true)
  expect(events.at(-1)).toMatchObject({ event: 'done', format: 'markdown', taken: 30, stored: 30 })
})

test('stops the import when the iteration ends early', async () => {
  const { device } = await bench()
  const events = ingestEvents({ world: ingestWorld(), device }, { path: folderOf(NOTES) })
  await events.next()
  await events.return(undefined)
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('rejects a signal that was aborted, and unknown options', async () => {
  const { path } = await bench()
  const device = openDevice(path)
  const folder = folderOf(NOTES)
  const aborted = ingest(device, folder, { signal: AbortSignal.abort() })
  expect(await faultOf(() => aborted.next())).toMatchObject({ code: 'cancelled' })
  const unknown = ingest(device, folder, { format: 'markdown' } as object)
  expect(await faultOf(() => unknown.next())).toMatchObject({ code: 'usage' })
  device.close()
})
