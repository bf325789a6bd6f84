import type { ConnectionConfig, ConnectionStatus } from '../../../src/contract/connection.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/** The part of the storage that connectors use. */
export type ConnectorStorage = AttemptStorage & ConnectionStorage & CredentialStorage & VaultStorage

/** Attempts to connect an account, from the link that a person opens to the connection that comes of it. */
export type AttemptStorage = {
  /**
   * Nothing is made where the verifier is sealed with a key that is not the vault's current one. Throws `not_found` where the
   * collection is gone.
   */
  createAttempt(attempt: NewAttempt): Promise<'created' | 'stale_key'>
  findAttempt(id: string): Promise<StoredAttempt | undefined>
  /** Uses up the state of an attempt, once: true for the one call that did so, before its time was over. */
  useAttempt(id: string, now: EpochMs): Promise<boolean>
  /** Ends one that waits. False where it has ended. */
  endAttempt(id: string, end: AttemptEnd): Promise<boolean>
  /** Keeps the grant of a used one aside until a person confirms it. Nothing happens where it has ended, or as above. */
  holdGrant(id: string, held: HeldGrant): Promise<'held' | 'ended' | 'stale_key'>
  /**
   * Makes the connection of a used attempt, or renews the credentials of the one that this account has in this collection
   * already, which keeps id, status and config. Nothing happens, and it says why, where the collection or the key is gone,
   * the attempt has ended, or the secret is sealed with another key than the vault's current one.
   */
  completeAttempt(id: string, made: MadeConnection): Promise<Completion>
  /**
   * Ends as `expired` those that wait for a person with a grant and whose time was over at `now`; takes out those that ended,
   * or whose time was over, before `endedBefore`. Gives both, with the grants that they held, to one of several that ask.
   */
  takeOldAttempts(times: { now: EpochMs; endedBefore: EpochMs; limit: number }): Promise<StoredAttempt[]>
}

export type NewAttempt = {
  id: string
  provider: ProviderId
  collectionId: string
  /** The key of ours that asked for it. */
  keyId: string
  /** What was chosen beforehand. */
  config: ConnectionConfig
  createdAt: EpochMs
  expiresAt: EpochMs
  /** The verifier of PKCE. */
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

/** A grant that waits for a person. `ticketHash` is the SHA-256 of what the page that asks them carries. */
export type HeldGrant = {
  secret: Sealed
  account: StoredAccount
  clientId: string
  expiresAt: EpochMs | undefined
  ticketHash: Uint8Array
}

type StoredAccount = { id: string; name: string }

/** `id` and `credentialId` are taken where new rows are made. `expiresAt` is that of the access token. */
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
  /** `replaced`: the account's credential of another client, which no connection uses any more, taken out. */
  | { outcome: 'created' | 'renewed'; connection: StoredConnection; replaced: StoredCredential | undefined }
  | { outcome: 'collection_gone' | 'key_revoked' | 'ended' | 'stale_key' }

/** Connected accounts, without what their syncs keep. */
export type ConnectionStorage = {
  findConnection(id: string): Promise<StoredConnection | undefined>
  /** Oldest first, without revoked ones. */
  listConnectionsInCollection(collectionId: string): Promise<StoredConnection[]>
  /**
   * Sets config and status where the connection is still as `version` has it. `changed` is false where another call came
   * first. Starts a new generation of its cursor: a sync that is under way is fenced off, and the next one is due at once.
   */
  updateConnection(
    id: string,
    change: ConnectionChange
  ): Promise<{ changed: boolean; connection: StoredConnection | undefined }>
  /** What failed last; undefined clears it. */
  noteError(connectionId: string, error: string | undefined): Promise<void>
  /**
   * Ends a connection. `credential` is the one that no connection uses any more, taken out of the storage, so that its grant
   * can be revoked. Undefined where there is no such connection; a revoked one stays as it is.
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
  /** Absent once it is revoked. */
  credentialId: string | undefined
  lastError: string | undefined
  createdAt: EpochMs
  /** Grows by one with each change of config or status. */
  version: number
  /** Grows with each change of config: cursors of an older generation count no more. */
  cursorGeneration: number
  /** Items that are live now. */
  itemsSynced: number
  /** When a sync last came to its end. */
  lastSyncedAt: EpochMs | undefined
  /** When it is due; undefined where it is not active. */
  nextRunAt: EpochMs | undefined
}

type ConnectionChange = { version: number; config: ConnectionConfig; status: 'active'; now: EpochMs }

/** The credentials of connected accounts, which connections of several collections may share. */
export type CredentialStorage = {
  findCredential(id: string): Promise<StoredCredential | undefined>
  /** The one of an account that connections still use, whatever their collections: its grant must not be revoked. */
  findCredentialForAccount(
    account: Pick<StoredCredential, 'provider' | 'clientId' | 'accountId'>
  ): Promise<StoredCredential | undefined>
  /**
   * Credentials that no connection uses any more since their collections were deleted, taken out, so that their grants can
   * be revoked. Each is given to one of several that ask.
   */
  takeUnusedCredentials(limit: number): Promise<StoredCredential[]>
  /** Takes the right to renew a credential until `until`: true for one of several that ask. */
  leaseRefresh(id: string, lease: { owner: string; now: EpochMs; until: EpochMs }): Promise<boolean>
  /**
   * What came of it, by who has the lease, which ends. `stale_key`: sealed with a key that is no longer the vault's current
   * one; `lost`: the lease is another's, or the credential is gone.
   */
  saveRefreshed(
    id: string,
    saved: { owner: string; secret: Sealed; expiresAt: EpochMs | undefined }
  ): Promise<'saved' | 'stale_key' | 'lost'>
  /** Ends a lease without a change. With `error`, notes it at every connection that uses the credential. */
  endRefresh(id: string, ended: { owner: string; error: string | undefined }): Promise<void>
}

export type StoredCredential = {
  id: string
  provider: ProviderId
  /** The client of ours at the provider that the grant was given to. */
  clientId: string
  accountId: string
  secret: Sealed
  expiresAt: EpochMs | undefined
}

/** The keys that secrets are sealed with, and the id of this store. */
export type VaultStorage = {
  /** Returns the id of this store, for good: `proposed` where it has none yet, whoever of several servers comes first. */
  ensureStoreId(proposed: string): Promise<string>
  /** The keys of the vault: the one that new secrets are sealed with, and all that some secret still needs. */
  listVaultKeys(): Promise<{ current: string | undefined; used: string[] }>
  /** Makes `next` the current key where `before` is. True where it is the current one afterwards. */
  changeVaultKey(before: string | undefined, next: string): Promise<boolean>
  /** Secrets that are sealed with another key than the current one. */
  listStaleSecrets(limit: number): Promise<StaleSecret[]>
  /** Puts a newly sealed secret in the place of an old one. False where that has changed meanwhile. */
  resealSecret(stale: StaleSecret, next: Sealed): Promise<boolean>
}

/** A secret as the vault gives it: `bytes` can be read only with the key of that id and the identity of its record. */
export type Sealed = { keyId: string; bytes: Uint8Array }

/** Where a secret stands, and what its record is: `identity` is what it is sealed together with. */
export type StaleSecret = { kind: 'credential' | 'verifier' | 'held'; id: string; identity: string; secret: Sealed }

/**
 * What a secret is sealed together with, so that it does not open in the place of another one. Written once, since whoever
 * seals it anew has the same to say as whoever sealed it first.
 */
export const secretIdentity = {
  /** The tokens of a grant. It stays the same when they are renewed. */
  credential: ({ provider, clientId, accountId }: { provider: ProviderId; clientId: string; accountId: string }) =>
    JSON.stringify(['credential', provider, clientId, accountId]),
  /** The verifier of PKCE of an attempt. */
  verifier: ({ id }: { id: string }) => JSON.stringify(['verifier', id]),
  /** The tokens that an attempt keeps aside. */
  held: ({ id }: { id: string }) => JSON.stringify(['held', id])
}
