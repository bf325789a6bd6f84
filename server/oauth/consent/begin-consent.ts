import { Buffer } from 'node:buffer'
import { calculatePKCECodeChallenge } from 'oauth4webapi'
import { addMillis, epochNow } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { Ids } from '../../../src/ports.ts'
import { type NewAttempt, secretIdentity } from '../../storage/port/connector-storage.ts'

import type { OAuthParts, OAuthSettings } from '../tokens/oauth-parts.ts'
import { storeSealed } from '../vault/store-sealed.ts'
import type { EnabledProvider } from '../wire/enabled-provider.ts'
import type { ConsentRequest } from './consent-outcome.ts'
import { signState } from './sign-state.ts'

/** Begins a consent: stores who requested it and for what, and returns the address where the person consents. */
export async function beginConsent(
  parts: OAuthParts,
  asked: ConsentRequest
): Promise<{ authUrl: string; state: string }> {
  const { storage, vault, settings, world } = parts
  const enabled = parts.enabled.get(asked.provider)
  if (enabled === undefined) throw new Fault('not_found', `provider ${asked.provider} is not enabled on this server`)
  const createdAt = epochNow(world.clock)
  const attempt = { ...asked, id: parts.newId(), createdAt, expiresAt: addMillis(createdAt, settings.stateTtlMs) }
  const verifier = enabled.oauth.pkce ? makeVerifier(world.ids) : undefined
  if (verifier === undefined) await storage.createAttempt({ ...attempt, verifier: undefined })
  else {
    const sealing = { plain: Buffer.from(verifier), identity: secretIdentity.verifier(attempt) }
    await storeSealed(vault, sealing, (sealed) => storage.createAttempt({ ...attempt, verifier: sealed }))
  }
  const state = await signState(vault, attempt)
  world.log.info({ attemptId: attempt.id, ...toLogFields(attempt) }, 'started a consent')
  return {
    authUrl: await consentUrl(enabled, { state, verifier, redirect: makeRedirectUri(settings, attempt) }),
    state
  }
}

function toLogFields({ provider, collectionId, keyId }: Pick<NewAttempt, 'provider' | 'collectionId' | 'keyId'>) {
  return { provider, collectionId, keyId }
}

/** Creates a verifier of 256 random bits, which is 43 characters (RFC 7636 section 4.1). */
function makeVerifier(ids: Ids): string {
  return Buffer.from(ids.randomHex(32), 'hex').toString('base64url')
}

type Consent = { state: string; verifier: string | undefined; redirect: string }

/** Builds the URL of the consent page (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
async function consentUrl(
  { oauth, clientId }: EnabledProvider,
  { state, verifier, redirect }: Consent
): Promise<string> {
  const challenge = verifier === undefined ? undefined : await calculatePKCECodeChallenge(verifier)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    ...(oauth.scopes.length > 0 && { [oauth.scopeParameter]: oauth.scopes.join(oauth.scopeSeparator) }),
    ...oauth.authorizeParameters,
    ...(challenge !== undefined && { code_challenge: challenge, code_challenge_method: 'S256' }),
    state
  }
  const url = new URL(oauth.authorizeUrl)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Returns the address to which a provider redirects people. Providers compare it exactly with the registered one. */
export function makeRedirectUri(
  { publicUrl }: Pick<OAuthSettings, 'publicUrl'>,
  { provider }: { provider: ProviderId }
): string {
  return `${publicUrl}/v1/oauth/callback/${provider}`
}
