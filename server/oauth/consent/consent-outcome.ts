import type { ConnectionConfig } from '../../../src/contract/connection.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { Account } from '../../providers/port/provider.ts'
import type { StoredAttempt, StoredConnection } from '../../storage/port/connector-storage.ts'

import type { Tokens } from '../tokens/tokens.ts'
import type { EnabledProvider } from '../wire/enabled-provider.ts'

export type ConsentRequest = { provider: ProviderId; collectionId: string; keyId: string; config: ConnectionConfig }

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

/** A grant with the account it is of. */
export type LinkedGrant = { attempt: StoredAttempt; enabled: EnabledProvider; tokens: Tokens; account: Account }
