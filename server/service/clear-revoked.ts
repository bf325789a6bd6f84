import { epochNow } from '../../src/contract/milliseconds.ts'
import { type CleanUpParts, cleanUp } from '../connections/clean-up.ts'
import type { SyncStorage } from '../storage/sync-storage.ts'

export type ClearRevokedParts = CleanUpParts & { storage: Pick<SyncStorage, 'openCleanups' | 'purgeRevoked'> }

const CLEANUPS_AT_ONCE = 100
const PURGED_AT_ONCE = 1000

/** Finishes the cleanups that were asked for and that nobody is at, then takes out what else revoked connections left behind. */
export async function clearRevoked(parts: ClearRevokedParts, signal: AbortSignal): Promise<void> {
  const { storage, world } = parts
  for (const connectionId of await storage.openCleanups({ now: epochNow(world.clock), limit: CLEANUPS_AT_ONCE })) {
    if (signal.aborted) return
    await cleanUp(parts, { connectionId, signal, isPatient: false })
  }
  while (!signal.aborted && (await storage.purgeRevoked(PURGED_AT_ONCE)));
}
