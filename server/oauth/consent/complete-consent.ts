import type { ConnectionConfig } from '../../../src/contract/connection.ts'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import type { ProviderFacts } from '../../providers/port/provider.ts'
import { type Completion, type StoredAttempt, secretIdentity } from '../../storage/port/connector-storage.ts'

import { isGrantError } from '../tokens/note-dead-grant.ts'
import type { OAuthParts } from '../tokens/oauth-parts.ts'
import { revokeCredential } from '../tokens/revoke-credential.ts'
import { writeTokens } from '../tokens/tokens.ts'
import { storeSealed } from '../vault/store-sealed.ts'
import type { ConsentOutcome, LinkedGrant } from './consent-outcome.ts'
import { type ConsentParts, endConsent, expireConsent } from './end-consent.ts'
import { revokeUnusedGrant, waitForRevocation } from './revoke-unused-grant.ts'

/** Creates the connection in one transaction. If that is not possible, revokes the grant and returns the reason. */
export async function completeConsent(parts: ConsentParts, linked: LinkedGrant): Promise<ConsentOutcome> {
  const completion = await storeConnection(parts, linked)
  if ('connection' in completion) return await completeConnection(parts, linked.attempt, completion)
  const { attempt, enabled, tokens, account } = linked
  await revokeUnusedGrant(parts, { enabled, tokens, accountId: account.id })
  if (completion.outcome === 'ended') return await expireConsent(parts, attempt)
  return await endConsent(parts, attempt, { outcome: 'failed', detail: REASONS[completion.outcome] })
}

const REASONS = {
  collection_gone: 'the collection was deleted meanwhile',
  key_revoked: 'the key that requested the consent was revoked meanwhile'
}

/** The result of storing a connection, after the secret was sealed with the current key. */
type Stored = Connected | { outcome: 'collection_gone' | 'key_revoked' | 'ended' }

type Connected = Extract<Completion, { outcome: 'created' | 'renewed' }>

/** Writes the attempt, the connection and the credential together. */
export async function storeConnection(
  { storage, vault, newId, world }: OAuthParts,
  { attempt, enabled, tokens, account }: LinkedGrant
): Promise<Stored> {
  const { clientId } = enabled
  const made = {
    id: newId(),
    credentialId: newId(),
    clientId,
    account,
    expiresAt: tokens.expiresAt,
    status: chooseFirstStatus(enabled.provider.facts, attempt.config),
    now: epochNow(world.clock)
  }
  const owner = { provider: attempt.provider, clientId, accountId: account.id }
  const sealing = { plain: writeTokens(tokens), identity: secretIdentity.credential(owner) }
  return await storeSealed(vault, sealing, async (secret): Promise<Stored | 'stale_key'> => {
    const completion = await storage.completeAttempt(attempt.id, { ...made, secret })
    return 'connection' in completion ? completion : otherwise(completion.outcome)
  })
}

function otherwise(outcome: Exclude<Completion['outcome'], Connected['outcome']>): Stored | 'stale_key' {
  return outcome === 'stale_key' ? outcome : { outcome }
}

/** Finishes a consent whose connection was stored. */
export async function completeConnection(
  parts: ConsentParts,
  attempt: StoredAttempt,
  { outcome, connection, replaced }: Connected
): Promise<ConsentOutcome> {
  const { storage, keeper, world } = parts
  const { id: connectionId, credentialId, lastError, provider, collectionId } = connection
  if (credentialId !== undefined) keeper.forget(credentialId)
  if (lastError !== undefined && isGrantError(lastError)) await storage.noteError(connectionId, undefined)
  if (replaced) await waitForRevocation(world.clock, revokeCredential(parts, replaced, new AbortController().signal))
  const renewed = outcome === 'renewed'
  world.log.info({ attemptId: attempt.id, connectionId, provider, collectionId, renewed }, 'connected an account')
  const ended: StoredAttempt = { ...attempt, status: 'completed', endedAt: epochNow(world.clock), connectionId }
  return { outcome: 'connected', attempt: ended, connection, renewed }
}

/**
 * Chooses the first status of a connection. It is pending if the provider has a selection and none was chosen in
 * advance.
 */
export function chooseFirstStatus(
  { selection }: Pick<ProviderFacts, 'selection'>,
  config: ConnectionConfig
): 'pending' | 'active' {
  return selection !== undefined && config[selection] === undefined ? 'pending' : 'active'
}
