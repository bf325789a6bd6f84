import type { SyncRun, SyncSchedule } from '../../src/contract/sync.ts'
import type { StoredConnection } from '../storage/connector-storage.ts'
import type { StoredSchedule } from '../storage/sync-storage.ts'
import { timeOrNull } from './wire-time.ts'

export type ScheduleParts = {
  connection: StoredConnection
  schedule: StoredSchedule
  /** The run of the live lease, and the newest that has ended. */
  running: SyncRun | undefined
  lastRun: SyncRun | undefined
  now: number
  intervalMs: number
}

/** When a connection syncs, as the wire shows it. What it does now is worked out and stored nowhere. */
export function wireSchedule(parts: ScheduleParts): SyncSchedule {
  const { connection, schedule, running, lastRun, intervalMs } = parts
  const isActive = connection.status === 'active'
  return {
    state: stateOf(parts),
    paused: schedule.pausedAt !== undefined,
    interval_seconds: Math.round(intervalMs / 1000),
    next_sync_at: isActive ? timeOrNull(schedule.nextRunAt) : null,
    running: running ?? null,
    last_run: lastRun ?? null
  }
}

/** The id of the run that somebody is at; a lease whose time is over is nobody's. */
export function liveRunId({ runId, leaseUntil }: StoredSchedule, now: number): string | undefined {
  return leaseUntil !== undefined && leaseUntil > now ? runId : undefined
}

function stateOf({ connection: { status }, schedule, now }: ScheduleParts): SyncSchedule['state'] {
  if (status !== 'active') return status
  if (liveRunId(schedule, now) !== undefined) return 'running'
  if (schedule.requestedAt !== undefined) return 'queued'
  if (schedule.pausedAt !== undefined) return 'paused'
  return schedule.nextRunAt !== undefined && schedule.nextRunAt <= now ? 'queued' : 'idle'
}
