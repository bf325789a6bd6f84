import { Fault } from '../../../src/contract/faults.ts'
import type { RecordPage } from '../../storage/port/record-batch.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { CollectionEngine, EngineState } from '../engine/engine.ts'
import type { CollectionHead, IndexUsage } from '../engine/engine-calls.ts'
import { listBuffers } from '../engine/make-record-batch.ts'
import type { EnginePool } from '../pool/engine-pool.ts'
import type { EngineSlot } from '../pool/engine-slot.ts'

import { createAskTogether, type PendingQuestion } from './create-ask-together.ts'
import { createIndexHomes } from './index-homes.ts'

/** Attempts to search before giving up. An index is evicted during a search only if very many are searched at once. */
const TRIES_MAX = 8

type CollectionSearcher = Pick<CollectionEngine, 'searchCollections' | 'dropCollection' | 'countDamagedLines'> & {
  measureHeld(): Pick<EngineState, 'indexes' | 'indexBytes'>
}

/**
 * Creates a searcher over indexes in the threads of a pool. Before each answer it asks the storage for the state of the
 * collections and sends the thread the missing lines, so that a search finds what another server stored.
 */
export function createCollectionSearcher(
  pool: EnginePool,
  storage: Pick<Storage, 'listCollections' | 'readPage' | 'noteDamage'>
): CollectionSearcher {
  const headReader = createHeadReader(storage)
  const homes = createIndexHomes(pool)
  const catchUp = createCatchUp(pool, notingDamage(storage, headReader))
  const held = new Map<EngineSlot, IndexUsage>()
  const askTogether = createAskTogether(pool)

  const ask = async (slot: EngineSlot, asked: PendingQuestion): Promise<Uint8Array> => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const found = await askTogether(slot, asked)
      held.set(slot, { indexes: found.indexes, bytes: found.bytes })
      if ('answer' in found) return found.answer
      await catchUp({ slot, heads: asked.heads, marks: found.marks })
    }
    throw new Fault('unavailable', 'the index of the collection was evicted before the search could run', {
      hint: 'try again later',
      retryAfter: 5
    })
  }

  /** Runs beside the calls. A failure leaves the thread unchanged, and a later call tries again. */
  const spread = (heads: readonly CollectionHead[]): void => {
    const key = joinIds(heads)
    const slot = homes.spare(key)
    if (slot === undefined) return
    const marks = heads.map(() => 0)
    catchUp({ slot, heads, marks }).then(
      () => homes.add(key, slot),
      () => undefined
    )
  }

  const dropCollection = async (id: string): Promise<void> => {
    headReader.forget(id)
    homes.drop(id)
    await Promise.all(pool.slots().map((slot) => dropIn(slot, id)))
  }

  const dropIn = async (slot: EngineSlot, id: string): Promise<void> => {
    held.set(slot, await pool.run({ name: 'dropCollection', slot, send: () => ({ argument: id }) }))
  }

  return {
    async searchCollections(ids, question, signal) {
      const { heads, gone, restored } = await headReader.read([...new Set(ids)].sort())
      for (const id of gone) {
        await dropCollection(id).catch(keepUntilRoom)
        throw makeGoneFault(id)
      }
      for (const id of restored) await dropCollection(id)
      const slot = await homes.choose(joinIds(heads))
      spread(heads)
      return ask(slot, { heads, question, signal })
    },
    dropCollection: (id) => dropCollection(id).catch(keepUntilRoom),
    countDamagedLines: (ids) => headReader.countDamaged(ids),
    measureHeld: () => sumUsage([...held.values()])
  }
}

function sumUsage(usages: readonly IndexUsage[]): Pick<EngineState, 'indexes' | 'indexBytes'> {
  return {
    indexes: usages.reduce((sum, { indexes }) => sum + indexes, 0),
    indexBytes: usages.reduce((sum, { bytes }) => sum + bytes, 0)
  }
}

/** Wraps a storage so that the reader counts the damaged lines that are noted. The next answer reports them. */
function notingDamage(storage: LineStorage, { addDamaged }: HeadReader): LineStorage {
  return {
    readPage: storage.readPage,
    async noteDamage(id, found) {
      addDamaged(id, found.damaged.length)
      await storage.noteDamage(id, found)
    }
  }
}

/**
 * Ignores the failure of a thread to drop an index. No call can ask for the index any more, and the thread evicts it
 * later.
 */
function keepUntilRoom(error: unknown): void {
  if (!(error instanceof Fault)) throw error
}

function makeGoneFault(id: string): Fault {
  return new Fault('not_found', `collection ${id} does not exist`, {
    hint: 'list the collections: memctl collections list'
  })
}

function joinIds(heads: readonly CollectionHead[]): string {
  return heads.map(({ id }) => id).join(' ')
}

/** Reads the state of collections. */
type HeadReader = {
  /**
   * Returns the current heads of the ids that exist, in their order; the ids that do not exist; and those whose
   * sequence number has decreased since the last call, which happens only after a restore of the database.
   */
  read(ids: readonly string[]): Promise<{ heads: CollectionHead[]; gone: string[]; restored: string[] }>
  /** Returns the number of lines in these collections that are known to be damaged. */
  countDamaged(ids: readonly string[]): number
  /** Adds to the number of damaged lines found since the collection was last read. */
  addDamaged(id: string, lines: number): void
  /** Discards what is known about a collection. */
  forget(id: string): void
}

/** Creates a reader without any known state. */
function createHeadReader(storage: Pick<Storage, 'listCollections'>): HeadReader {
  const newest = new Map<string, number>()
  const damaged = new Map<string, number>()
  const noteDamaged = (id: string, lines: number): void => {
    if (lines === 0) damaged.delete(id)
    else damaged.set(id, lines)
  }
  return {
    async read(ids) {
      // Answers may arrive out of order. Only a call that began later must not return an older number.
      const before = new Map(ids.map((id) => [id, newest.get(id) ?? 0]))
      const found = new Map((await storage.listCollections(ids)).map((collection) => [collection.id, collection]))
      const gone = ids.filter((id) => !found.has(id))
      const heads = ids.flatMap((id) => {
        const { snapshotId, seq } = found.get(id) ?? {}
        return snapshotId === undefined || seq === undefined ? [] : [{ id, snapshotId, seq }]
      })
      for (const { id, seq } of heads) newest.set(id, Math.max(seq, newest.get(id) ?? 0))
      for (const id of ids) noteDamaged(id, found.get(id)?.damaged ?? 0)
      dropOldest(newest)
      return { heads, gone, restored: heads.filter(({ id, seq }) => seq < (before.get(id) ?? 0)).map(({ id }) => id) }
    },
    countDamaged: (ids) => ids.reduce((sum, id) => sum + (damaged.get(id) ?? 0), 0),
    addDamaged: (id, lines) => noteDamaged(id, (damaged.get(id) ?? 0) + lines),
    forget(id) {
      newest.delete(id)
      damaged.delete(id)
    }
  }
}

/** Collections whose newest number is remembered. For others, a restore is not detected. */
const KNOWN_MAX = 100_000

function dropOldest(newest: Map<string, number>): void {
  for (const id of newest.keys()) {
    if (newest.size <= KNOWN_MAX) return
    newest.delete(id)
  }
}

/** Bytes of lines sent to a thread in one call: about 100 ms of work. The thread answers other calls in between. */
const PAGE_BYTES = 1024 * 1024

/** An index that is out of date: it has each collection of `heads` up to the sequence number in `marks`. */
type Behind = { slot: EngineSlot; heads: readonly CollectionHead[]; marks: readonly number[] }

/** Updates an index. Concurrent calls for the same index share one update. */
type CatchUp = (behind: Behind) => Promise<void>

/**
 * Creates the function that reads lines from the storage and sends them to the threads of the pool. Lines that the
 * threads find damaged are noted in the storage.
 */
function createCatchUp(pool: EnginePool, storage: LineStorage): CatchUp {
  const underWay = new Map<EngineSlot, Map<string, Promise<void>>>()
  return (behind) => {
    const key = behind.heads.map(({ id }) => id).join(' ')
    const ofSlot = underWay.get(behind.slot) ?? new Map<string, Promise<void>>()
    underWay.set(behind.slot, ofSlot)
    const loading = ofSlot.get(key) ?? load({ pool, storage }, behind).finally(() => ofSlot.delete(key))
    ofSlot.set(key, loading)
    return loading
  }
}

/** The source of lines, where damaged ones are noted too. */
type LineStorage = Pick<Storage, 'readPage' | 'noteDamage'>

type Loading = { pool: EnginePool; storage: LineStorage }

async function load(loading: Loading, { slot, heads, marks }: Behind): Promise<void> {
  const ids = heads.map(({ id }) => id)
  for (const [i, head] of heads.entries()) await takePages(loading, { slot, ids, head }, marks[i] ?? 0)
}

type Taking = { slot: EngineSlot; ids: readonly string[]; head: CollectionHead }

/**
 * Sends the pages of a collection, and reads the next one while the thread processes one. Reads to the current end of
 * the collection: a line that is replaced meanwhile gets a number beyond the requested ones and would otherwise be
 * missed. Ends early if the thread has evicted the index.
 */
async function takePages({ pool, storage }: Loading, { slot, ids, head }: Taking, mark: number): Promise<void> {
  let next: Promise<Part> | undefined = readPart(storage, head, mark)
  while (next !== undefined) {
    const part: Part = await next
    next = part.isLast ? undefined : readPart(storage, head, part.upTo)
    // If sending this page fails, nothing awaits the next one.
    next?.catch(() => undefined)
    const argument = { ids, head, after: part.after, upTo: part.upTo, page: part.page }
    const hand = listBuffers(part.page)
    const taken = await pool.run({ name: 'takePage', slot, send: () => ({ argument, hand }) })
    if (taken.damaged.length > 0)
      await storage.noteDamage(head.id, { after: part.after, upTo: part.upTo, damaged: taken.damaged })
    if (taken.mark < part.upTo) return
  }
}

/** A page and the sequence number that the index has reached after adding it. */
type Part = { page: RecordPage; after: number; upTo: number; isLast: boolean }

async function readPart(storage: Loading['storage'], { id, seq }: CollectionHead, after: number): Promise<Part> {
  const range = { after, upTo: Number.MAX_SAFE_INTEGER, maxBytes: PAGE_BYTES, isUnverified: true }
  const page = await storage.readPage(id, range)
  const last = page.seqs[page.count - 1] ?? after
  const isLast = page.count === 0 || (last >= seq && page.lines.length < PAGE_BYTES / 2)
  return { page, after, upTo: isLast ? Math.max(last, seq) : last, isLast }
}
