import type { Disconnected } from '../../src/contract/connection.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Log } from '../../src/ports.ts'
import type { SyncStorage } from '../storage/sync-storage.ts'
import { type CleanUpParts, cleanUp } from './clean-up.ts'

export type DeleteMemoriesParts = CleanUpParts & {
  storage: Pick<SyncStorage, 'askCleanup'>
  world: { log: Log }
}

/** How long who disconnects waits for it, in milliseconds. */
const CLEANUP_MS_MAX = 10_000

/**
 * Deletes the synced memories of a revoked connection that nobody else holds. What is not done in time, or while the storage
 * fails, is a warning, and is done by whoever looks for open cleanups.
 */
export async function deleteMemories(
  parts: DeleteMemoriesParts,
  connectionId: string
): Promise<Disconnected['warnings']> {
  const { storage, world } = parts
  const progress: { left: number | undefined; failed: boolean } = { left: undefined, failed: false }
  try {
    const held = await storage.askCleanup(connectionId)
    progress.left = held
    if (held === 0) return []
    await inTime(parts, (signal) =>
      cleanUp(parts, { connectionId, signal, isPatient: true, onLeft: (left) => (progress.left = left) })
    )
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    progress.failed = true
    world.log.error({ connectionId, fault: error.code, reason: error.message }, 'memories could not be deleted')
  }
  return progress.left === 0 ? [] : [partial(connectionId, progress)]
}

/** Waits no longer for work than it may take: what is under way then ends by itself. */
async function inTime(
  { world: { clock, log } }: DeleteMemoriesParts,
  work: (signal: AbortSignal) => Promise<void>
): Promise<void> {
  const over = new AbortController()
  const done = new AbortController()
  const working = work(over.signal)
  working.catch((error: unknown) => {
    if (over.signal.aborted) log.error({ reason: String(error) }, 'a page of a cleanup failed after its time')
  })
  const late = clock.wait(CLEANUP_MS_MAX, done.signal).then(
    () => over.abort(),
    () => undefined
  )
  try {
    await Promise.race([working, late])
  } finally {
    done.abort()
  }
}

function partial(
  connectionId: string,
  { left, failed }: { left: number | undefined; failed: boolean }
): Disconnected['warnings'][number] {
  const isNoted = left !== undefined
  const kept = isNoted ? `up to ${left} synced memories are kept for now` : 'the synced memories are kept'
  const why = failed ? 'the storage failed' : `they could not all be deleted within ${CLEANUP_MS_MAX / 1000} s`
  const rest = isNoted
    ? 'the rest is deleted in the background'
    : `ask again with: memctl connections disconnect ${connectionId} --delete-memories`
  const message = `${kept}, since ${why}: ${rest}. Deleting the collection is the only guaranteed cleanup.`
  return { code: 'cleanup_partial', message }
}
