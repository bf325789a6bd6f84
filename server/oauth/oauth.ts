import type { Fetch } from '../../src/ports.ts'
import type { StoredAttempt, StoredCredential } from '../storage/port/connector-storage.ts'

import type { ConsentOutcome, ConsentRequest } from './consent/consent-outcome.ts'

/** Consent, tokens and the vault. No token leaves this layer: callers get a fetch that adds one. */
export type OAuth = {
  /** Begins a consent. The `state` is signed, used once, and bound to key, provider and collection. */
  begin(asked: ConsentRequest): Promise<{ authUrl: string; state: string }>
  /** Returns the attempt of a state, or undefined if the state is unknown or its attempt ended long ago. */
  attempt(state: string): Promise<StoredAttempt | undefined>
  /** Handles the callback of a provider. External errors are outcomes, so they never reject. */
  receive(provider: string, query: URLSearchParams): Promise<ConsentOutcome>
  /** Applies the decision of the person who was asked to confirm. */
  confirm(provider: string, said: { ticket: string; approved: boolean }): Promise<ConsentOutcome>
  /**
   * Returns a fetch that adds the access token of a credential to each request and respects the rate limits of the
   * provider. The token is renewed before it expires and once after it is refused; concurrent callers share one
   * renewal. Rejects with a `ProviderFailure`: `grant_dead`, `auth_expired`, `transient`, and `rate_limited` for a call
   * that is too early.
   */
  authorizedFetch(credentialId: string): Fetch
  /** Revokes a grant at the provider. Returns false if that failed. */
  revoke(credential: StoredCredential, signal: AbortSignal): Promise<boolean>
  /** Deletes old attempts and revokes grants that were not confirmed. */
  sweep(signal: AbortSignal): Promise<void>
}
