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

/**
 * Lets go of the memories of a revoked connection, page by page. Ends where nothing is left, where the signal says so, or where
 * another has taken over.
 */
export async function cleanUp(parts: CleanUpParts, asked: CleanUp): Promise<void> {
  const { storage, world } = parts
  const hold = await claimed(parts, asked)
  if (hold === 'nothing') asked.onLeft?.(0)
  if (typeof hold === 'string') return
  while (!asked.signal.aborted) {
    const now = world.clock.now()
    const { outcome, left } = await storage.releaseMemories(hold, { limit: PAGE_HOLDINGS, now, until: now + LEASE_MS })
    if (outcome === 'lost') return
    asked.onLeft?.(left)
    if (left === 0) return
  }
  // Nothing is done but that the lease ends, so that others may go on at once.
  const now = world.clock.now()
  await storage.releaseMemories(hold, { limit: 0, now, until: now })
}

async function claimed(parts: CleanUpParts, asked: CleanUp): Promise<Hold | 'nothing' | 'held'> {
  const { storage, world, newId } = parts
  const { connectionId, signal, isPatient } = asked
  const owner = newId()
  for (;;) {
    const now = world.clock.now()
    const claim = await storage.claimCleanup(connectionId, { owner, now, until: now + LEASE_MS })
    if (claim !== 'held' || !isPatient || signal.aborted) return claim
    await world.clock.wait(LOOK_EVERY_MS, signal).catch(() => undefined)
  }
}
