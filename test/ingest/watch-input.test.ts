import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Fault } from '../../src/contract/faults.ts'
import { ingestInto } from '../../src/ingest/ingest.ts'
import { watchInput } from '../../src/ingest/watch-input.ts'
import type { Clock } from '../../src/ports.ts'
import { bench } from '../device/device-kit.ts'
import { folderOf, ingestWorld } from './ingest-kit.ts'

/** Watches a folder of notes. Each step runs before a sweep, in order; after the last one, the watch is stopped. */
async function watchSteps(steps: readonly ((folder: string) => void)[], { prune = true, hints = false } = {}) {
  const folder = folderOf({ 'a.md': 'The ferry leaves at nine.', 'b.md': 'The harbour is closed.' })
  const { device } = await bench()
  const world = ingestWorld()
  const stop = new AbortController()
  const left = [...steps]
  const waits: number[] = []
  const faults: string[] = []
  let hint = (): void => undefined
  const clock: Clock = {
    ...world.clock,
    wait: async (ms, signal) => {
      waits.push(ms)
      if (signal?.aborted) throw signal.reason
      if (hints && ms > 1000) {
        hint()
        return
      }
      const step = left.shift()
      if (step === undefined) stop.abort()
      else step(folder)
      stop.signal.throwIfAborted()
    }
  }
  const watchPath = (_path: string, onChange: () => void) => {
    hint = onChange
    return () => {
      hint = () => undefined
    }
  }
  const reports = watchInput(
    { ...world, clock, ...(hints && { watchPath }) },
    {
      path: folder,
      sweep: (chooseGone) => ingestInto({ world, device }, { path: folder }, { prune, pruneMany: true, chooseGone }),
      onFault: async ({ message }) => void faults.push(message),
      signal: stop.signal
    }
  )
  const found: object[] = []
  const end = async (): Promise<void> => {
    for await (const { stored, superseded, pruned } of reports) found.push({ stored, superseded, pruned })
  }
  await expect(end()).rejects.toMatchObject({ code: 'cancelled' })
  return { reports: found, waits, faults, texts: [...device.list().records].map(({ text }) => text) }
}

const FIRST = { stored: 2, superseded: 0, pruned: 0 }
const write = (name: string, text: string) => (folder: string) => writeFileSync(join(folder, name), text)
const remove = (name: string) => (folder: string) => rmSync(join(folder, name))
const rest = (): void => undefined

test('reports the first sweep, and later ones only if something has changed', async () => {
  const { reports } = await watchSteps([rest, write('c.md', 'Rain.'), rest, write('c.md', 'Rain and hail.')], {
    prune: false
  })
  expect(reports).toEqual([FIRST, { stored: 1, superseded: 0, pruned: 0 }, { stored: 1, superseded: 1, pruned: 0 }])
})

test('forgets a deleted note after two sweeps, the second of which comes soon', async () => {
  const { reports, waits, texts } = await watchSteps([remove('a.md'), rest, rest])
  expect(reports).toEqual([FIRST, { stored: 0, superseded: 0, pruned: 1 }])
  expect(waits).toEqual([30_000, 2000, 30_000, 30_000])
  expect(texts).toEqual(['The harbour is closed.'])
})

test('keeps a note that is missing in one sweep only', async () => {
  const { reports, texts } = await watchSteps([remove('a.md'), write('a.md', 'The ferry leaves at nine.'), rest])
  expect(reports).toEqual([FIRST])
  expect(texts).toHaveLength(2)
})

test('reports a renamed note once', async () => {
  const rename = (folder: string): void => renameSync(join(folder, 'a.md'), join(folder, 'ferry.md'))
  const { reports, texts } = await watchSteps([rename, rest, rest])
  expect(reports).toEqual([FIRST, { stored: 0, superseded: 0, pruned: 0 }])
  expect(texts).toHaveLength(2)
})

test('sweeps at once after a notification, when the change has had time to complete', async () => {
  const { reports, waits } = await watchSteps([write('c.md', 'Rain.')], { hints: true })
  expect(reports).toEqual([FIRST, { stored: 1, superseded: 0, pruned: 0 }])
  expect(waits).toEqual([30_000, 300, 30_000, 300])
})

test('tries again after a sweep that fails, and reports the failure once', async () => {
  const removeAll = (folder: string): void => rmSync(folder, { recursive: true })
  const { reports, faults, texts } = await watchSteps([removeAll, rest, rest])
  expect(reports).toEqual([FIRST])
  expect(faults).toEqual([expect.stringMatching(/does not exist$/)])
  expect(texts).toHaveLength(2)
})

test('fails if the first sweep fails', async () => {
  const fault = new Fault('not_found', 'nothing is here')
  const reports = watchInput(ingestWorld(), {
    path: '/nonexistent',
    sweep: () => Promise.reject(fault),
    onFault: async () => undefined,
    signal: new AbortController().signal
  })
  await expect(reports.next()).rejects.toBe(fault)
})
