import { Fault } from '../../../src/contract/faults.ts'
import type { Caller, Handlers } from '../handler.ts'
import { appendBatches, type ToAppend } from './append-batches.ts'
import { newCollection, noCollection } from './collection-handlers.ts'
import { exportStream } from './export-stream.ts'
import { type HandlerWorld, requireCaller } from './handler-world.ts'
import { requireSnapshot } from './require-snapshot.ts'

/** Collections as snapshots, and snapshots as collections that end by themselves. */
export function deviceMemoryHandlers(world: HandlerWorld): Pick<Handlers, 'exportSnapshot' | 'importSnapshot'> {
  const { storage, engine, clock } = world
  return {
    async exportSnapshot({ body: { collection_id, skip_damaged: skipsDamaged = false }, wantsLines, signal }) {
      const collection = await storage.collection(collection_id)
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
