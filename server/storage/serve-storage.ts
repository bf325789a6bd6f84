import type { ThreadHandlers } from '../../src/ports.ts'
import { ownBatch } from './own-batch.ts'
import type { RecordPage } from './record-batch.ts'
import type { Storage } from './storage.ts'
import { STORAGE_METHODS } from './storage-methods.ts'

/** What a thread answers that has the storage: a call for each method, its arguments as a list; pages are moved, not copied. */
export function serveStorage(storage: Storage): ThreadHandlers {
  const plain = [...STORAGE_METHODS, 'close' as const].map((method) => {
    // They come from `threadStorage`, which has them from a caller of the same port.
    const call = storage[method] as (...given: unknown[]) => Promise<unknown>
    return [method, (given: unknown[]) => call(...given)]
  })
  return {
    ...Object.fromEntries(plain),
    async page(given: Parameters<Storage['page']>, hand: ArrayBuffer[]): Promise<RecordPage> {
      const page = ownBatch(await storage.page(...given))
      hand.push(...page.hand)
      return page.batch
    }
  }
}
