import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { type HeldGrant, type StoredAttempt, secretIdentity } from '../../storage/port/connector-storage.ts'

import { readTokens } from '../tokens/tokens.ts'
import { isTicketFor, readAttemptId } from './ask-to-confirm.ts'
import { completeConnection, storeConnection } from './complete-consent.ts'
import type { ConsentOutcome, LinkedGrant } from './consent-outcome.ts'
import { againHint, type ConsentParts, endConsent, expireConsent } from './end-consent.ts'
import { revokeUnusedGrant } from './revoke-unused-grant.ts'

export type Decision = { ticket: string; approved: boolean }

/**
 * Applies the decision of the person who was asked: links the account, or revokes its grant. Only the first decision
 * counts.
 */
export async function decideConsent(parts: ConsentParts, provider: string, said: Decision): Promise<ConsentOutcome> {
  const id = readAttemptId(said.ticket)
  const attempt = id === undefined ? undefined : await parts.storage.findAttempt(id)
  if (attempt === undefined || attempt.provider !== provider) return { outcome: 'unknown' }
  // The ticket of an ended attempt was deleted with the grant. Its id alone reveals only that it has ended.
  if (attempt.status !== 'waiting') return { outcome: 'replayed', attempt }
  if (attempt.held === undefined || !isTicketFor(attempt, said.ticket)) return { outcome: 'unknown' }
  const linked = await openHeld(parts, attempt, attempt.held)
  if (linked === undefined)
    return await endConsent(parts, attempt, {
      outcome: 'failed',
      detail: `provider ${provider} is no longer enabled on this server`
    })
  return await decide(parts, linked, said)
}

async function decide(parts: ConsentParts, linked: LinkedGrant, { approved }: Decision): Promise<ConsentOutcome> {
  const { attempt, enabled, tokens, account } = linked
  const grant = { enabled, tokens, accountId: account.id }
  const isLate = parts.world.clock.now() >= attempt.expiresAt
  if (approved && !isLate) return await approve(parts, linked)
  const detail = isLate ? 'the consent was not confirmed in time' : 'the person rejected the connection'
  const status = isLate ? 'expired' : 'denied'
  const told = `${detail}; ${againHint(attempt)}`
  const ended = await parts.storage.endAttempt(attempt.id, { status, detail: told, now: epochNow(parts.world.clock) })
  if (!ended) return { outcome: 'replayed', attempt }
  await revokeUnusedGrant(parts, grant)
  return isLate
    ? await expireConsent(parts, attempt)
    : { outcome: 'denied', attempt: { ...attempt, status: 'denied' }, detail }
}

async function approve(parts: ConsentParts, linked: LinkedGrant): Promise<ConsentOutcome> {
  const { attempt, enabled, tokens, account } = linked
  const stored = await storeConnection(parts, linked)
  if ('connection' in stored) return await completeConnection(parts, attempt, stored)
  // The caller that ended the attempt has also handled the grant.
  if (stored.outcome === 'ended') return { outcome: 'replayed', attempt }
  await revokeUnusedGrant(parts, { enabled, tokens, accountId: account.id })
  return await endConsent(parts, attempt, { outcome: 'failed', detail: chooseReason(stored.outcome) })
}

function chooseReason(outcome: 'collection_gone' | 'key_revoked'): string {
  return outcome === 'collection_gone' ? 'the collection was deleted' : 'the key was revoked'
}

/** Opens the stored grant. Returns undefined if the server no longer has the client that it was given to. */
async function openHeld(
  { vault, enabled: all }: ConsentParts,
  attempt: StoredAttempt,
  { secret, account, clientId }: HeldGrant
): Promise<LinkedGrant | undefined> {
  const enabled = all.get(attempt.provider)
  if (enabled === undefined || enabled.clientId !== clientId) return undefined
  const tokens = readTokens(await vault.open(secret, secretIdentity.held(attempt)))
  return { attempt, enabled, tokens, account }
}
