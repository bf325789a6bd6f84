import { createHash } from 'node:crypto'
import { addMillis, type EpochMs, type Millis, toEpochMs, toMillis } from '../../src/contract/epoch-ms.ts'
import type { SyncSettings } from './sync-parts.ts'

const NO_WAIT = toMillis(0)
const COOLDOWN_MS_MAX = 24 * 3_600_000
/**
 * The largest shift of a connection as a fraction of the interval. It spreads connections that were created at the same
 * time.
 */
const JITTER_PART = 0.05

/**
 * Returns when to retry a failed item: first after the configured waits, then after cooldowns that double, up to a day.
 * `tries` is the number of failures in a row, including this one.
 */
export function scheduleItemRetry(
  now: EpochMs,
  tries: number,
  { retryBackoffMs, cooldownMs }: Pick<SyncSettings, 'retryBackoffMs' | 'cooldownMs'>
): EpochMs {
  const retry = retryBackoffMs[tries - 1]
  if (retry !== undefined) return addMillis(now, retry)
  const doubled = cooldownMs * 2 ** (tries - 1 - retryBackoffMs.length)
  return addMillis(now, Math.min(doubled, Math.max(cooldownMs, COOLDOWN_MS_MAX)))
}

/** Returns when a connection is due after a complete run. Each connection has a small constant shift. */
export function scheduleRun(now: EpochMs, connectionId: string, intervalMs: number): EpochMs {
  const share = createHash('sha256').update(connectionId).digest().readUInt32BE() / 0xffffffff
  return addMillis(now, intervalMs * (1 + JITTER_PART * (2 * share - 1)))
}

/**
 * Returns when a connection is due after a run that failed for a temporary reason. `failures` counts such runs in a
 * row, including this one.
 */
export function scheduleRunRetry(
  regular: EpochMs,
  { now, failures, waitMs = NO_WAIT }: { now: EpochMs; failures: number; waitMs?: Millis | undefined },
  { retryBackoffMs }: Pick<SyncSettings, 'retryBackoffMs'>
): EpochMs {
  const retry = retryBackoffMs[failures - 1]
  const soon = retry === undefined ? regular : Math.min(now + retry, regular)
  return toEpochMs(Math.max(soon, now + waitMs))
}
