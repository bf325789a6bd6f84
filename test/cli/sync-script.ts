import type { SyncItem, SyncRun, SyncSchedule } from '../../src/contract/sync-run.ts'
import type { DeviceWishes } from './fake-device.ts'
import type { Wishes } from './fake-world.ts'
import { runCli } from './run-cli.ts'
import { CONNECTION_ID, scriptedService } from './scripted-service.ts'

/** Paths of one connection, as scripts name them. */
export const ONE = `/v1/connectors/${CONNECTION_ID}`
export const SHOW = `GET ${ONE}`
export const SCHEDULE = `GET ${ONE}/schedule`
export const SYNC = `POST ${ONE}/sync`
export const RUNS = `GET ${ONE}/runs`
export const ITEMS = `GET ${ONE}/items`
export const TRIGGERED = { message: 'Sync triggered' }

/** Runs one `connections` command against a script. Each wait is over at once, and as much time has passed. */
export async function runScripted(
  argv: readonly string[],
  script: Record<string, unknown>,
  wishes: Wishes & DeviceWishes = {}
) {
  const { fetch, sent } = scriptedService({ [ITEMS]: [], ...script })
  const environment = { MEMCTL_API_KEY: 'mk_x' }
  const ended = await runCli(['connections', ...argv], { environment, fetch, quickTime: true, ...wishes })
  return { ...ended, sent }
}

/** The id of the nth run. */
export function runId(n: number): string {
  return `0190cccc-0000-7000-8000-${String(n).padStart(12, '0')}`
}

/** The nth run, which took 38 seconds and came to its end, but for what is said. */
export function syncRun(n: number, more: Partial<SyncRun> = {}): SyncRun {
  return {
    id: runId(n),
    connection_id: CONNECTION_ID,
    trigger: 'manual',
    started_at: '2026-05-01T11:00:00.000Z',
    ended_at: '2026-05-01T11:00:38.000Z',
    outcome: 'succeeded',
    seen: 1200,
    created: 1150,
    updated: 3,
    unchanged: 47,
    deleted: 0,
    failed: 0,
    skipped: 0,
    reasons: [],
    error: null,
    ...more
  }
}

/** The nth run under way. */
export function runUnderWay(n: number, more: Partial<SyncRun> = {}): SyncRun {
  return syncRun(n, { ended_at: null, outcome: null, ...more })
}

/** A schedule with nothing to do for the next three hours. */
export function schedule(more: Partial<SyncSchedule> = {}): SyncSchedule {
  return {
    state: 'idle',
    paused: false,
    interval_seconds: 14_400,
    next_sync_at: '2026-05-01T15:12:00.000Z',
    running: null,
    last_run: null,
    ...more
  }
}

/** A schedule whose run is under way. */
export function busySchedule(n: number, more: Partial<SyncRun> = {}): SyncSchedule {
  return schedule({ state: 'running', running: runUnderWay(n, more) })
}

/** A schedule after a run. */
export function scheduleAfter(run: SyncRun, more: Partial<SyncSchedule> = {}): SyncSchedule {
  return schedule({ last_run: run, ...more })
}

/** An item that failed for the third time. */
export function failedItem(id: string, more: Partial<SyncItem> = {}): SyncItem {
  return {
    id,
    title: `${id}.pdf`,
    url: null,
    status: 'failed',
    memories: 0,
    error: 'the file is too large',
    tries: 3,
    next_try_at: '2026-05-01T12:08:00.000Z',
    cooling_down: false,
    changed_at: '2026-05-01T11:00:00.000Z',
    ...more
  }
}

/** The events of a stdout in JSON Lines. */
export function eventsOf(stdout: string): Record<string, unknown>[] {
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}
