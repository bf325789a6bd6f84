import type { SyncItem, SyncRun, SyncSchedule } from '../../src/contract/sync-run.ts'
import type { ItemsPage } from '../storage/port/sync-storage.ts'

/** When connections sync, and what came of it, as callers of the service see it. All rejects with Faults. */
export type ConnectionSyncs = {
  /** Asks for a sync at once, which runs by itself. */
  request(id: string): Promise<{ message: string }>
  /** Newest first. */
  runs(id: string, page: { limit: number }): Promise<SyncRun[]>
  run(id: string, runId: string): Promise<SyncRun>
  /** In the order of their ids. */
  items(id: string, page: ItemsPage): Promise<SyncItem[]>
  /** Has a failed item tried again at once, its tries counted anew. */
  retry(id: string, itemId: string): Promise<SyncItem>
  schedule(id: string): Promise<SyncSchedule>
  /** Stops or starts the regular syncs. */
  setPaused(id: string, paused: boolean): Promise<SyncSchedule>
}

/** How a server syncs, as far as the wire shows it. */
export type ConnectionSyncSettings = {
  intervalMs: number
  /** How often a failed item is tried again before its cooldown. */
  retries: number
}
