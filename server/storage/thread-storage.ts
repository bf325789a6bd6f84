import type { Thread } from '../../src/ports.ts'
import { ownBatch } from './own-batch.ts'
import type { Storage } from './storage.ts'
import { STORAGE_METHODS } from './storage-methods.ts'

/**
 * The storage that a thread serves with `serveStorage`. The memory of a batch that is appended, or goes
 * in with a page, goes there: it is the storage's from then on. Closing ends the thread.
 */
export function threadStorage(thread: Thread): Storage {
  const plain = STORAGE_METHODS.map((method) => [method, (...given: unknown[]) => thread.call(method, given)])
  let closing: Promise<void> | undefined
  const close = async () => {
    try {
      await thread.call('close', [])
    } finally {
      await thread.end()
    }
  }
  return {
    // What the thread answers is what the method of the same name gave back there.
    ...(Object.fromEntries(plain) as Omit<Storage, 'append' | 'commitPage' | 'close'>),
    append(collectionId, given) {
      const { batch, hand } = ownBatch(given)
      return thread.call('append', [collectionId, batch], hand) as ReturnType<Storage['append']>
    },
    commitPage(hold, page) {
      const { batch, hand } = ownBatch(page.memories)
      return thread.call('commitPage', [hold, { ...page, memories: batch }], hand) as ReturnType<Storage['commitPage']>
    },
    close() {
      closing ??= close()
      return closing
    }
  }
}
