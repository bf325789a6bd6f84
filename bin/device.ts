/**
 * The device runtime as a library: memories in one local file, searched offline. Paths may be relative to the current folder.
 * Everything rejects or throws with a `Fault`, which has a `code` and often a `hint`.
 */
import { resolve } from 'node:path'
import { createSnapshot as create } from '../src/device/create-snapshot.ts'
import type { DeviceOptions, DeviceWorld } from '../src/device/device-world.ts'
import { diffSnapshots as diff } from '../src/device/diff-snapshots.ts'
import { mergeSnapshots as merge } from '../src/device/merge-snapshots.ts'
import { openDevice as open } from '../src/device/open-device.ts'
import type { Device, DiffReport, Form, MergeOptions, MergeReport } from '../src/device/types.ts'
import { nodeAssets } from './node/assets.ts'
import { nodeClock } from './node/clock.ts'
import { nodeFiles } from './node/files.ts'
import { nodeFolders } from './node/folders.ts'
import { nodeIds } from './node/ids.ts'
import { nodeSelf } from './node/self.ts'
import { nodeThreads } from './node/threads.ts'

export { Fault, type FaultCode } from '../src/contract/faults.ts'
export type * from '../src/contract/memory-response.ts'
export type * from '../src/contract/snapshot.ts'
export type * from '../src/device/types.ts'

export type LibraryOptions = DeviceOptions & {
  /** Where indexes are cached, instead of the user's cache folder. */
  cacheFolder?: string
}

/** A device on the snapshot file at `path`. Opening reads nothing; `createSnapshot` makes a file that is missing. */
export function openDevice(path: string, options: LibraryOptions = {}): Device {
  return open(worldFor(options), resolve(path), options)
}

/** An empty snapshot at `path`, in a folder that exists. Rejects with `exists` where anything is there already. */
export function createSnapshot(
  path: string,
  options: LibraryOptions & { format?: Form } = {}
): Promise<{ path: string; id: string }> {
  return create(worldFor(options), resolve(path), options)
}

/** What changed from snapshot `a` to snapshot `b`, by memories and by facts. */
export function diffSnapshots(a: string, b: string): DiffReport {
  return diff(worldFor({}), resolve(a), resolve(b))
}

/** The union of snapshots, written to `output`, which may be one of them. */
export function mergeSnapshots(
  options: MergeOptions & LibraryOptions & { signal?: AbortSignal }
): Promise<MergeReport> {
  const inputs = options.inputs.map((path) => resolve(path))
  const base = options.base === undefined ? undefined : resolve(options.base)
  return merge(worldFor(options), { ...options, inputs, base, output: resolve(options.output) })
}

function worldFor({ cacheFolder }: LibraryOptions): DeviceWorld {
  const folders = nodeFolders()
  const world = {
    clock: nodeClock,
    ids: nodeIds,
    files: nodeFiles,
    self: nodeSelf(),
    assets: nodeAssets,
    threads: nodeThreads
  }
  return { ...world, folders: cacheFolder === undefined ? folders : { ...folders, cache: resolve(cacheFolder) } }
}
