import { type Millis, toMillis } from '../../../src/contract/epoch-ms.ts'
/**
 * Parses `Retry-After` as milliseconds (RFC 9110 section 10.2.3: seconds, or a date). Returns undefined if it is absent
 * or invalid. Rounds up. The maximum is a day; after that the provider is asked again.
 */
export function readRetryAfter(headers: Headers, now: number): Millis | undefined {
  const said = headers.get('retry-after')?.trim()
  if (said === undefined || said === '') return undefined
  // A date begins with its weekday. `Date.parse` would also accept a negative number.
  const at = /^[A-Z][a-z]{2}/.test(said) ? Date.parse(said) : Number.NaN
  const ms = /^\d{1,9}$/.test(said) ? Number(said) * 1000 : at - now
  return Number.isNaN(ms) ? undefined : toMillis(Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX))
}

const RETRY_AFTER_MS_MAX = 24 * 3600 * 1000
