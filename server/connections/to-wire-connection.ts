import type { Attempt, Connection, NamedConnection } from '../../src/contract/connection.ts'
import { toWireTime } from '../../src/contract/epoch-ms.ts'
import type { SyncItem, SyncRun, SyncSchedule } from '../../src/contract/sync-run.ts'
import { plainWords } from '../providers/port/plain-words.ts'
import { inCollection, reconnectCommand } from '../providers/port/reconnect-command.ts'
import type { StoredAttempt, StoredConnection } from '../storage/port/connector-storage.ts'

import type { StoredItem, StoredRun, StoredSchedule } from '../storage/port/sync-storage.ts'

/**
 * Converts a connection to its wire form. Derived values, such as health and the due time, are computed here and never
 * stored.
 */
export function toWireConnection(stored: StoredConnection): Connection {
  const { status, collectionId } = stored
  const lastError = stored.lastError === undefined ? null : inCollection(stored.lastError, collectionId)
  const active = status === 'active'
  const createdAt = toWireTime(stored.createdAt)
  return {
    id: stored.id,
    provider: stored.provider,
    external_account_id: stored.accountId,
    status,
    collection_id: collectionId,
    items_synced: stored.itemsSynced,
    last_synced_at: timeOrNull(stored.lastSyncedAt),
    last_error: lastError,
    config: stored.config,
    created_at: createdAt,
    health: active ? (lastError === null ? 'ok' : 'error') : null,
    // Every kind of error may be gone at the next attempt.
    error_detail: lastError === null ? null : { message: lastError, retryable: true },
    next_sync_at: active ? toWireTime(dueSince(stored)) : null
  }
}

/** Converts a connection to its wire form with the names of its account and of its selection. */
export function toNamedConnection(stored: StoredConnection): NamedConnection {
  const { accountName, accountId, config, placeNames = {} } = stored
  const ids = config.folder_ids ?? config.channel_ids ?? []
  return {
    ...toWireConnection(stored),
    account_name: plainWords(accountName) || accountId,
    selection: ids.map((id) => ({ id, name: placeNames[id] ?? id }))
  }
}

/** Returns since when a connection is due. One that was never synced is due since its creation. */
function dueSince({ lastSyncedAt, nextRunAt, createdAt }: StoredConnection): number {
  return lastSyncedAt === undefined ? createdAt : (nextRunAt ?? createdAt)
}

/**
 * Converts an attempt to its wire form at `now`. An attempt past its time is expired even if that was not stored yet.
 */
export function toWireAttempt(attempt: StoredAttempt, now: number): Attempt {
  const over = attempt.status === 'waiting' && attempt.expiresAt <= now
  const status = over ? 'expired' : attempt.status
  const detail = attempt.detail ?? (status === 'expired' ? explainExpiry(attempt) : null)
  return { status, connection_id: attempt.connectionId ?? null, detail }
}

/**
 * Explains an expired attempt. If the callback was received, its grant waited for a confirmation, or the server stopped
 * while it handled the callback.
 */
function explainExpiry({ usedAt, provider, collectionId }: StoredAttempt): string {
  const why =
    usedAt === undefined
      ? 'the consent was not given in time'
      : 'the consent was not confirmed in time, or the server stopped meanwhile'
  return `${why}; start again with ${reconnectCommand({ provider, collectionId })}`
}

/**
 * Converts an item to its wire form. It is cooling down after more failures than the first attempt and its `retries`.
 */
export function toWireItem(item: StoredItem, { retries }: { retries: number }): SyncItem {
  const { id, title, url, status, memories, reason, tries } = item
  return {
    id,
    title: title ?? null,
    url: url ?? null,
    status,
    memories,
    error: reason ?? null,
    tries,
    next_try_at: timeOrNull(item.nextTryAt),
    cooling_down: status === 'failed' && tries > retries,
    changed_at: toWireTime(item.changedAt)
  }
}

/** Converts a run to its wire form. */
export function toWireRun(run: StoredRun, { id, collectionId }: StoredConnection): SyncRun {
  const { trigger, outcome, error, seen, created, updated, unchanged, deleted, failed, skipped } = run
  return {
    id: run.id,
    connection_id: id,
    trigger,
    started_at: toWireTime(run.startedAt),
    ended_at: timeOrNull(run.endedAt),
    outcome: outcome ?? null,
    seen,
    created,
    updated,
    unchanged,
    deleted,
    failed,
    skipped,
    reasons: mostFrequentFirst(run.reasons),
    error: error === undefined ? null : inCollection(error, collectionId)
  }
}

function mostFrequentFirst(reasons: Readonly<Record<string, number>>): SyncRun['reasons'] {
  const counted = Object.entries(reasons).map(([reason, count]) => ({ reason, count }))
  return counted.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
}

type ScheduleParts = {
  connection: StoredConnection
  schedule: StoredSchedule
  /** The run of the live lease and the last one that ended. */
  running: SyncRun | undefined
  lastRun: SyncRun | undefined
  now: number
  intervalMs: number
}

/** Converts a schedule to its wire form. The current state is computed and never stored. */
export function wireSchedule(parts: ScheduleParts): SyncSchedule {
  const { connection, schedule, running, lastRun, intervalMs } = parts
  const isActive = connection.status === 'active'
  return {
    state: chooseState(parts),
    paused: schedule.pausedAt !== undefined,
    interval_seconds: Math.round(intervalMs / 1000),
    next_sync_at: isActive ? timeOrNull(schedule.nextRunAt) : null,
    running: running ?? null,
    last_run: lastRun ?? null
  }
}

/** Returns the id of the run that a server is working on: one whose lease has not expired. */
export function liveRunId({ runId, leaseUntil }: StoredSchedule, now: number): string | undefined {
  return leaseUntil !== undefined && leaseUntil > now ? runId : undefined
}

function chooseState({ connection: { status }, schedule, now }: ScheduleParts): SyncSchedule['state'] {
  if (status !== 'active') return status
  if (liveRunId(schedule, now) !== undefined) return 'running'
  if (schedule.requestedAt !== undefined) return 'queued'
  if (schedule.pausedAt !== undefined) return 'paused'
  return schedule.nextRunAt !== undefined && schedule.nextRunAt <= now ? 'queued' : 'idle'
}

/** Converts a time that may be missing to its wire form. */
function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toWireTime(ms)
}
