import { addMillis, epochNow } from '../../src/contract/milliseconds.ts'
import type { Clock } from '../../src/ports.ts'
import type { Hold, SyncStorage } from '../storage/sync-storage.ts'

export type CleanUpParts = {
  storage: Pick<SyncStorage, 'claimCleanup' | 'releaseMemories'>
  world: { clock: Clock }
  /** Names who cleans up, differently each time. */
  newId(): string
}

export type CleanUp = {
  connectionId: string
  /** Ends it after the page that is under way. */
  signal: AbortSignal
  /** Who finds another at it waits for the right to go on, or leaves it to them. */
  isPatient: boolean
  /** Told after each page how many memories the connection still holds, 0 at the end. */
  onLeft?(left: number): void
}

/** How long the right to clean up lasts without a page being done, in milliseconds. */
const LEASE_MS = 60_000
/** How often is looked whether another has finished, in milliseconds. */
const LOOK_EVERY_MS = 250
const PAGE_HOLDINGS = 500

/** Lets go of the memories of a revoked connection, page by page, until nothing is left or the signal says so. */
export async function cleanUp(parts: CleanUpParts, asked: CleanUp): Promise<void> {
  for (;;) {
    const hold = await claimed(parts, asked)
    if (hold === 'nothing') asked.onLeft?.(0)
    if (typeof hold === 'string') return
    // Who lost the right to it looks whether anything is left to do.
    if ((await released(parts, asked, hold)) === 'over') return
  }
}

async function released(
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
  // Nothing is done but that the lease ends, so that others may go on at once.
  const over = epochNow(clock)
  await storage.releaseMemories(hold, { limit: 0, now: over, until: over })
  return 'over'
}

async function claimed(parts: CleanUpParts, asked: CleanUp): Promise<Hold | 'nothing' | 'held'> {
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
