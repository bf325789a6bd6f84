import { Fault } from '../../src/contract/faults.ts'
import { addMillis, epochNow } from '../../src/contract/milliseconds.ts'
import type { HeldGrant, StoredAttempt } from '../storage/connector-storage.ts'
import { secretIdentity } from '../storage/secret-identity.ts'
import type { OAuthParts } from './oauth-parts.ts'
import { revokeTokens } from './revoke-credential.ts'
import { readTokens } from './tokens/tokens.ts'

/** How long an attempt that has ended can be asked for, in milliseconds. */
const KEPT_MS = 24 * 3600 * 1000

/** How many are taken at a time. */
const PAGE = 50

/**
 * Takes out old attempts, and revokes grants that nobody confirmed. What is taken out is this call's alone, so several nodes
 * may sweep at once.
 */
export async function sweepAttempts(parts: OAuthParts, signal: AbortSignal): Promise<void> {
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
  if (await parts.storage.credentialOf({ provider, clientId, accountId: account.id })) return
  try {
    const tokens = readTokens(await parts.vault.open(secret, secretIdentity.held(attempt)))
    const revoked = await revokeTokens(parts, { enabled, tokens }, signal)
    parts.world.log.info({ attemptId: attempt.id, provider, revoked }, 'a grant that nobody confirmed was given back')
  } catch (error) {
    // It cannot be read any more: then nobody can use it, either.
    if (!(error instanceof Fault && error.code === 'damaged_storage')) throw error
  }
}
