import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { AttemptStatus } from '../port/attempt-storage.ts'
import type { StoredConnection } from '../port/connection-storage.ts'

import type { ConnectionSyncColumns } from './sync-tables.ts'
import type { Bytes } from './tables.ts'

/** The tables of connectors. Columns with text from outside hold it as `toStored` writes it. */
export type ConnectorTables = {
  attempts: AttemptRow
  connections: ConnectionRow
  credentials: CredentialRow
  vault: VaultRow
  store: StoreRow
}

/** Of an attempt that has ended neither verifier nor grant is left. */
export type AttemptRow = {
  id: string
  provider: ProviderId
  collection_id: string
  key_id: string
  /** A `ConnectionConfig`. */
  config: string
  created_at: EpochMs
  expires_at: EpochMs
  used_at: EpochMs | null
  ended_at: EpochMs | null
  status: AttemptStatus
  /** A text. */
  detail: string | null
  connection_id: string | null
  verifier: Bytes | null
  verifier_key: string | null
  held: Bytes | null
  held_key: string | null
  /** A `HeldGrant` without its secret and hash. */
  held_grant: string | null
  ticket_hash: Bytes | null
}

export type ConnectionRow = ConnectionSyncColumns & {
  id: string
  provider: ProviderId
  collection_id: string
  /** SHA-256 of provider and account: an id of an account may be longer than an index takes. */
  account_key: Bytes
  /** A `StoredAccount`. */
  account: string
  status: StoredConnection['status']
  /** A `ConnectionConfig`. */
  config: string
  credential_id: string | null
  /** A text. */
  last_error: string | null
  created_at: EpochMs
  revoked_at: EpochMs | null
  version: number
  cursor_generation: number
}

export type CredentialRow = {
  id: string
  /** SHA-256 of provider, client and account. */
  credential_key: Bytes
  provider: ProviderId
  /** Texts. */
  client_id: string
  account_id: string
  secret: Bytes
  /** The key of the vault. */
  secret_key: string
  expires_at: EpochMs | null
  lease_owner: string | null
  lease_until: EpochMs | null
  /** Since when no connection uses it, until it is taken out. */
  unused_since: EpochMs | null
}

/** One row. Its lock orders changes of the key and what is sealed with it. */
export type VaultRow = { id: number; current_key: string }

/** One row. `store_id` never changes: a key file names the store that it was made for by it. */
export type StoreRow = { id: number; store_id: string }
