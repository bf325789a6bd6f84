import type { ConnectionConfig } from '../../src/contract/connection.ts'
import type { ProviderId } from '../../src/contract/provider-ids.ts'
import type { Fetch } from '../../src/ports.ts'
import type { OAuthFacts, Provider } from '../providers/provider.ts'
import type { StoredAttempt } from '../storage/port/attempt-storage.ts'
import type { StoredConnection } from '../storage/port/connection-storage.ts'
import type { StoredCredential } from '../storage/port/credential-storage.ts'

/** A provider as this instance has it: whose client, and where. */
export type EnabledProvider = {
  provider: Provider
  clientId: string
  clientSecret: string
  /** Facts of the provider with the addresses that the instance's admin set. */
  oauth: OAuthFacts
  apiUrl: string
  /** It is the stand-in, not the real service. */
  sandbox: boolean
  /** Folder ids may have `-` and `_`. */
  driveIds: boolean
  /** Sends a request without credentials, to the admin's addresses only. */
  fetch: Fetch
}

/** By identifier, in the order in which they are listed. */
export type EnabledProviders = ReadonlyMap<ProviderId, EnabledProvider>

/** Consent, tokens and the vault. No token leaves it: what it hands out is a fetch that carries one. */
export type OAuth = {
  /** Begins a consent. `state` is signed, used once, and bound to key, provider and collection. */
  begin(asked: Asked): Promise<{ authUrl: string; state: string }>
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

export type Asked = { provider: ProviderId; collectionId: string; keyId: string; config: ConnectionConfig }

/** How a consent stands after somebody came back; each is a page. `detail` is a sentence without secrets. */
export type ConsentOutcome =
  | { outcome: 'connected'; attempt: StoredAttempt; connection: StoredConnection; renewed: boolean }
  /** Somebody has to say that the account is to be linked, with this ticket. */
  | { outcome: 'asks'; attempt: StoredAttempt; accountName: string; ticket: string; expiresAt: number }
  | { outcome: 'denied'; attempt: StoredAttempt; detail: string }
  | { outcome: 'expired'; attempt: StoredAttempt }
  /** The state was used before, or the ticket was. */
  | { outcome: 'replayed'; attempt: StoredAttempt }
  | { outcome: 'failed'; attempt: StoredAttempt; detail: string }
  /** The callback is not one that the provider sent: RFC 9207 section 2.4 and RFC 6749 section 10.12. */
  | { outcome: 'rejected'; attempt: StoredAttempt; detail: string }
  /** No state of ours, or one of another provider. */
  | { outcome: 'unknown' }
