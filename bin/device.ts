/**
 * The device runtime as a library: memories in one local file, searched offline. Paths may be relative to the current
 * folder. Asynchronous calls reject with a `Fault`, and synchronous ones throw it. It has a `code` and often a `hint`.
 */
import { resolve } from 'node:path'
import { createSnapshot as create } from '../src/device/create-snapshot.ts'
import type { Device, DeviceOptions, DiffReport, Form, MergeOptions, MergeReport } from '../src/device/device.ts'
import type { DeviceWorld } from '../src/device/device-world.ts'
import { diffSnapshots as diff } from '../src/device/diff-snapshots.ts'
import { mergeSnapshots as merge } from '../src/device/merge-snapshots.ts'
import { openDevice as open } from '../src/device/open-device.ts'
import type { IngestOptions } from '../src/ingest/ingest.ts'
import type { IngestEvent } from '../src/ingest/ingest-events.ts'
import { testDevice } from './library/test-device.ts'
import * as given from './library/test-given.ts'
import { nodeAssets } from './node/node-assets.ts'
import { nodeClock } from './node/node-clock.ts'
import { nodeFiles } from './node/node-files.ts'
import { nodeFolders } from './node/node-folders.ts'
import { nodeIds } from './node/node-ids.ts'
import { nodeSelf } from './node/node-self.ts'
import { nodeThreads } from './node/threads/node-threads.ts'

export { Fault, type FaultCode } from '../src/contract/faults.ts'
export type { Group } from '../src/contract/groups.ts'
export type * from '../src/contract/memory-response.ts'
export type * from '../src/contract/snapshot.ts'
export type * from '../src/device/device.ts'
export type { IngestOptions, IngestProgress, IngestReport } from '../src/ingest/ingest.ts'
export type { IngestEvent } from '../src/ingest/ingest-events.ts'
export type { ExplainedFact, MemoryReport } from '../src/search/answer/memory-report.ts'
export type { TermPlace } from '../src/search/answer/term-place.ts'
export type * from '../src/search/answer/why-not-report.ts'
export type { TermMatch } from '../src/search/rank/term-match.ts'

export type LibraryOptions = DeviceOptions & {
  /** The folder of cached indexes, instead of the user's cache folder. */
  cacheFolder?: string
}

const OPENING: given.GivenRules = { lockWaitMs: given.WAIT, extract: given.FLAG, cacheFolder: given.PATH }

const MERGING: given.GivenRules = {
  inputs: given.PATHS,
  base: given.PATH,
  output: given.PATH,
  format: given.FORM,
  skipDamaged: given.FLAG,
  force: given.FLAG,
  signal: given.SIGNAL,
  ...OPENING
}

/** Opens a device on the snapshot file at `path`. Opening reads nothing; `createSnapshot` creates a missing file. */
export function openDevice(path: string, options: LibraryOptions = {}): Device {
  given.testOptions('openDevice', options, OPENING)
  return testDevice(open(worldFor(options), resolvePath('openDevice', 'path', path), options))
}

/** Creates an empty snapshot at `path`, in an existing folder. Rejects with `exists` if the path exists. */
export async function createSnapshot(
  path: string,
  options: LibraryOptions & { format?: Form } = {}
): Promise<{ path: string; id: string }> {
  given.testOptions('createSnapshot', options, { format: given.FORM, ...OPENING })
  return await create(worldFor(options), resolvePath('createSnapshot', 'path', path), options)
}

/** Compares the memories and facts of snapshots `a` and `b`. Throws a `Fault` if it fails. */
export function diffSnapshots(a: string, b: string): DiffReport {
  return diff(worldFor({}), resolvePath('diffSnapshots', 'a', a), resolvePath('diffSnapshots', 'b', b))
}

/** Merges snapshots into `output`, which may be one of them. */
export async function mergeSnapshots(
  options: MergeOptions & LibraryOptions & { signal?: AbortSignal }
): Promise<MergeReport> {
  const call = 'mergeSnapshots'
  const { inputs, base, output } = given.testOptions(call, options ?? {}, MERGING)
  const paths = given.testGiven(call, 'inputs', { given: inputs, rule: given.PATHS }).map((path) => resolve(path))
  return await merge(worldFor(options), {
    ...options,
    inputs: paths,
    base: base === undefined ? undefined : resolve(base),
    output: resolvePath(call, 'output', output)
  })
}

const INGESTING: given.GivenRules = {
  from: given.TEXT,
  me: given.TEXT,
  zone: given.TEXT,
  since: given.TIME,
  only: given.TEXT,
  dryRun: given.FLAG,
  prune: given.FLAG,
  pruneMany: given.FLAG,
  onProgress: given.FUNCTION,
  onRecord: given.FUNCTION,
  signal: given.SIGNAL
}

/**
 * Stores the notes, chats, mail or documents of a folder, file or archive, as `memctl device ingest` does. Yields the
 * progress, and at the end the report. An iteration that ends early stops the import; what is stored stays.
 */
export async function* ingest(
  device: Device,
  path: string,
  options: IngestOptions = {}
): AsyncGenerator<IngestEvent, void, undefined> {
  given.testOptions('ingest', options, INGESTING)
  const input = { path: resolvePath('ingest', 'path', path) }
  const [{ ingestEvents }, { openDocuments }] = await Promise.all([
    import('../src/ingest/ingest-events.ts'),
    import('./with-documents.ts')
  ])
  const { documents, end } = openDocuments(nodeClock)
  try {
    yield* ingestEvents({ world: { ...worldFor({}), documents }, device }, input, options)
  } finally {
    await end()
  }
}

function resolvePath(call: string, name: string, path: string): string {
  return resolve(given.testGiven(call, name, { given: path, rule: given.PATH }))
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
