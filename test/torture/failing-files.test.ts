import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeAssets } from '../../bin/node/node-assets.ts'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { nodeFolders } from '../../bin/node/node-folders.ts'
import { nodeIds } from '../../bin/node/node-ids.ts'
import { nodeSelf } from '../../bin/node/node-self.ts'
import { nodeThreads } from '../../bin/node/threads/node-threads.ts'
import { createSnapshot } from '../../src/device/create-snapshot.ts'
import type { Device } from '../../src/device/device.ts'
import { openDevice } from '../../src/device/open-device.ts'
import { failingFiles } from './failing-files.ts'

const UNHARMED = { failing: 0, code: 'EIO' }

test.each(['EIO', 'ENOSPC'])('stores completely or refuses when any one call fails with %s', async (code) => {
  const path = await snapshot()
  for (let failing = 1, refused = true; refused; failing++) {
    const { device, ...counter } = deviceOn(path, { failing, code })
    const text = `memory ${failing}`
    const outcome = await outcomeOf(device.store({ text }))
    refused = counter.last() !== ''
    expect({ failing, call: counter.last(), isThere: texts(path).includes(text) }).toMatchObject({
      isThere: outcome === 'done'
    })
    expect(['done', 'system_refused']).toContain(outcome)
    releaseDeadLock(path)
    expect(await deviceOn(path, UNHARMED).device.verify()).toMatchObject({ sound: true, tail: null })
  }
  expect(texts(path).length).toBeGreaterThan(3)
})

test.each([
  ['forget', (device: Device) => device.forget([newest(device.path)])],
  ['compact', (device: Device) => device.compact()]
])('loses nothing in a %s when any one call fails', async (_name, work) => {
  const path = await snapshot()
  await deviceOn(path, UNHARMED).device.store({ text: 'always there' })
  for (let failing = 1, refused = true; refused; failing++) {
    await deviceOn(path, UNHARMED).device.store({ text: `forgettable ${failing}` })
    const { device, ...counter } = deviceOn(path, { failing, code: 'EIO' })
    const outcome = await outcomeOf(work(device))
    refused = counter.last() !== ''
    expect(['done', 'system_refused']).toContain(outcome)
    releaseDeadLock(path)
    const after = deviceOn(path, UNHARMED).device
    if (outcome !== 'done') expect(texts(path)).toContain(`forgettable ${failing}`)
    expect(await after.verify()).toMatchObject({ sound: true, tail: null })
    expect(texts(path)).toContain('always there')
    expect(existsSync(`${path}.new`) && outcome === 'done').toBe(false)
  }
})

test('lists completely or refuses when any one call fails', async () => {
  const path = await snapshot()
  for (let failing = 1, refused = true; refused; failing++) {
    const { device, ...counter } = deviceOn(path, { failing, code: 'EIO' })
    const listed = async (): Promise<string[]> => [...device.list().records].map(({ text }) => text)
    const outcome = await listed().catch((error) => error.code)
    refused = counter.last() !== ''
    expect(['system_refused', ['first']]).toContainEqual(outcome)
  }
})

async function snapshot(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'memctl-failing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.mem.jsonl')
  await createSnapshot(worldOn(path), path)
  await deviceOn(path, UNHARMED).device.store({ text: 'first' })
  await deviceOn(path, UNHARMED).device.search('first')
  return path
}

function worldOn(path: string) {
  const folders = { ...nodeFolders(), cache: `${path}.cache` }
  return {
    clock: nodeClock,
    ids: nodeIds,
    files: nodeFiles,
    self: nodeSelf(),
    assets: nodeAssets,
    threads: nodeThreads,
    folders
  }
}

function deviceOn(path: string, fail: { failing: number; code: string }) {
  const { files, last } = failingFiles(nodeFiles, fail)
  return { device: openDevice({ ...worldOn(path), files }, path, { lockWaitMs: 0 }), last }
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

/**
 * Removes the lock of a simulated dead process. A lock that could not be removed is broken only once its process has
 * ended, which this one has not.
 */
function releaseDeadLock(path: string): void {
  for (const end of ['.lock', '.lock.break']) rmSync(path + end, { force: true })
}

function texts(path: string): string[] {
  return [...deviceOn(path, UNHARMED).device.list().records].map(({ text }) => text)
}

function newest(path: string): string {
  return (
    readFileSync(path, 'utf8')
      .match(/mem_[0-9a-f]{32}/g)
      ?.at(-1) ?? ''
  )
}
