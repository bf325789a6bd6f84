import type { StoredCollection } from './port/collection-storage.ts'
import type { Storage } from './port/storage.ts'

/** What goes into one statement. Who asks for more asks alone. */
const IDS_MAX = 500

/**
 * The same storage, in which questions for collections that come while one is under way wait for it and are then asked
 * together: where many search at once, the storage is asked a few times instead of once for each. Every answer is of a
 * moment after its question.
 */
export function coalesceReads(storage: Storage): Storage {
  let isAsking = false
  const waiting: Waiting[] = []

  const ask = async (calls: readonly Waiting[]): Promise<void> => {
    isAsking = true
    try {
      const found = await storage.collections([...new Set(calls.flatMap(({ ids }) => ids))])
      for (const { ids, resolve } of calls) resolve(found.filter(({ id }) => ids.includes(id)))
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
    isAsking = false
    if (waiting.length > 0) void ask(takeTogether(waiting))
  }

  return {
    ...storage,
    collections: (ids) => {
      if (ids === undefined || ids.length === 0 || ids.length > IDS_MAX) return storage.collections(ids)
      return new Promise((resolve, reject) => {
        waiting.push({ ids, resolve, reject })
        if (!isAsking) void ask(takeTogether(waiting))
      })
    }
  }
}

type Waiting = {
  ids: readonly string[]
  resolve(found: StoredCollection[]): void
  reject(error: unknown): void
}

/** The first, and those after it that fit in with it. */
function takeTogether(waiting: Waiting[]): Waiting[] {
  let count = 0
  const fits = waiting.findIndex(({ ids }) => {
    count += ids.length
    return count > IDS_MAX
  })
  return waiting.splice(0, fits === -1 ? waiting.length : fits)
}
