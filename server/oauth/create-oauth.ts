import { addMillis, epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import { type HeldGrant, type StoredAttempt, secretIdentity } from '../storage/port/connector-storage.ts'

import { beginConsent } from './consent/begin-consent.ts'
import { decideConsent } from './consent/decide-consent.ts'
import { handleCallback } from './consent/handle-callback.ts'
import { findAttempt } from './consent/sign-state.ts'
import type { OAuth } from './oauth.ts'
import { createAuthorizedFetch, createPaces } from './tokens/create-authorized-fetch.ts'
import type { OAuthParts } from './tokens/oauth-parts.ts'

import { revokeCredential, revokeTokens } from './tokens/revoke-credential.ts'
import { createTokenKeeper } from './tokens/token-keeper.ts'
import { readTokens } from './tokens/tokens.ts'

/**
 * Creates the consents and tokens of a server. Several instances may share the storage and the vault, because the
 * storage decides what may happen only once.
 */
export function createOAuth(given: OAuthParts): OAuth {
  const keeper = createTokenKeeper(given)
  const parts = { ...given, keeper }
  const paces = createPaces()
  return {
    begin: (asked) => beginConsent(parts, asked),
    attempt: (state) => findAttempt(parts, state),
    receive: (provider, query) => handleCallback(parts, provider, query),
    confirm: (provider, said) => decideConsent(parts, provider, said),
    authorizedFetch: (credentialId) => createAuthorizedFetch({ keeper, paces, clock: given.world.clock }, credentialId),
    async revoke(credential, signal) {
      keeper.forget(credential.id)
      paces.forget(credential.id)
      return await revokeCredential(parts, credential, signal)
    },
    sweep: (signal) => sweepAttempts(parts, signal)
  }
}

/** How long an ended attempt can be queried, in milliseconds. */
const KEPT_MS = 24 * 3600 * 1000

/** The number of attempts that are taken at a time. */
const PAGE = 50

/**
 * Deletes old attempts and revokes grants that were not confirmed. Several nodes may sweep at once, because each
 * attempt is returned to one call only.
 */
async function sweepAttempts(parts: OAuthParts, signal: AbortSignal): Promise<void> {
  const { storage, world } = parts
  for (;;) {
    signal.throwIfAborted()
    const now = epochNow(world.clock)
    const attempts = await storage.takeOldAttempts({ now, endedBefore: addMillis(now, -KEPT_MS), limit: PAGE })
    for (const attempt of attempts) if (attempt.held) await revokeHeld(parts, { attempt, held: attempt.held }, signal)
    if (attempts.length < PAGE) return
  }
}

type Unconfirmed = { attempt: StoredAttempt; held: HeldGrant }

async function revokeHeld(parts: OAuthParts, { attempt, held }: Unconfirmed, signal: AbortSignal): Promise<void> {
  const { provider } = attempt
  const { clientId, account, secret } = held
  const enabled = parts.enabled.get(provider)
  if (enabled === undefined || enabled.clientId !== clientId) return
  if (await parts.storage.findCredentialForAccount({ provider, clientId, accountId: account.id })) return
  try {
    const tokens = readTokens(await parts.vault.open(secret, secretIdentity.held(attempt)))
    const revoked = await revokeTokens(parts, { enabled, tokens }, signal)
    parts.world.log.info({ attemptId: attempt.id, provider, revoked }, 'revoked a grant that was not confirmed')
  } catch (error) {
    // A secret that cannot be read cannot be used either.
    if (!(error instanceof Fault && error.code === 'damaged_storage')) throw error
  }
}
