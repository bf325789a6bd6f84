import { Fault } from '../../src/contract/faults.ts'
import type { Storage } from './storage.ts'
import { wrapStorage } from './storage-methods.ts'

/** `close` takes no more calls, waits for those under way and then closes, once. */
export function closeQuietly(storage: Storage): Storage {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const wrapped = wrapStorage(storage, async (call) => {
    if (closing !== undefined) throw closed()
    const promise = call()
    underWay.add(promise)
    try {
      return await promise
    } finally {
      underWay.delete(promise)
    }
  })
  const close = async () => {
    while (underWay.size > 0) await Promise.allSettled(underWay)
    await storage.close()
  }
  return {
    ...wrapped,
    close() {
      closing ??= close()
      return closing
    }
  }
}

function closed(): Fault {
  return new Fault('unavailable', 'the storage is closed', {
    hint: 'the server is stopping: ask another one',
    retryAfter: 1
  })
}
