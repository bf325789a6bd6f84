import type { SyncItem, SyncRun, SyncSchedule } from '../../src/contract/sync-run.ts'
import type { DeviceWishes } from './fake-device.ts'
import type { Wishes } from './fake-world.ts'
import { runCli } from './run-cli.ts'
import { CONNECTION_ID, scriptedService } from './scripted-service.ts'

/** Paths of one connection in scripts. */
export const ONE = `/v1/connectors/${CONNECTION_ID}`
export const SHOW = `GET ${ONE}`
export const SCHEDULE = `GET ${ONE}/schedule`
export const SYNC = `POST ${ONE}/sync`
export const RUNS = `GET ${ONE}/runs`
export const ITEMS = `GET ${ONE}/items`
export const TRIGGERED = { message: 'Sync triggered' }

/** Runs one `connections` command against a script. Waits end at once and advance the clock. */
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

/** Returns the id of the nth run. */
export function runId(n: number): string {
  return `0190cccc-0000-7000-8000-${String(n).padStart(12, '0')}`
}

/** Builds the nth run, which succeeded after 38 seconds unless changed. */
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

/** Builds the nth run while it is running. */
export function runUnderWay(n: number, more: Partial<SyncRun> = {}): SyncRun {
  return syncRun(n, { ended_at: null, outcome: null, ...more })
}

/** Builds a schedule that is idle for the next three hours. */
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

/** Builds a schedule with a running sync. */
export function busySchedule(n: number, more: Partial<SyncRun> = {}): SyncSchedule {
  return schedule({ state: 'running', running: runUnderWay(n, more) })
}

/** Builds a schedule after a run. */
export function scheduleAfter(run: SyncRun, more: Partial<SyncSchedule> = {}): SyncSchedule {
  return schedule({ last_run: run, ...more })
}

/** An item that has failed three times. */
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

/** Parses JSON Lines events from stdout. */
export function eventsOf(stdout: string): Record<string, unknown>[] {
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}
