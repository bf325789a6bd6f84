import type { Pace } from '../../providers/http/create-paced-fetch.ts'

/** What each provider demands of calls with a credential, as this node has learned it. */
export type Paces = {
  of(credentialId: string): Pace
  forget(credentialId: string): void
}

/** Credentials whose pace is kept; those that were used longest ago are forgotten. */
const KEPT_MAX = 1000

/** A pace for each credential, kept in memory: a node learns it from the provider's refusals. */
export function createPaces(): Paces {
  const kept = new Map<string, Pace>()
  return {
    of(credentialId) {
      const pace: Pace = kept.get(credentialId) ?? new Map()
      // Last used, last in order.
      kept.delete(credentialId)
      kept.set(credentialId, pace)
      const [oldest] = kept.keys()
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
      return pace
    },
    forget: (credentialId) => void kept.delete(credentialId)
  }
}
