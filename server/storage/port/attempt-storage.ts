import type { ConnectionConfig, ConnectionStatus } from '../../../src/contract/connection.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { StoredConnection } from './connection-storage.ts'
import type { StoredCredential } from './credential-storage.ts'
import type { Sealed } from './vault-storage.ts'

/** Attempts to connect an account, from the link that a person opens to the connection that comes of it. */
export type AttemptStorage = {
  /**
   * Nothing is made where the verifier is sealed with a key that is not the vault's current one. Throws `not_found` where the
   * collection is gone.
   */
  createAttempt(attempt: NewAttempt): Promise<'created' | 'stale_key'>
  attempt(id: string): Promise<StoredAttempt | undefined>
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

export type AttemptEnd = { status: 'denied' | 'failed' | 'expired'; detail: string; now: EpochMs }

/** A grant that waits for a person. `ticketHash` is the SHA-256 of what the page that asks them carries. */
export type HeldGrant = {
  secret: Sealed
  account: StoredAccount
  clientId: string
  expiresAt: EpochMs | undefined
  ticketHash: Uint8Array
}

export type StoredAccount = { id: string; name: string }

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
