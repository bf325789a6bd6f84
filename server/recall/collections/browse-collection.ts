import { LIMIT_DEFAULT } from '../../../src/contract/groups.ts'
import type { QuestionOptions } from '../../../src/contract/question-options.ts'
import type { ReadMemory, ReadOptions, RecentOptions, RecentPage } from '../../../src/device/device.ts'
import { parseIdDigits } from '../../../src/device/find-id.ts'
import type { ListAnswer, ReadAnswer } from '../../../src/search/answer/answer-browse.ts'
import { formatListPlace, parseListPlace } from '../../../src/search/rank/browse.ts'
import type { MemoryFilter } from '../../../src/search/rank/memory-filter.ts'
import type { IndexQuestion } from '../engine/answer-bytes.ts'
import type { CollectionEngine } from '../engine/engine.ts'

/** The collection to browse. `toFilter` validates the options of a request. */
export type BrowsedCollection = {
  engine: Pick<CollectionEngine, 'searchCollections'>
  id: string
  toFilter(options: QuestionOptions): MemoryFilter | undefined
  signal: AbortSignal
}

/**
 * Lists the memories of a collection as `Device.recent` lists those of a file.
 *
 * @throws Fault `usage` for an invalid place.
 */
export async function listCollectionMemories(
  collection: BrowsedCollection,
  { limit = LIMIT_DEFAULT, after, ...options }: RecentOptions
): Promise<RecentPage> {
  const { next, ...page } = await ask<ListAnswer>(collection, {
    browse: 'list',
    limit,
    filter: collection.toFilter(options),
    after: after === undefined ? undefined : parseListPlace(after)
  })
  return { ...page, next: next === undefined ? null : formatListPlace(next) }
}

/**
 * Reads memories of a collection by ids or prefixes, as `Device.read` does.
 *
 * @throws Fault `usage` for a text that is not an id.
 */
export async function readCollectionMemories(
  collection: BrowsedCollection,
  ids: readonly string[],
  { around = 0, ...options }: ReadOptions
): Promise<ReadMemory[]> {
  const filter = collection.toFilter(options)
  const { found } = await ask<ReadAnswer>(collection, { browse: 'read', ids: ids.map(parseIdDigits), around, filter })
  return found.flatMap(({ id, turns }) => (id === undefined ? [] : [{ id, turns }]))
}

/** The engine's answer has the type that belongs to the question. */
async function ask<Answer>({ engine, id, signal }: BrowsedCollection, question: IndexQuestion): Promise<Answer> {
  const bytes = await engine.searchCollections([id], question, signal)
  return JSON.parse(new TextDecoder().decode(bytes)) as Answer
}
