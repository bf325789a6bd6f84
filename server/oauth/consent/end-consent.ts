import { epochNow } from '../../../src/contract/epoch-ms.ts'
import type { StoredAttempt } from '../../storage/port/connector-storage.ts'
import type { OAuthParts } from '../tokens/oauth-parts.ts'
import type { TokenKeeper } from '../tokens/token-keeper.ts'
import type { ConsentOutcome } from './consent-outcome.ts'

export type ConsentParts = OAuthParts & { keeper: TokenKeeper }

/** Ends an attempt that failed or was denied, and returns the outcome. */
export async function endConsent(
  { storage, world }: ConsentParts,
  attempt: StoredAttempt,
  { outcome, detail }: { outcome: 'denied' | 'failed' | 'rejected'; detail: string }
): Promise<ConsentOutcome> {
  const now = epochNow(world.clock)
  const status = outcome === 'rejected' ? 'failed' : outcome
  await storage.endAttempt(attempt.id, { status, detail: `${detail}; ${againHint(attempt)}`, now })
  const { id: attemptId, provider, collectionId, keyId } = attempt
  world.log.info({ attemptId, provider, collectionId, keyId, detail }, `consent ${outcome}`)
  return { outcome, attempt: { ...attempt, status, endedAt: now, detail }, detail }
}

/**
 * Ends an expired attempt. A used one is left to the callback that works on it, or to the sweep, which handles its
 * grant.
 */
export async function expireConsent({ storage, world }: ConsentParts, attempt: StoredAttempt): Promise<ConsentOutcome> {
  const detail = `the consent was not given in time; ${againHint(attempt)}`
  const now = epochNow(world.clock)
  if (attempt.usedAt === undefined) await storage.endAttempt(attempt.id, { status: 'expired', detail, now })
  return { outcome: 'expired', attempt: { ...attempt, status: 'expired', endedAt: attempt.endedAt ?? now, detail } }
}

/** Returns the next step, for callers that request the status of an attempt. */
export function againHint({ provider, collectionId }: StoredAttempt): string {
  return `start again with memctl connect ${provider} -c ${collectionId}`
}
