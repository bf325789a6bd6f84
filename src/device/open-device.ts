import { compactFile } from './compact-file.ts'
import type { Device, DeviceOptions } from './device.ts'
import { type DeviceWorld, type Opened, stopIfAborted } from './device-world.ts'
import type { Finder } from './finder.ts'
import { forgetMemories } from './forget-memories.ts'
import { createStampWitness } from './index/index-files.ts'
import { listMemories, showMemory } from './list-memories.ts'
import { storeBatch } from './store-batch.ts'
import { previewRecord, storeOne } from './store-one.ts'
import { UNTOUCHED, verifyFile } from './verify-file.ts'

/**
 * Opens the device runtime on one snapshot file, given by its absolute path. Opening reads nothing: the first method
 * that needs a missing file throws the fault. Any number of devices and processes may use one file at once.
 */
export function openDevice(world: DeviceWorld, path: string, options: DeviceOptions = {}): Device {
  const opened: Opened = { world, path, options, witness: (realPath) => createStampWitness(world, realPath) }
  let finder: Promise<Finder> | undefined
  /** Loaded by the first search: storing needs neither analyser nor index. */
  const loadFinder = (): Promise<Finder> => {
    finder ??= import('./finder.ts').then(({ createFinder }) => createFinder(opened))
    return finder
  }
  return {
    path,
    store: (input, { signal } = {}) => storeOne(opened, input, signal),
    preview: (input) => previewRecord(opened, input),
    storeBatch: (source, batchOptions) => storeBatch(opened, source, batchOptions),
    /** Loaded on demand: a correction reads the file, which storing does not. */
    correct: async (id, text, correctOptions) => {
      const { correctMemory } = await import('./correct-memory.ts')
      return correctMemory(opened, id, { ...correctOptions, text })
    },
    search: async (query, searchOptions) => (await loadFinder()).search(query, searchOptions),
    whyNot: async (query, id, searchOptions) => (await loadFinder()).whyNot(query, id, searchOptions),
    list: (listOptions) => listMemories(opened, listOptions),
    recent: async (recentOptions) => (await loadFinder()).recent(recentOptions),
    read: async (ids, readOptions) => (await loadFinder()).read(ids, readOptions),
    show: (id) => showMemory(opened, id),
    why: async (id) => {
      const shown = showMemory(opened, id)
      return { ...shown, ...(await (await loadFinder()).why(shown.record)) }
    },
    forget: (ids, forgetOptions) =>
      forgetMemories(opened, ids, { ...forgetOptions, refresh: async () => (await loadFinder()).refresh() }),
    /** Loaded on demand, because it needs the index and the graph. */
    stats: async ({ signal } = {}) => {
      stopIfAborted(signal, UNTOUCHED)
      const { readStats } = await import('./read-stats.ts')
      return readStats(opened, signal)
    },
    verify: ({ signal } = {}) => verifyFile(opened, signal),
    compact: (compactOptions) => compactFile(opened, compactOptions),
    close() {
      void finder?.then((made) => made.close())
      finder = undefined
    }
  }
}
