import type { Collection } from '../../../src/contract/endpoints/collections.ts'
import { addMillis, epochNow, toWireTime } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { NewCollection, StoredCollection } from '../../storage/port/collection-storage.ts'
import type { Handlers } from '../handler.ts'
import { appendBatches } from './append-batches.ts'
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
      const collections = await (admin ? storage.collections() : storage.collectionsOf(keyId))
      const now = world.clock.now()
      return { status: 200, json: collections.filter(({ expiresAt }) => (expiresAt ?? Infinity) > now).map(toWire) }
    },
    async getCollection({ params: { collection_id } }) {
      const collection = await storage.collection(collection_id)
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
export function noCollection(id: string): Fault {
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
