import type { Clock } from '../../src/ports.ts'
import type { Dialect } from './dialect.ts'
import type { Storage } from './storage.ts'
import { type StorageMethod, wrapStorage } from './storage-methods.ts'

/** Waits before the same is tried again, in milliseconds. */
const WAITS_MS = [5, 20, 80, 300, 900]

/** Where the first try may have been done, its repetition would say that there was nothing to do, or that another did it. */
const NOT_WHEN_UNSURE: ReadonlySet<StorageMethod> = new Set([
  'deleteCollection',
  'revokeKey',
  'useAttempt',
  'endAttempt',
  'holdGrant',
  'completeAttempt',
  'takeOldAttempts',
  'updateConnection',
  'revokeConnection',
  'takeUnusedCredentials',
  'leaseRefresh',
  'requestSync',
  'claimCleanup'
])

/** Makes a call again where the engine's refusal is one of chance: two that waited for each other, a lost connection. */
export function repeatCalls(storage: Storage, { dialect, clock }: { dialect: Dialect; clock: Clock }): Storage {
  return wrapStorage(storage, async (call, method) => {
    for (const waitMs of WAITS_MS) {
      try {
        return await call()
      } catch (error) {
        const again = dialect.failureOf(error)?.again ?? 'no'
        if (again === 'no' || (again === 'unsure' && NOT_WHEN_UNSURE.has(method))) throw error
        await clock.wait(waitMs)
      }
    }
    return call()
  })
}
