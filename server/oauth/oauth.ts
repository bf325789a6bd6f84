import type { Fetch } from '../../src/ports.ts'
import type { StoredAttempt, StoredCredential } from '../storage/port/connector-storage.ts'

import type { ConsentOutcome, ConsentRequest } from './consent/consent-outcome.ts'

/** Consent, tokens and the vault. No token leaves it: what it hands out is a fetch that carries one. */
export type OAuth = {
  /** Begins a consent. `state` is signed, used once, and bound to key, provider and collection. */
  begin(asked: ConsentRequest): Promise<{ authUrl: string; state: string }>
  /** The attempt of a state; undefined where the state is not one of ours, or its attempt is long over. */
  attempt(state: string): Promise<StoredAttempt | undefined>
  /** What a provider sent a person back with. Never rejects for what came from outside: that is an outcome. */
  receive(provider: string, query: URLSearchParams): Promise<ConsentOutcome>
  /** What the person says who was asked to confirm. */
  confirm(provider: string, said: { ticket: string; approved: boolean }): Promise<ConsentOutcome>
  /**
   * A fetch that puts the access token of a credential on each request, renewed before it ends and once after it was refused, by
   * one of all that need it. Keeps the pace that the provider demands. Rejects with a `ProviderFailure`: `grant_dead`,
   * `auth_expired`, `transient`, and `rate_limited` for a call that comes too early.
   */
  authorizedFetch(credentialId: string): Fetch
  /** Tells the provider that a grant is over. False where that could not be done. */
  revoke(credential: StoredCredential, signal: AbortSignal): Promise<boolean>
  /** Takes out old attempts; grants that nobody confirmed are revoked. */
  sweep(signal: AbortSignal): Promise<void>
}
