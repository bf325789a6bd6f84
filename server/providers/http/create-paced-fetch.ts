import { toMillis } from '../../../src/contract/epoch-ms.ts'
import type { Clock, Fetch } from '../../../src/ports.ts'
import type { ProviderFacts } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { readRetryAfter } from './read-retry-after.ts'

/** Until when, in ticks of the clock, which method is to be left alone. One for each account: it outlives the fetches made with it. */
export type Pace = Map<string, number>

/** `paceBy`: what one method is. */
export type PaceParts = { clock: Pick<Clock, 'now' | 'ticks'>; pace: Pace } & Pick<ProviderFacts, 'paceBy'>

/** Where a provider does not say how long, in milliseconds: rate limits are mostly counted by the minute. */
export const UNSAID_WAIT_MS = toMillis(60_000)
/** Methods that are left alone at a time. The oldest are forgotten. */
const METHODS_MAX = 1000

/** Too many calls; and too many of everybody, for which some demand the same. */
const PACING = new Set([429, 529])

/**
 * A fetch that keeps to what a provider demands of each method: unlimited until the first 429, and then nothing is sent there before
 * its time. Nobody waits: a call that comes too early rejects at once.
 *
 * @throws ProviderFailure `rate_limited` with what is left of the time, in whole milliseconds although ticks are fractions; whatever `fetch` rejects with.
 */
export function createPacedFetch(fetch: Fetch, { clock, pace, paceBy }: PaceParts): Fetch {
  return async (request) => {
    const { pathname, host } = new URL(request.url)
    const method = paceBy === 'path' ? pathname : ''
    const leftMs = (pace.get(method) ?? 0) - clock.ticks()
    if (leftMs > 0) throw tooEarly(`${request.method} ${host}${pathname}`, leftMs)
    pace.delete(method)
    const response = await fetch(request)
    if (!PACING.has(response.status)) return response
    const waitMs = readRetryAfter(response.headers, clock.now()) ?? UNSAID_WAIT_MS
    // Of two answers that cross, the one that demands more counts.
    pace.set(method, Math.max(pace.get(method) ?? 0, clock.ticks() + waitMs))
    forgetOldest(pace)
    return response
  }
}

function tooEarly(place: string, leftMs: number): ProviderFailure {
  const message = `${place}: too many calls, the next one may go out in ${Math.ceil(leftMs / 1000)} s`
  return new ProviderFailure('rate_limited', message, { retryAfterMs: toMillis(leftMs) })
}

function forgetOldest(pace: Pace): void {
  for (const method of pace.keys()) {
    if (pace.size <= METHODS_MAX) return
    pace.delete(method)
  }
}
