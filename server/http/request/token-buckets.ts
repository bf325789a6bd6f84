/*
 * Not a library: rate-limiter-flexible 11 counts fixed windows, so a caller could send twice the limit around the end of
 * a window, and it is no faster (0.5 µs a request, as here). limiter 4 keeps one bucket without limiting how many names
 * have one, and does not tell how long to wait.
 */

import type { Clock } from '../../../src/ports.ts'

/** Takes that are counted per name: so many a minute, and after a quiet minute so many at once. */
export type TokenBuckets = {
  /** Takes one where there is one. */
  take(name: string): TakeResult
  /** Whether there is none left, without taking. */
  isEmpty(name: string): boolean
}

/** `remaining`: whole ones that are left. `waitSeconds`: after how long there is one again, 0 where there is. */
export type TakeResult = { granted: boolean; remaining: number; waitSeconds: number }

/** What is kept of a name: how many were left when they were last counted, and when (ms of `ticks`). */
type Bucket = { left: number; at: number }

/** Names that are kept. Of more, the one that was used longest ago is forgotten, and begins with a full bucket. */
const NAMES_MAX = 10_000

/** Buckets that are full at first. */
export function createTokenBuckets({ perMinute, clock }: { perMinute: number; clock: Clock }): TokenBuckets {
  const buckets = new Map<string, Bucket>()
  const perMs = perMinute / 60_000

  const level = (name: string, now: number): number => {
    const bucket = buckets.get(name)
    return bucket === undefined ? perMinute : Math.min(perMinute, bucket.left + (now - bucket.at) * perMs)
  }
  const keep = (name: string, bucket: Bucket): void => {
    buckets.delete(name)
    buckets.set(name, bucket)
    const [oldest] = buckets.keys()
    if (buckets.size > NAMES_MAX && oldest !== undefined) buckets.delete(oldest)
  }

  return {
    take(name) {
      const now = clock.ticks()
      const before = level(name, now)
      const granted = before >= 1
      const left = granted ? before - 1 : before
      keep(name, { left, at: now })
      return { granted, remaining: Math.floor(left), waitSeconds: left >= 1 ? 0 : Math.ceil((1 - left) / perMs / 1000) }
    },
    isEmpty: (name) => level(name, clock.ticks()) < 1
  }
}
