import type { Clock, Fetch } from '../../../src/ports.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { retryAfterMs } from './retry-after.ts'

/** Until when, in ticks of the clock, which path is to be left alone. One for each account: it outlives the fetches made with it. */
export type Pace = Map<string, number>

/** Where a provider does not say how long: rate limits are mostly counted by the minute. */
const UNSAID_WAIT_MS = 60_000
/** Paths that are left alone at a time. Services with a path for each item have more of them; the oldest are forgotten. */
const PATHS_MAX = 1000

/**
 * A fetch that keeps to what a provider demands of each path: unlimited until the first 429, and then nothing is sent there before
 * its time. Nobody waits: a call that comes too early rejects at once.
 *
 * @throws ProviderFailure `rate_limited` with what is left of the time; whatever `fetch` rejects with.
 */
export function pacedFetch(fetch: Fetch, { clock, pace }: { clock: Clock; pace: Pace }): Fetch {
  return async (request) => {
    const { pathname, host } = new URL(request.url)
    const leftMs = (pace.get(pathname) ?? 0) - clock.ticks()
    if (leftMs > 0) throw tooEarly(`${request.method} ${host}${pathname}`, leftMs)
    pace.delete(pathname)
    const response = await fetch(request)
    if (response.status !== 429) return response
    const waitMs = retryAfterMs(response.headers, clock.now()) ?? UNSAID_WAIT_MS
    // Of two answers that cross, the one that demands more counts.
    pace.set(pathname, Math.max(pace.get(pathname) ?? 0, clock.ticks() + waitMs))
    forgetOldest(pace)
    return response
  }
}

function tooEarly(place: string, leftMs: number): ProviderFailure {
  const message = `${place}: too many calls, the next one may go out in ${Math.ceil(leftMs / 1000)} s`
  return new ProviderFailure('rate_limited', message, { retryAfterMs: leftMs })
}

function forgetOldest(pace: Pace): void {
  for (const path of pace.keys()) {
    if (pace.size <= PATHS_MAX) return
    pace.delete(path)
  }
}
