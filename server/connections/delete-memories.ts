import type { Disconnected } from '../../src/contract/connection.ts'
import { addMillis, epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Log } from '../../src/ports.ts'
import type { Hold, SyncStorage } from '../storage/port/sync-storage.ts'

export type DeleteMemoriesParts = CleanUpParts & {
  storage: Pick<SyncStorage, 'requestCleanup'>
  world: { log: Log }
}

/** How long a caller who disconnects waits for the deletion, in milliseconds. */
const CLEANUP_MS_MAX = 10_000

/**
 * Deletes the synced memories of a revoked connection that have no other owner. If the time is over or the storage
 * fails, returns a warning, and the background cleanup deletes the rest.
 */
export async function deleteMemories(
  parts: DeleteMemoriesParts,
  connectionId: string
): Promise<Disconnected['warnings']> {
  const { storage, world } = parts
  const progress: { left: number | undefined; failed: boolean } = { left: undefined, failed: false }
  try {
    const held = await storage.requestCleanup(connectionId)
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

/** Waits for work within its time limit. The current page then ends by itself. */
async function inTime(
  { world: { clock, log } }: DeleteMemoriesParts,
  work: (signal: AbortSignal) => Promise<void>
): Promise<void> {
  const over = new AbortController()
  const done = new AbortController()
  const working = work(over.signal)
  working.catch((error: unknown) => {
    if (over.signal.aborted) log.error({ reason: String(error) }, 'a page of a cleanup failed after its time limit')
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
  const kept = isNoted ? `up to ${left} synced memories remain` : 'the synced memories remain'
  const why = failed ? 'the storage failed' : `they could not all be deleted within ${CLEANUP_MS_MAX / 1000} s`
  const rest = isNoted
    ? 'the rest will be deleted in the background'
    : `to delete the rest, run: memctl connections disconnect ${connectionId} --delete-memories`
  const message = `${kept}, because ${why}; ${rest}. Deleting the collection is the only guaranteed cleanup.`
  return { code: 'cleanup_partial', message }
}

export type CleanUpParts = {
  storage: Pick<SyncStorage, 'claimCleanup' | 'releaseMemories'>
  world: { clock: Clock }
  /** Creates the id of a cleaner, different each time. */
  newId(): string
}

type CleanUp = {
  connectionId: string
  /** Ends the cleanup after the current page. */
  signal: AbortSignal
  /** Whether to wait for the lease of another cleaner instead of leaving the work to it. */
  isPatient: boolean
  /** Receives the number of memories that the connection still owns after each page, 0 at the end. */
  onLeft?(left: number): void
}

/** How long the lease of a cleaner lasts without progress, in milliseconds. */
const LEASE_MS = 60_000
/** The interval of checks whether another cleaner has finished, in milliseconds. */
const LOOK_EVERY_MS = 250
const PAGE_HOLDINGS = 500

/** Releases the memories of a revoked connection, page by page, until none is left or the signal is aborted. */
export async function cleanUp(parts: CleanUpParts, asked: CleanUp): Promise<void> {
  for (;;) {
    const hold = await claim(parts, asked)
    if (hold === 'nothing') asked.onLeft?.(0)
    if (typeof hold === 'string') return
    // The lease was lost, so check again whether anything is left.
    if ((await releaseAll(parts, asked, hold)) === 'over') return
  }
}

async function releaseAll(
  { storage, world: { clock } }: CleanUpParts,
  { signal, onLeft }: CleanUp,
  hold: Hold
): Promise<'over' | 'lost'> {
  while (!signal.aborted) {
    const now = epochNow(clock)
    const { outcome, left } = await storage.releaseMemories(hold, {
      limit: PAGE_HOLDINGS,
      now,
      until: addMillis(now, LEASE_MS)
    })
    if (outcome === 'lost') return 'lost'
    onLeft?.(left)
    if (left === 0) return 'over'
  }
  // Only ends the lease, so that others can continue at once.
  const over = epochNow(clock)
  await storage.releaseMemories(hold, { limit: 0, now: over, until: over })
  return 'over'
}

async function claim(parts: CleanUpParts, asked: CleanUp): Promise<Hold | 'nothing' | 'held'> {
  const { storage, world, newId } = parts
  const { connectionId, signal, isPatient } = asked
  const owner = newId()
  for (;;) {
    const now = epochNow(world.clock)
    const claim = await storage.claimCleanup(connectionId, { owner, now, until: addMillis(now, LEASE_MS) })
    if (claim !== 'held' || !isPatient || signal.aborted) return claim
    await world.clock.wait(LOOK_EVERY_MS, signal).catch(() => undefined)
  }
}
