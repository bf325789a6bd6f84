import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeAssets } from '../../bin/node/node-assets.ts'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { nodeFolders } from '../../bin/node/node-folders.ts'
import { nodeIds } from '../../bin/node/node-ids.ts'
import { nodeSelf } from '../../bin/node/node-self.ts'
import { createSnapshot } from '../../src/device/create-snapshot.ts'
import type { BatchSource, Device, DeviceOptions, SearchOutcome } from '../../src/device/device.ts'
import type { DeviceWorld } from '../../src/device/device-world.ts'
import { openDevice } from '../../src/device/open-device.ts'
import type { Clock } from '../../src/ports.ts'

/** Devices for tests, on real files in temporary folders. */

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'memctl-device-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates the real world with an index cache in `cache`. */
export function worldWith(cache: string, more: Partial<DeviceWorld> = {}): DeviceWorld {
  const folders = { ...nodeFolders(), cache }
  return { clock: nodeClock, ids: nodeIds, files: nodeFiles, self: nodeSelf(), assets: nodeAssets, folders, ...more }
}

export type Bench = {
  folder: string
  /** Path of the snapshot. */
  path: string
  cache: string
  device: Device
  /** Opens another device on the same file, with the same cache unless given. */
  another(more?: Partial<DeviceWorld> & { cache?: string }): Device
  /** Returns the snapshot's lines, each without its LF. */
  lines(): string[]
  write(text: string | Uint8Array): void
}

/** Creates an empty snapshot with a device. */
export async function bench(
  more: Partial<DeviceWorld> & { format?: 'jsonl' | 'json'; options?: DeviceOptions } = {}
): Promise<Bench> {
  const folder = temporaryFolder()
  const path = join(folder, 'a.mem.jsonl')
  const cache = join(folder, 'cache')
  const { format, options, ...world } = more
  await createSnapshot(worldWith(cache, world), path, { format })
  const another: Bench['another'] = ({ cache: otherCache = cache, ...other } = {}) => {
    const device = openDevice(worldWith(otherCache, { ...world, ...other }), path, options)
    onTestFinished(() => device.close())
    return device
  }
  return {
    folder,
    path,
    cache,
    device: another(),
    another,
    lines: () => readFileSync(path, 'utf8').split('\n').slice(0, -1),
    write: (text) => writeFileSync(path, text)
  }
}

/** Returns the fault that a function throws or rejects with. */
export async function faultOf(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** Creates a batch stream of these chunks. */
export function streamOf(...parts: readonly (string | Uint8Array)[]): BatchSource {
  return { stream: arriving(parts) }
}

async function* arriving(parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}

/** Creates the lines of a batch. */
export function batchOf(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

export function texts(device: Device): string[] {
  return [...device.list().records].map(({ text }) => text)
}

/** Returns the texts of the hits, best first. */
export function found({ response }: SearchOutcome): string[] {
  return response.sources.map(({ text }) => text)
}

/** Creates a clock that advances by a second per call, so that timed work is due at every opportunity. */
export function hastyClock(): Clock {
  let ticks = 0
  return { ...nodeClock, ticks: () => (ticks += 1000) }
}

/** Creates a clock that stands still. */
export function stillClock(nowMs: number): Clock {
  return { ...nodeClock, now: () => nowMs }
}
