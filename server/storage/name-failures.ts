import { Fault } from '../../src/contract/faults.ts'
import type { Dialect, StorageFailure } from './dialect.ts'
import type { Storage } from './storage.ts'
import { wrapStorage } from './storage-methods.ts'

/** Whatever the engine refuses becomes a Fault `unavailable` that says what; a bug stays what it is. */
export function nameFailures(storage: Storage, dialect: Dialect): Storage {
  return wrapStorage(storage, async (call) => {
    try {
      return await call()
    } catch (error) {
      const failure = dialect.failureOf(error)
      throw failure === undefined ? error : storageFault(failure, error)
    }
  })
}

/** The fault for what an engine refused, the driver's error as its cause. */
function storageFault({ reason, hint, retryAfter }: StorageFailure, cause: unknown): Fault {
  return new Fault('unavailable', `the storage does not serve: ${reason}`, { hint, retryAfter, cause })
}
