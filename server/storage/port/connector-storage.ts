import type { ConnectionConfig, ConnectionStatus } from '../../../src/contract/connection.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/** The part of the storage that connectors use. */
export type ConnectorStorage = AttemptStorage & ConnectionStorage & CredentialStorage & VaultStorage

/** Attempts to connect an account, from the link that a person opens to the resulting connection. */
export type AttemptStorage = {
  /**
   * Stores an attempt. Does nothing if the verifier is sealed with a key other than the vault's current one. Throws
   * `not_found` if the collection was deleted.
   */
  createAttempt(attempt: NewAttempt): Promise<'created' | 'stale_key'>
  findAttempt(id: string): Promise<StoredAttempt | undefined>
  /** Uses up the state of an attempt. Returns true for exactly one call, if it precedes the expiry. */
  useAttempt(id: string, now: EpochMs): Promise<boolean>
  /** Ends a waiting attempt. Returns false if it has already ended. */
  endAttempt(id: string, end: AttemptEnd): Promise<boolean>
  /**
   * Stores the grant of a used attempt until a person confirms it. Does nothing if the attempt has ended or the key is
   * stale.
   */
  holdGrant(id: string, held: HeldGrant): Promise<'held' | 'ended' | 'stale_key'>
  /**
   * Creates the connection of a used attempt. If this account already has a connection in this collection, renews its
   * credentials instead and keeps its id, status and config. Does nothing and returns the reason if the collection or
   * the key is gone, the attempt has ended, or the secret is sealed with a stale key.
   */
  completeAttempt(id: string, made: MadeConnection): Promise<Completion>
  /**
   * Ends waiting attempts with a grant that had expired at `now` as `expired`, and removes attempts that ended or
   * expired before `endedBefore`. Returns both with their grants. Of several concurrent calls, one gets each attempt.
   */
  takeOldAttempts(times: { now: EpochMs; endedBefore: EpochMs; limit: number }): Promise<StoredAttempt[]>
}

export type NewAttempt = {
  id: string
  provider: ProviderId
  collectionId: string
  /** The API key that requested it. */
  keyId: string
  /** The config chosen when the attempt began. */
  config: ConnectionConfig
  createdAt: EpochMs
  expiresAt: EpochMs
  /** The PKCE verifier. */
  verifier: Sealed | undefined
}

export type StoredAttempt = NewAttempt & {
  status: AttemptStatus
  usedAt: EpochMs | undefined
  endedAt: EpochMs | undefined
  detail: string | undefined
  connectionId: string | undefined
  held: HeldGrant | undefined
}

export const ATTEMPT_STATUSES = ['waiting', 'completed', 'denied', 'failed', 'expired'] as const

export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

type AttemptEnd = { status: 'denied' | 'failed' | 'expired'; detail: string; now: EpochMs }

/**
 * A grant that waits for a person's confirmation. `ticketHash` is the SHA-256 of the ticket in the confirmation page.
 */
export type HeldGrant = {
  secret: Sealed
  account: StoredAccount
  clientId: string
  expiresAt: EpochMs | undefined
  ticketHash: Uint8Array
}

type StoredAccount = { id: string; name: string }

/** `id` and `credentialId` are used for new rows. `expiresAt` is that of the access token. */
export type MadeConnection = {
  id: string
  credentialId: string
  clientId: string
  account: StoredAccount
  secret: Sealed
  expiresAt: EpochMs | undefined
  status: Exclude<ConnectionStatus, 'revoked'>
  now: EpochMs
}

export type Completion =
  /** `replaced` is the account's credential of another client, removed because no connection uses it any more. */
  | { outcome: 'created' | 'renewed'; connection: StoredConnection; replaced: StoredCredential | undefined }
  | { outcome: 'collection_gone' | 'key_revoked' | 'ended' | 'stale_key' }

/** Connected accounts, without their sync state. */
export type ConnectionStorage = {
  findConnection(id: string): Promise<StoredConnection | undefined>
  /** Lists the connections of a collection, oldest first, without revoked ones. */
  listConnectionsInCollection(collectionId: string): Promise<StoredConnection[]>
  /**
   * Sets config and status if the connection still has `version`. `changed` is false if another call was first. Starts
   * a new generation of its cursor: a sync in progress is fenced off, and the next one is due immediately.
   */
  updateConnection(
    id: string,
    change: ConnectionChange
  ): Promise<{ changed: boolean; connection: StoredConnection | undefined }>
  /** Stores the last error; undefined clears it. */
  noteError(connectionId: string, error: string | undefined): Promise<void>
  /**
   * Revokes a connection. `credential` is the credential that no connection uses any more; it is removed from the
   * storage so that the caller can revoke its grant. Returns undefined if the connection does not exist. A revoked one
   * is unchanged.
   */
  revokeConnection(
    id: string,
    now: EpochMs
  ): Promise<{ connection: StoredConnection; credential: StoredCredential | undefined } | undefined>
}

export type StoredConnection = {
  id: string
  provider: ProviderId
  collectionId: string
  accountId: string
  accountName: string
  status: ConnectionStatus
  config: ConnectionConfig
  /** The names of selected folders or channels by id, as far as the provider has reported them. */
  placeNames: PlaceNames | undefined
  /** Undefined once it is revoked. */
  credentialId: string | undefined
  lastError: string | undefined
  createdAt: EpochMs
  /** Increases by one with each change of config or status. */
  version: number
  /** Increases with each change of config. Cursors of an older generation are ignored. */
  cursorGeneration: number
  /** Number of items that are live. */
  itemsSynced: number
  /** When a sync was last completed. */
  lastSyncedAt: EpochMs | undefined
  /** When it is due; undefined if it is not active. */
  nextRunAt: EpochMs | undefined
}

/** Names of folders or channels by id. */
export type PlaceNames = Readonly<Record<string, string>>

type ConnectionChange = {
  version: number
  config: ConnectionConfig
  placeNames?: PlaceNames | undefined
  status: 'active'
  now: EpochMs
}

/** The credentials of connected accounts, which connections of several collections may share. */
export type CredentialStorage = {
  findCredential(id: string): Promise<StoredCredential | undefined>
  /** Finds the credential of an account that connections in any collection still use. Its grant must not be revoked. */
  findCredentialForAccount(
    account: Pick<StoredCredential, 'provider' | 'clientId' | 'accountId'>
  ): Promise<StoredCredential | undefined>
  /**
   * Removes and returns credentials that no connection uses since their collections were deleted, so that the caller
   * can revoke their grants. Of several concurrent calls, one gets each credential.
   */
  takeUnusedCredentials(limit: number): Promise<StoredCredential[]>
  /** Acquires the right to renew a credential until `until`. Of several concurrent calls, one returns true. */
  leaseRefresh(id: string, lease: { owner: string; now: EpochMs; until: EpochMs }): Promise<boolean>
  /**
   * Stores a renewed credential and ends the caller's lease. `stale_key`: it is sealed with a key that is no longer the
   * vault's current one. `lost`: another owner has the lease, or the credential is gone.
   */
  saveRefreshed(
    id: string,
    saved: { owner: string; secret: Sealed; expiresAt: EpochMs | undefined }
  ): Promise<'saved' | 'stale_key' | 'lost'>
  /** Ends a lease without a change. With `error`, stores it in every connection that uses the credential. */
  endRefresh(id: string, ended: { owner: string; error: string | undefined }): Promise<void>
}

export type StoredCredential = {
  id: string
  provider: ProviderId
  /** The OAuth client that the grant was issued to. */
  clientId: string
  accountId: string
  secret: Sealed
  expiresAt: EpochMs | undefined
}

/** The keys that seal secrets, and the id of this store. */
export type VaultStorage = {
  /**
   * Returns the permanent id of this store. If it has none, sets it to `proposed`; of several servers, one succeeds.
   */
  ensureStoreId(proposed: string): Promise<string>
  /** Lists the vault keys: the current one, and all that at least one secret is sealed with. */
  listVaultKeys(): Promise<{ current: string | undefined; used: string[] }>
  /** Makes `next` the current key if `before` is current. Returns true if `next` is the current key afterwards. */
  changeVaultKey(before: string | undefined, next: string): Promise<boolean>
  /** Lists secrets that are sealed with a key other than the current one. */
  listStaleSecrets(limit: number): Promise<StaleSecret[]>
  /** Replaces a secret with its newly sealed form. Returns false if the old one has changed meanwhile. */
  resealSecret(stale: StaleSecret, next: Sealed): Promise<boolean>
}

/** A sealed secret. `bytes` can be opened only with the key of that id and the identity of its record. */
export type Sealed = { keyId: string; bytes: Uint8Array }

/** Identifies a stored secret. `identity` is the associated data that it is sealed with. */
export type StaleSecret = { kind: 'credential' | 'verifier' | 'held'; id: string; identity: string; secret: Sealed }

/**
 * The associated data of sealed secrets, which prevents swapping one for another. Defined once, so that
 * sealing and resealing use the same value.
 */
export const secretIdentity = {
  /** The tokens of a grant. The identity does not change when they are renewed. */
  credential: ({ provider, clientId, accountId }: { provider: ProviderId; clientId: string; accountId: string }) =>
    JSON.stringify(['credential', provider, clientId, accountId]),
  /** The PKCE verifier of an attempt. */
  verifier: ({ id }: { id: string }) => JSON.stringify(['verifier', id]),
  /** The tokens that an attempt stores until confirmation. */
  held: ({ id }: { id: string }) => JSON.stringify(['held', id])
}
