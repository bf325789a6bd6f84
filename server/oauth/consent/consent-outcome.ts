import type { ConnectionConfig } from '../../../src/contract/connection.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { Account } from '../../providers/port/provider.ts'
import type { StoredAttempt, StoredConnection } from '../../storage/port/connector-storage.ts'

import type { Tokens } from '../tokens/tokens.ts'
import type { EnabledProvider } from '../wire/enabled-provider.ts'

export type ConsentRequest = { provider: ProviderId; collectionId: string; keyId: string; config: ConnectionConfig }

/** The state of a consent after a callback. Each state has a page. `detail` is a sentence without secrets. */
export type ConsentOutcome =
  | { outcome: 'connected'; attempt: StoredAttempt; connection: StoredConnection; renewed: boolean }
  /** A person must confirm with this ticket that the account is to be linked. */
  | { outcome: 'asks'; attempt: StoredAttempt; accountName: string; ticket: string; expiresAt: number }
  | { outcome: 'denied'; attempt: StoredAttempt; detail: string }
  | { outcome: 'expired'; attempt: StoredAttempt }
  /** The state or the ticket was already used. */
  | { outcome: 'replayed'; attempt: StoredAttempt }
  | { outcome: 'failed'; attempt: StoredAttempt; detail: string }
  /** The provider did not send this callback (RFC 9207 section 2.4, RFC 6749 section 10.12). */
  | { outcome: 'rejected'; attempt: StoredAttempt; detail: string }
  /** The state was not issued here, or belongs to another provider. */
  | { outcome: 'unknown' }

/** A grant and the account that it belongs to. */
export type LinkedGrant = { attempt: StoredAttempt; enabled: EnabledProvider; tokens: Tokens; account: Account }
