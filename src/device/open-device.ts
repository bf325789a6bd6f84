import { stampWitness } from './append-witness.ts'
import { compactFile } from './compact-file.ts'
import type { DeviceWorld } from './device-world.ts'
import type { Finder } from './find.ts'
import { forgetMemories } from './forget.ts'
import { listMemories, showMemory } from './look.ts'
import type { Opened } from './opened.ts'
import { storeBatch } from './store-batch.ts'
import { previewRecord, storeOne } from './store-one.ts'
import { statsOf, verifyFile } from './take-stock.ts'
import type { Device, DeviceOptions } from './types.ts'

/**
 * The device runtime on one snapshot file, at an absolute path. Opening reads nothing: a file that is missing is a fault
 * of the first method that needs it. Any number of devices and processes may use one file at once.
 */
export function openDevice(world: DeviceWorld, path: string, options: DeviceOptions = {}): Device {
  const opened: Opened = { world, path, options, witness: (realPath) => stampWitness(world, realPath) }
  let finder: Promise<Finder> | undefined
  /** Loaded by the first search: storing needs neither analyser nor index. */
  const find = (): Promise<Finder> => {
    finder ??= import('./find.ts').then(({ createFinder }) => createFinder(opened))
    return finder
  }
  return {
    path,
    store: (input, { signal } = {}) => storeOne(opened, input, signal),
    preview: (input) => previewRecord(opened, input),
    storeBatch: (source, batchOptions) => storeBatch(opened, source, batchOptions),
    search: async (query, searchOptions) => (await find()).search(query, searchOptions),
    whyNot: async (query, id, searchOptions) => (await find()).whyNot(query, id, searchOptions),
    list: (listOptions) => listMemories(opened, listOptions),
    show: (id) => showMemory(opened, id),
    forget: (ids, forgetOptions) =>
      forgetMemories(opened, ids, { ...forgetOptions, refresh: async () => (await find()).refresh() }),
    stats: ({ signal } = {}) => statsOf(opened, signal),
    verify: ({ signal } = {}) => verifyFile(opened, signal),
    compact: (compactOptions) => compactFile(opened, compactOptions),
    close() {
      void finder?.then((made) => made.close())
      finder = undefined
    }
  }
}
