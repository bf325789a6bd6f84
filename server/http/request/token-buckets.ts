/*
 * Not a library: rate-limiter-flexible 11 counts fixed windows, so a caller could send twice the limit around the end of
 * a window, and it takes as long (0.5 µs a request). limiter 4 keeps one bucket without limiting how many names have one,
 * and does not tell how long to wait.
 */

import type { Clock } from '../../../src/ports.ts'

/** Rate limits by name: a number of tokens a minute, which is also the most that can be taken at once. */
export type TokenBuckets = {
  /** Takes a token if there is one. */
  take(name: string): TakeResult
  /** Returns whether no token is left, without taking one. */
  isEmpty(name: string): boolean
}

/** `remaining`: whole tokens that are left. `waitSeconds`: the time until the next token, 0 if there is one. */
export type TakeResult = { granted: boolean; remaining: number; waitSeconds: number }

/** The tokens of a name when they were last counted, and the time of that count (ms of `ticks`). */
type Bucket = { left: number; at: number }

/**
 * The maximum number of names. Beyond it, the least recently used name is removed, and starts again with a full bucket.
 */
const NAMES_MAX = 10_000

/** Creates buckets that are full at first. */
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
