import { createHash } from 'node:crypto'
import type { SyncSettings } from './sync.ts'

const COOLDOWN_MS_MAX = 24 * 3_600_000
/** By how much of the interval the runs of connections lie apart, so that those made at one time do not all come at once. */
const JITTER_PART = 0.05

/**
 * When an item that failed is tried again: after the waits of its retries, then after cooldowns that double, a day at most. `tries`: how
 * often it has failed in a row, with this time.
 */
export function itemDueAt(
  now: number,
  tries: number,
  { retryBackoffMs, cooldownMs }: Pick<SyncSettings, 'retryBackoffMs' | 'cooldownMs'>
): number {
  const retry = retryBackoffMs[tries - 1]
  if (retry !== undefined) return now + retry
  const doubled = cooldownMs * 2 ** (tries - 1 - retryBackoffMs.length)
  return now + Math.min(doubled, Math.max(cooldownMs, COOLDOWN_MS_MAX))
}

/** When a connection is due after a run that has done all there was to do. Each connection has its own small shift, always the same. */
export function regularRunAt(now: number, connectionId: string, intervalMs: number): number {
  const share = createHash('sha256').update(connectionId).digest().readUInt32BE() / 0xffffffff
  return now + Math.round(intervalMs * (1 + JITTER_PART * (2 * share - 1)))
}

/** When a connection is due after a listing that failed for reasons that may pass. `failures`: such runs in a row, with this one. */
export function retryRunAt(
  regular: number,
  { now, failures, waitMs = 0 }: { now: number; failures: number; waitMs?: number | undefined },
  { retryBackoffMs }: Pick<SyncSettings, 'retryBackoffMs'>
): number {
  const retry = retryBackoffMs[failures - 1]
  const soon = retry === undefined ? regular : Math.min(now + retry, regular)
  return Math.max(soon, now + waitMs)
}
