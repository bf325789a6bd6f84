import type { SyncItem, SyncRun, SyncSchedule } from '../../src/contract/sync-run.ts'
import type { ItemsPage } from '../storage/port/sync-storage.ts'

/** The syncs of connections, as callers of the service see them. All methods reject with Faults. */
export type ConnectionSyncs = {
  /** Requests an immediate sync, which runs in the background. */
  request(id: string): Promise<{ message: string }>
  /** Lists runs, newest first. */
  runs(id: string, page: { limit: number }): Promise<SyncRun[]>
  run(id: string, runId: string): Promise<SyncRun>
  /** Lists items in the order of their ids. */
  items(id: string, page: ItemsPage): Promise<SyncItem[]>
  /** Makes a failed item due immediately and resets its attempts. */
  retry(id: string, itemId: string): Promise<SyncItem>
  schedule(id: string): Promise<SyncSchedule>
  /** Pauses or resumes the regular syncs. */
  setPaused(id: string, paused: boolean): Promise<SyncSchedule>
}

/** The sync settings that the wire shows. */
export type ConnectionSyncSettings = {
  intervalMs: number
  /** The number of retries of a failed item before its cooldown. */
  retries: number
}
