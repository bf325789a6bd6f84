import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { ProviderFailure } from '../../providers/port/provider-failure.ts'
import type { StoredCredential } from '../../storage/port/connector-storage.ts'
import type { EnabledProvider } from '../wire/enabled-provider.ts'
import { renewGrant } from '../wire/exchange-code.ts'
import { requestRevocation } from '../wire/request-revocation.ts'
import { openTokens } from './load-access.ts'
import type { OAuthParts } from './oauth-parts.ts'
import { type Tokens, toTokens } from './tokens.ts'

/**
 * Revokes the grant of a deleted credential at the provider. Returns false if that failed: the provider cannot revoke
 * or did not answer, or the credential cannot be read or belongs to another client.
 */
export async function revokeCredential(
  parts: OAuthParts,
  credential: StoredCredential,
  signal: AbortSignal
): Promise<boolean> {
  const enabled = parts.enabled.get(credential.provider)
  if (enabled === undefined || enabled.clientId !== credential.clientId) return false
  try {
    const tokens = await openTokens(parts, credential)
    return await revokeTokens(parts, { enabled, tokens }, signal)
  } catch (error) {
    if (error instanceof ProviderFailure || error instanceof Fault) return false
    throw error
  }
}

/** Revokes a grant by its open tokens, like `revokeCredential`. */
export async function revokeTokens(
  { world }: Pick<OAuthParts, 'world'>,
  { enabled, tokens }: { enabled: EnabledProvider; tokens: Tokens },
  signal: AbortSignal
): Promise<boolean> {
  const call = { enabled, clock: world.clock, log: world.log, signal }
  const { refreshToken, expiresAt } = tokens
  const isOver = expiresAt !== undefined && expiresAt <= world.clock.now()
  // An expired access token revokes nothing, while the refresh token could still get new ones.
  const needsFresh = isOver && refreshToken !== undefined && enabled.oauth.revocation !== 'rfc7009'
  if (!needsFresh) return await requestRevocation(call, tokens)
  try {
    return await requestRevocation(call, toTokens(await renewGrant(call, refreshToken), tokens, epochNow(world.clock)))
  } catch (error) {
    if (error instanceof ProviderFailure) return error.kind === 'grant_dead'
    throw error
  }
}
