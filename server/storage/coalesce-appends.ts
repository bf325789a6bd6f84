import { joinBatches, type RecordBatch } from './port/record-batch.ts'
import type { Appended } from './port/record-storage.ts'
import type { Storage } from './port/storage.ts'

/** What goes into one transaction; a batch that is larger goes alone. */
const LINES_MAX = 1000
const BYTES_MAX = 4 * 1024 * 1024

/**
 * The same storage, in which appends that come while one to the same collection is under way wait for it and then go
 * together in one transaction: a disk that takes 5 ms to sync takes them all in those. Each call gets the outcomes of its own
 * lines, as if they had come one after another. Where the transaction is refused, all of them are.
 */
export function coalesceAppends(storage: Storage): Storage {
  const waiting = new Map<string, Waiting[]>()

  /** Until nobody waits for the collection. */
  async function work(collectionId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await appendTogether(storage, collectionId, takeTogether(queue))
    waiting.delete(collectionId)
  }

  return {
    ...storage,
    append: (collectionId, batch) =>
      new Promise<Appended>((resolve, reject) => {
        const call = { batch, resolve, reject }
        const queue = waiting.get(collectionId)
        if (queue !== undefined) {
          queue.push(call)
          return
        }
        const started = [call]
        waiting.set(collectionId, started)
        void work(collectionId, started)
      })
  }
}

type Waiting = { batch: RecordBatch; resolve(appended: Appended): void; reject(error: unknown): void }

/** The first, and those after it that fit in with it. */
function takeTogether(queue: Waiting[]): Waiting[] {
  let lines = 0
  let bytes = 0
  const fits = queue.findIndex(({ batch }, at) => {
    lines += batch.count
    bytes += batch.lines.byteLength
    return at > 0 && (lines > LINES_MAX || bytes > BYTES_MAX)
  })
  return queue.splice(0, fits === -1 ? queue.length : fits)
}

async function appendTogether(storage: Storage, collectionId: string, calls: readonly Waiting[]): Promise<void> {
  const counts = calls.map(({ batch }) => batch.count)
  try {
    const { outcomes, seq } = await storage.append(collectionId, joinBatches(calls.map(({ batch }) => batch)))
    let at = 0
    for (const [call, count] of counts.entries()) {
      calls[call]?.resolve({ outcomes: outcomes.slice(at, at + count), seq })
      at += count
    }
  } catch (error) {
    for (const { reject } of calls) reject(error)
  }
}
