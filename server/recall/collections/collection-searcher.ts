import { Fault } from '../../../src/contract/faults.ts'
import type { Storage } from '../../storage/storage.ts'
import type { CollectionEngine, EngineState } from '../engine.ts'
import type { CollectionHead, Held } from '../engine-calls.ts'
import type { EnginePool } from '../pool/engine-pool.ts'
import type { EngineSlot } from '../pool/engine-slot.ts'
import { type Asked, createAskTogether } from './ask-together.ts'
import { createCatchUp, type LineStorage } from './catch-up.ts'
import { createHeadReader, type HeadReader } from './head-reader.ts'
import { createIndexHomes } from './index-homes.ts'

/** An index is let go for others while it is asked for only where very many are asked for at once. */
const TRIES_MAX = 8

export type CollectionSearcher = Pick<CollectionEngine, 'searchCollections' | 'dropCollection' | 'damagedLines'> & {
  held(): Pick<EngineState, 'indexes' | 'indexBytes'>
}

/**
 * Searches collections over indexes that the threads of a pool keep. Each search asks the storage how far the
 * collections have come, and lets the thread have what it lacks, before it is answered: what one node stored another finds.
 */
export function createCollectionSearcher(
  pool: EnginePool,
  storage: Pick<Storage, 'collections' | 'page' | 'noteDamage'>
): CollectionSearcher {
  const headReader = createHeadReader(storage)
  const homes = createIndexHomes(pool)
  const catchUp = createCatchUp(pool, notingDamage(storage, headReader))
  const held = new Map<EngineSlot, Held>()

  const askTogether = createAskTogether(pool)

  const ask = async (slot: EngineSlot, asked: Asked): Promise<Uint8Array> => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const found = await askTogether(slot, asked)
      held.set(slot, { indexes: found.indexes, bytes: found.bytes })
      if ('answer' in found) return found.answer
      await catchUp({ slot, heads: asked.heads, marks: found.marks })
    }
    throw new Fault('unavailable', 'the index of the collection gave way to others before it could be asked', {
      hint: 'ask again later',
      retryAfter: 5
    })
  }

  /** Goes on beside the calls. Where it fails the thread is as it was, and asked again another time. */
  const spread = (heads: readonly CollectionHead[]): void => {
    const key = keyOf(heads)
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
        throw goneFault(id)
      }
      for (const id of restored) await dropCollection(id)
      const slot = await homes.choose(keyOf(heads))
      spread(heads)
      return ask(slot, { heads, question, signal })
    },
    dropCollection: (id) => dropCollection(id).catch(keepUntilRoom),
    damagedLines: (ids) => headReader.damaged(ids),
    held: () => ({
      indexes: [...held.values()].reduce((sum, { indexes }) => sum + indexes, 0),
      indexBytes: [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    })
  }
}

/** The same storage, of which the reader hears what was found damaged: the next answer says so. */
function notingDamage(storage: LineStorage, { addDamaged }: HeadReader): LineStorage {
  return {
    page: storage.page,
    async noteDamage(id, found) {
      addDamaged(id, found.damaged.length)
      await storage.noteDamage(id, found)
    }
  }
}

/** Nobody can ask for it any more: a thread that cannot drop it now lets go of it when it needs the room. */
function keepUntilRoom(error: unknown): void {
  if (!(error instanceof Fault)) throw error
}

function goneFault(id: string): Fault {
  return new Fault('not_found', `there is no collection ${id}`, {
    hint: 'list those there are: memctl collections list'
  })
}

function keyOf(heads: readonly CollectionHead[]): string {
  return heads.map(({ id }) => id).join(' ')
}
