import { toMillis } from '../../../src/contract/epoch-ms.ts'
import type { Clock, Fetch } from '../../../src/ports.ts'
import type { ProviderFacts } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { readRetryAfter } from './read-retry-after.ts'

/**
 * When each method may be called again, in ticks of the clock. One per account; it outlives the fetches created with
 * it.
 */
export type Pace = Map<string, number>

/** `paceBy` defines what counts as one method. */
export type PaceParts = { clock: Pick<Clock, 'now' | 'ticks'>; pace: Pace } & Pick<ProviderFacts, 'paceBy'>

/** The wait in milliseconds if a provider does not specify one. Rate limits usually apply per minute. */
export const UNSAID_WAIT_MS = toMillis(60_000)
/** Maximum number of paused methods. The oldest are forgotten. */
const METHODS_MAX = 1000

/** Statuses for too many calls of the account, and for an overload of the service. */
const PACING = new Set([429, 529])

/**
 * Creates a fetch that respects the waits demanded by a provider for each method. It is unlimited until the first 429;
 * then it sends nothing to that method until the wait is over. A call that is too early rejects immediately instead of
 * waiting.
 *
 * @throws ProviderFailure `rate_limited` with the rest of the wait in whole milliseconds; anything that `fetch` rejects
 * with.
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
    // If two responses cross, the longer wait counts.
    pace.set(method, Math.max(pace.get(method) ?? 0, clock.ticks() + waitMs))
    forgetOldest(pace)
    return response
  }
}

function tooEarly(place: string, leftMs: number): ProviderFailure {
  const message = `${place}: too many calls, retry in ${Math.ceil(leftMs / 1000)} s`
  return new ProviderFailure('rate_limited', message, { retryAfterMs: toMillis(leftMs) })
}

function forgetOldest(pace: Pace): void {
  for (const method of pace.keys()) {
    if (pace.size <= METHODS_MAX) return
    pace.delete(method)
  }
}
