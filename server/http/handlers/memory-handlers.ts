import type { SearchBody } from '../../../src/contract/endpoints/memories.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { SearchQuestion } from '../../../src/search/answer/answer-query.ts'
import { toSearchQuestion } from '../../../src/search/answer/to-search-question.ts'
import type { RememberInput } from '../../recall/engine/engine.ts'
import { OUTCOMES } from '../../storage/port/record-batch.ts'
import type { Handlers } from '../handler.ts'
import type { HandlerWorld } from './handler-world.ts'
import { searchInSnapshot, storeInSnapshot } from './require-snapshot.ts'

/**
 * Creates the handlers that store and search, in a collection or in a snapshot of the request. The contract requires
 * exactly one of them.
 */
export function memoryHandlers(world: HandlerWorld): Pick<Handlers, 'storeMemory' | 'searchMemories'> {
  const { engine, clock } = world
  return {
    async storeMemory({ body, snapshot, signal }) {
      const { collection_id } = body
      if (snapshot !== undefined) {
        return { status: 200, bytes: await storeInSnapshot(engine, { snapshot, body, nowMs: clock.now(), signal }) }
      }
      if (collection_id === undefined) throw new Error('the input has neither a snapshot nor a collection')
      const { raw_text: text, metadata } = body
      const { memoryId } = await storeInCollection(world, { text, metadata, collectionId: collection_id, signal })
      return { status: 201, json: { memory_id: memoryId } }
    },
    async searchMemories({ body, snapshot, signal }) {
      const question = toQuestion(body)
      if (snapshot !== undefined)
        return { status: 200, bytes: await searchInSnapshot(engine, { snapshot, question, signal }) }
      const ids = [...new Set(body.collection_ids)]
      const bytes = await engine.searchCollections(ids, question, signal)
      const damaged = engine.countDamagedLines(ids)
      return { status: 200, bytes, ...(damaged > 0 && { headers: { [DAMAGED_LINES_HEADER]: String(damaged) } }) }
    }
  }
}

/**
 * The number of lines in the searched data that are known to be damaged, so that their memories may be missing from the
 * reply.
 */
const DAMAGED_LINES_HEADER = 'memctl-damaged-lines'

type Storing = Pick<RememberInput, 'text' | 'metadata' | 'fields'> & { collectionId: string; signal: AbortSignal }

/**
 * Stores a text and returns the id and time of its memory. Storing it again returns the existing memory. If the collection has
 * forgotten it, the text becomes a new memory, the next copy, so that a device that has also forgotten it sees it
 * again.
 */
export async function storeInCollection(
  world: Pick<HandlerWorld, 'engine' | 'storage' | 'clock'>,
  { collectionId, signal, ...stored }: Storing
): Promise<{ memoryId: string; at: string }> {
  const input = { ...stored, nowMs: world.clock.now() }
  for (let copy = 1; copy <= COPIES_MAX && !signal.aborted; copy++) {
    const { memoryId, batch } = await world.engine.remember({ ...input, copy }, signal)
    const at = new Date(batch.times[0] ?? input.nowMs).toISOString()
    const { outcomes } = await world.storage.append(collectionId, batch)
    if (outcomes[0] !== OUTCOMES.forgotten) return { memoryId, at }
  }
  throw signal.aborted
    ? new Fault('unavailable', 'the request ended before the memory was stored', { retryAfter: 1 })
    : new Fault('conflict', `this text was already forgotten ${COPIES_MAX} times in the collection`, {
        hint: 'add a time that distinguishes it: `metadata.at`'
      })
}

/** Limits how often a text with the same time, speaker and conversation may be forgotten and stored again. */
const COPIES_MAX = 1000

function toQuestion({ query, ...options }: SearchBody): SearchQuestion {
  return toSearchQuestion(query, options, (path, message) => {
    return new Fault('invalid_input', `Invalid \`${path}\`: ${message}.`, { errors: [{ path, message }] })
  })
}
