import type { Collection, Restored } from '../../../src/contract/endpoints/collections.ts'
import { addMillis, epochNow, toWireTime } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { NewCollection, StoredCollection } from '../../storage/port/collection-storage.ts'
import { OUTCOMES, type RecordBatch } from '../../storage/port/record-batch.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { Caller, Handlers } from '../handler.ts'
import { assertReached, changesStream } from './changes-stream.ts'
import { exportStream } from './export-stream.ts'
import { type HandlerWorld, requireCaller } from './handler-world.ts'
import { requireSnapshot } from './require-snapshot.ts'
import { uuidV7 } from './uuid-v7.ts'

type CollectionHandlers = Pick<
  Handlers,
  'createCollection' | 'listCollections' | 'getCollection' | 'deleteCollection' | 'restoreRecords' | 'readChanges'
>

/** Creates the handlers of collections, including the restore from a file. */
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
    },
    async readChanges({ params: { collection_id }, query: { after, epoch, wait }, signal }) {
      const asked = { after, epoch, waitMs: wait * 1000 }
      const stream = await changesStream({ storage, clock: world.clock, signal }, collection_id, asked)
      if (stream === undefined) throw noCollection(collection_id)
      return { status: 200, stream, type: 'application/jsonl' }
    }
  }
}

/** Builds a new collection. It is permanent unless it has an owner. */
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

/** Builds the fault for a collection that does not exist or was deleted meanwhile. */
export function noCollection(id: string): Fault {
  return new Fault('not_found', `collection ${id} does not exist`, {
    hint: 'memctl collections list',
    next: ['memctl collections list']
  })
}

type Seen = Omit<StoredCollection, 'seq' | 'damaged' | 'epochs'>

function toWire({ id, name, createdAt, expiresAt, memories }: Seen): Collection {
  const expires_at = expiresAt === undefined ? null : toWireTime(expiresAt)
  return { id, name, created_at: toWireTime(createdAt), expires_at, memories }
}

/** Creates the handlers that export a collection as a snapshot and import a snapshot as an ephemeral collection. */
export function deviceMemoryHandlers(world: HandlerWorld): Pick<Handlers, 'exportSnapshot' | 'importSnapshot'> {
  const { storage, engine, clock } = world
  return {
    async exportSnapshot({
      body: { collection_id, skip_damaged: skipsDamaged = false, after, epoch },
      wantsLines,
      signal
    }) {
      const collection = await storage.findCollection(collection_id)
      if (collection === undefined) throw noCollection(collection_id)
      const form = wantsLines ? 'jsonl' : 'json'
      if (after !== undefined) assertReached(collection, { after, epoch })
      const stream = await exportStream({ storage, clock, signal }, collection, { form, skipsDamaged, after })
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

/** Creates and fills the ephemeral collection. Deletes it again if that fails. */
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

/** If the storage is unavailable, the collection expires like any other. */
function leaveToReaper(error: unknown): void {
  if (!(error instanceof Fault)) throw error
}

type ToAppend = {
  collectionId: string
  /** The number of lines that were read. Lines outside the batches already have a better line in them. */
  records: number
  batches: readonly RecordBatch[]
  signal: AbortSignal
}

/**
 * Appends batches to a collection one after another, each in a transaction. Lines are a set, so lines stored before a
 * failure stay, and sending them again has no effect.
 *
 * @throws Fault `unavailable` if the storage fails, the caller leaves or the server stops.
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
  return new Fault('unavailable', `the operation stopped before all lines were stored; ${stored} are stored`, {
    hint: 'send the same lines again: those that are already stored are skipped',
    retryAfter: 1
  })
}
