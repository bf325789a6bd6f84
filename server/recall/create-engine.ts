import type { StartThread } from '../../src/ports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { createCollectionSearcher } from './collections/create-collection-searcher.ts'
import type { Engine } from './engine/engine.ts'
import { createRememberer } from './memories/create-rememberer.ts'
import { createTextsRememberer } from './memories/create-texts-rememberer.ts'
import { createEnginePool } from './pool/engine-pool.ts'
import { createSnapshotEngine } from './snapshots/create-snapshot-engine.ts'

export type EngineOptions = {
  startThread: StartThread
  storage: Pick<Storage, 'listCollections' | 'readPage' | 'noteDamage'>
  /** The number of processors. Each thread starts when it is needed. */
  threads: number
  /** Memory limit for the indexes of all threads. The most recently used ones are kept. */
  indexBytesMax?: number
}

const INDEX_BYTES_MAX = 1024 * 1024 * 1024
/** Per thread. */
const INDEXES_MAX = 100
/** Limits on calls that wait for a thread, and on the memory of their bodies. */
const WAITING_MAX = 512
const WAITING_BYTES_MAX = 256 * 1024 * 1024

/** Creates the engine over threads. Starts no thread until there is work. */
export function createEngine({
  startThread,
  storage,
  threads,
  indexBytesMax = INDEX_BYTES_MAX
}: EngineOptions): Engine {
  const limits = { indexesMax: INDEXES_MAX, indexBytesMax: Math.floor(indexBytesMax / threads) }
  const pool = createEnginePool(() => startThread('engine', limits), {
    threads,
    waitingMax: WAITING_MAX,
    waitingBytesMax: WAITING_BYTES_MAX
  })
  const {
    searchCollections,
    dropCollection,
    countDamagedLines: damagedLines,
    measureHeld: held
  } = createCollectionSearcher(pool, storage)
  return {
    ...createSnapshotEngine(pool),
    remember: createRememberer(pool),
    rememberAll: createTextsRememberer(pool),
    searchCollections,
    dropCollection,
    countDamagedLines: damagedLines,
    state: () => ({ threads: pool.slots().length, waiting: pool.waiting(), ...held() }),
    close: pool.close
  }
}
