import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { Sealed } from './vault-storage.ts'

/** The credentials of connected accounts, which connections of several collections may share. */
export type CredentialStorage = {
  credential(id: string): Promise<StoredCredential | undefined>
  /** The one of an account that connections still use, whatever their collections: its grant must not be revoked. */
  credentialForAccount(
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
