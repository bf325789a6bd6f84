import type { Collection, Restored } from '../../../src/contract/endpoints/collections.ts'
import { addMillis, epochNow, toWireTime } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { NewCollection, StoredCollection } from '../../storage/port/collection-storage.ts'
import { OUTCOMES, type RecordBatch } from '../../storage/port/record-batch.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { Caller, Handlers } from '../handler.ts'
import { exportStream } from './export-stream.ts'
import { type HandlerWorld, requireCaller } from './handler-world.ts'
import { requireSnapshot } from './require-snapshot.ts'
import { uuidV7 } from './uuid-v7.ts'

type CollectionHandlers = Pick<
  Handlers,
  'createCollection' | 'listCollections' | 'getCollection' | 'deleteCollection' | 'restoreRecords'
>

/** Collections as such, and the way of a file back into one. */
export function collectionHandlers(world: HandlerWorld): CollectionHandlers {
  const { storage, engine } = world
  return {
    async createCollection({ body: { name } }) {
      const collection = newCollection(world, { name })
      await storage.createCollection(collection)
      return { status: 201, json: toWire({ ...collection, memories: 0 }) }
    },
    async listCollections(call) {
      const { admin, keyId } = requireCaller(call)
      const collections = await (admin ? storage.listCollections() : storage.listCollectionsForKey(keyId))
      const now = world.clock.now()
      return { status: 200, json: collections.filter(({ expiresAt }) => (expiresAt ?? Infinity) > now).map(toWire) }
    },
    async getCollection({ params: { collection_id } }) {
      const collection = await storage.findCollection(collection_id)
      if (collection === undefined) throw noCollection(collection_id)
      return { status: 200, json: toWire(collection) }
    },
    async deleteCollection({ params: { collection_id } }) {
      if (!(await storage.deleteCollection(collection_id))) throw noCollection(collection_id)
      await engine.dropCollection(collection_id)
      return { status: 200, json: { message: `Collection ${collection_id} deleted` } }
    },
    async restoreRecords(call) {
      const { records, batches } = await engine.readRecords(requireSnapshot(call), call.signal)
      const into = { collectionId: call.params.collection_id, records }
      return { status: 200, json: await appendBatches(storage, { ...into, batches, signal: call.signal }) }
    }
  }
}

/** A collection as it is made: lasting, unless it is said to whom alone it belongs. */
export function newCollection(
  world: Pick<HandlerWorld, 'clock' | 'ids' | 'ephemeralTtlMs'>,
  { name, ownerKeyId }: { name: string; ownerKeyId?: string }
): NewCollection {
  const now = epochNow(world.clock)
  return {
    id: uuidV7(world),
    name,
    createdAt: now,
    expiresAt: ownerKeyId === undefined ? undefined : addMillis(now, world.ephemeralTtlMs),
    ownerKeyId,
    snapshotId: `snp_${world.ids.randomHex(16)}`
  }
}

/** What is said of a collection that nobody has, or that was deleted meanwhile. */
function noCollection(id: string): Fault {
  return new Fault('not_found', `there is no collection ${id}`, {
    hint: 'memctl collections list',
    next: ['memctl collections list']
  })
}

type Seen = Omit<StoredCollection, 'seq' | 'damaged'>

function toWire({ id, name, createdAt, expiresAt, memories }: Seen): Collection {
  const expires_at = expiresAt === undefined ? null : toWireTime(expiresAt)
  return { id, name, created_at: toWireTime(createdAt), expires_at, memories }
}

/** Collections as snapshots, and snapshots as collections that end by themselves. */
export function deviceMemoryHandlers(world: HandlerWorld): Pick<Handlers, 'exportSnapshot' | 'importSnapshot'> {
  const { storage, engine, clock } = world
  return {
    async exportSnapshot({ body: { collection_id, skip_damaged: skipsDamaged = false }, wantsLines, signal }) {
      const collection = await storage.findCollection(collection_id)
      if (collection === undefined) throw noCollection(collection_id)
      const form = wantsLines ? 'jsonl' : 'json'
      const stream = await exportStream({ storage, clock, signal }, collection, { form, skipsDamaged })
      return { status: 200, stream, type: `application/${form}` }
    },
    async importSnapshot(call) {
      const { records, batches } = await engine.readRecords(requireSnapshot(call), call.signal)
      const caller = requireCaller(call)
      const id = await importInto(world, caller, { records, batches, signal: call.signal })
      return { status: 201, json: { ephemeral_collection_id: id } }
    }
  }
}

/** Makes the ephemeral collection and fills it. One that could not be filled is taken away again. */
async function importInto(
  world: HandlerWorld,
  caller: Caller,
  content: Omit<ToAppend, 'collectionId'>
): Promise<string> {
  const { storage } = world
  const collection = newCollection(world, { name: 'import', ownerKeyId: caller.keyId })
  await storage.createCollection(collection)
  try {
    await appendBatches(storage, { collectionId: collection.id, ...content })
  } catch (error) {
    await storage.deleteCollection(collection.id).catch(leaveToReaper)
    throw error
  }
  return collection.id
}

/** Where the storage is away, the collection expires like any other. */
function leaveToReaper(error: unknown): void {
  if (!(error instanceof Fault)) throw error
}

type ToAppend = {
  collectionId: string
  /** Lines that were read: those that are no part of the batches are there already in a better line. */
  records: number
  batches: readonly RecordBatch[]
  signal: AbortSignal
}

/**
 * Puts batches into a collection one after another, a transaction each. Lines are a set: what was stored before a failure
 * stays, and sending all of it again is harmless.
 *
 * @throws Fault `unavailable` where the storage fails, the caller has gone or the server stops.
 */
export async function appendBatches(storage: Storage, { signal, ...all }: ToAppend): Promise<Restored> {
  const counts = { stored: 0, forgotten: 0 }
  for (const batch of all.batches) {
    if (signal.aborted) throw makeStoppedFault(counts.stored)
    const { outcomes } = await storage.append(all.collectionId, batch)
    for (const outcome of outcomes) {
      if (outcome === OUTCOMES.stored) counts.stored++
      else if (outcome === OUTCOMES.forgotten) counts.forgotten++
    }
  }
  return { records: all.records, ...counts, known: all.records - counts.stored - counts.forgotten }
}

function makeStoppedFault(stored: number): Fault {
  return new Fault('unavailable', `stopped before all lines were in the collection; ${stored} are stored`, {
    hint: 'send the same lines again: those that are there change nothing',
    retryAfter: 1
  })
}
