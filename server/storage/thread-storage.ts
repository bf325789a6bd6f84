import type { Thread, ThreadHandlers } from '../../src/ports.ts'
import type { RecordBatch, RecordPage } from './port/record-batch.ts'
import { STORAGE_METHOD_NAMES, type Storage } from './port/storage.ts'

/**
 * Creates a storage that is served by `serveStorage` in a thread. The memory of an appended batch or of a page is
 * transferred there. Closing ends the thread.
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
    // The thread returns the result of the method of the same name.
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

/**
 * Returns the handlers of a thread that serves a storage: one for each method, with its arguments as a list. Pages are
 * transferred, not copied.
 */
export function serveStorage(storage: Storage): ThreadHandlers {
  const plain = [...STORAGE_METHOD_NAMES, 'close' as const].map((method) => {
    // The arguments come from `threadStorage`, whose callers use the same port.
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

/** A batch whose memory can be transferred to another thread, and the buffers to transfer. */
type OwnedBatch<Batch extends RecordBatch> = { batch: Batch; hand: ArrayBuffer[] }

/**
 * Returns the batch with each array in its own buffer. An array within a larger shared buffer is copied. The others are
 * unchanged and unusable by the caller after the transfer.
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
