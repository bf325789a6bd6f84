import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Hold } from './queue-storage.ts'

/** Cleaning up behind revoked connections. */
export type CleanupStorage = {
  /** Notes that the memories of a revoked connection are to go, and says how many it holds: 0 where nothing is left to do. */
  askCleanup(connectionId: string): Promise<number>
  /** Ids of revoked connections whose memories are to go and that nobody is cleaning up. */
  openCleanups(asked: { now: EpochMs; limit: number }): Promise<string[]>
  /** Takes the right to clean up. `held`: another has it; `nothing`: nothing is left to do. */
  claimCleanup(
    connectionId: string,
    lease: { owner: string; now: EpochMs; until: EpochMs }
  ): Promise<Hold | 'held' | 'nothing'>
  /**
   * Lets go of the memories of `limit` references of a revoked connection; those that nobody else holds are forgotten. With the last one the
   * cleanup is over.
   */
  releaseMemories(hold: Hold, release: { limit: number; now: EpochMs; until: EpochMs }): Promise<Released>
  /** Takes out what revoked connections leave behind but memories, runs and references: items, ledger and notes of reads. False: nothing left. */
  purgeRevoked(limit: number): Promise<boolean>
}

/** `left`: holdings that are still there. */
export type Released = { outcome: 'released' | 'lost'; left: number }
