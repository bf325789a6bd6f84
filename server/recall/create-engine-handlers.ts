import { loadUnderstanding } from '../../src/device/make-record.ts'
import type { Understand } from '../../src/memory/understand.ts'
import type { ThreadHandlers } from '../../src/ports.ts'
import type { CollectionWorld } from './collections/collection-index.ts'
import { createHeldIndexes, type IndexLimits } from './collections/held-indexes.ts'
import type { CallName, EngineCalls } from './engine/engine-calls.ts'
import { listBuffers, ownBuffer } from './engine/make-record-batch.ts'
import { rememberAll } from './memories/remember-all.ts'
import { readBody } from './snapshots/read-body.ts'
import { readSnapshotRecords } from './snapshots/read-snapshot-records.ts'
import { searchSnapshot } from './snapshots/search-snapshot.ts'
import { storeInSentSnapshot } from './snapshots/store-in-sent-snapshot.ts'

type Handler<Name extends CallName> = (
  argument: EngineCalls[Name]['argument'],
  hand: ArrayBuffer[]
) => EngineCalls[Name]['answer'] | Promise<EngineCalls[Name]['answer']>

/**
 * Creates the handlers of an engine thread, by call name. Each part of the engine is loaded by the first call that
 * needs it.
 */
export function createEngineHandlers(world: CollectionWorld, limits: IndexLimits): ThreadHandlers {
  const { assets } = world
  const indexes = createHeldIndexes(world, limits)
  const handlers: { [Name in CallName]: Handler<Name> } = {
    start: () => undefined,
    readBody: (bytes, hand) => handing(hand, readBody(bytes), ({ bytes }) => ownBuffer(bytes)),
    searchSnapshot: async ({ snapshot, question }, hand) =>
      handing(hand, await searchSnapshot(assets, snapshot, question), ownBuffer),
    storeIntoSnapshot: async ({ snapshot, input }, hand) =>
      handing(hand, storeInSentSnapshot(await understanding(), snapshot, input), ownBuffer),
    readRecords: (snapshot, hand) =>
      handing(hand, readSnapshotRecords(snapshot), ({ batches }) => batches.flatMap(listBuffers)),
    remember: async (inputs, hand) =>
      handing(hand, rememberAll(await understanding(), inputs), (made) =>
        made.flatMap((one) => ('batch' in one ? listBuffers(one.batch) : []))
      ),
    takePage: indexes.take,
    searchIndex: async (asked, hand) =>
      handing(hand, await indexes.search(asked), (found) =>
        'answers' in found ? found.answers.flatMap(ownBuffer) : []
      ),
    dropCollection: indexes.drop
  }
  return handlers
}

/** Returns the value and marks the memory of its buffers for transfer. */
function handing<T>(hand: ArrayBuffer[], value: T, buffers: (value: T) => ArrayBuffer[]): T {
  hand.push(...buffers(value))
  return value
}

async function understanding(): Promise<Understand> {
  const understand = await loadUnderstanding({})
  if (understand === undefined) throw new Error('the extractor is missing')
  return understand
}
