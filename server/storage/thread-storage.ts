import type { Thread, ThreadHandlers } from '../../src/ports.ts'
import type { RecordBatch, RecordPage } from './port/record-batch.ts'
import { STORAGE_METHOD_NAMES, type Storage } from './port/storage.ts'

/**
 * The storage that a thread serves with `serveStorage`. The memory of a batch that is appended, or goes
 * in with a page, goes there: it is the storage's from then on. Closing ends the thread.
 */
export function threadStorage(thread: Thread): Storage {
  const plain = STORAGE_METHOD_NAMES.map((method) => [method, (...given: unknown[]) => thread.call(method, given)])
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

/** What a thread answers that has the storage: a call for each method, its arguments as a list; pages are moved, not copied. */
export function serveStorage(storage: Storage): ThreadHandlers {
  const plain = [...STORAGE_METHOD_NAMES, 'close' as const].map((method) => {
    // They come from `threadStorage`, which has them from a caller of the same port.
    const call = storage[method] as (...given: unknown[]) => Promise<unknown>
    return [method, (given: unknown[]) => call(...given)]
  })
  return {
    ...Object.fromEntries(plain),
    async readPage(given: Parameters<Storage['readPage']>, hand: ArrayBuffer[]): Promise<RecordPage> {
      const page = ownBatch(await storage.readPage(...given))
      hand.push(...page.hand)
      return page.batch
    }
  }
}

/** A batch whose memory can be moved to another thread, and the buffers to move. */
type OwnedBatch<Batch extends RecordBatch> = { batch: Batch; hand: ArrayBuffer[] }

/**
 * The batch with each array in a buffer of its own. One that is part of a larger buffer, which others may use, is copied;
 * the others are as they were, and gone for the caller once they are moved.
 */
function ownBatch<Batch extends RecordBatch>(batch: Batch): OwnedBatch<Batch> {
  const hand = new Set<ArrayBuffer>()
  const owned = Object.entries(batch).map(([name, value]: [string, unknown]) => {
    if (!isArray(value)) return [name, value]
    const own = value.byteLength === value.buffer.byteLength ? value : value.slice()
    if (own.buffer instanceof ArrayBuffer) hand.add(own.buffer)
    return [name, own]
  })
  // The same names with the same types.
  return { batch: Object.fromEntries(owned) as Batch, hand: [...hand] }
}

function isArray(value: unknown): value is Uint8Array | Float64Array | Uint32Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView)
}
