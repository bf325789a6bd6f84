import { beginConsent } from './consent/begin-consent.ts'
import { confirmConsent } from './consent/confirm-consent.ts'
import { receiveCallback } from './consent/receive-callback.ts'
import { attemptOfState } from './consent/sign-state.ts'
import type { OAuth } from './oauth.ts'
import type { OAuthParts } from './oauth-parts.ts'
import { revokeCredential } from './revoke-credential.ts'
import { sweepAttempts } from './sweep-attempts.ts'
import { authorizedFetch } from './tokens/authorized-fetch.ts'
import { createPaces } from './tokens/paces.ts'
import { createTokenKeeper } from './tokens/token-keeper.ts'

/** Consent and tokens over a storage and a vault. Several may share both: what must happen once is settled in the storage. */
export function createOAuth(given: OAuthParts): OAuth {
  const keeper = createTokenKeeper(given)
  const parts = { ...given, keeper }
  const paces = createPaces()
  return {
    begin: (asked) => beginConsent(parts, asked),
    attempt: (state) => attemptOfState(parts, state),
    receive: (provider, query) => receiveCallback(parts, provider, query),
    confirm: (provider, said) => confirmConsent(parts, provider, said),
    authorizedFetch: (credentialId) => authorizedFetch({ keeper, paces, clock: given.world.clock }, credentialId),
    async revoke(credential, signal) {
      keeper.forget(credential.id)
      paces.forget(credential.id)
      return await revokeCredential(parts, credential, signal)
    },
    sweep: (signal) => sweepAttempts(parts, signal)
  }
}
