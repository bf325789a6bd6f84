import type { Sealed } from '../../storage/port/connector-storage.ts'

/**
 * Seals secrets with AES-256-GCM. `identity` names the record of a secret (see `secretIdentity`): the same bytes do not
 * open under another identity.
 */
export type SecretVault = {
  seal(plain: Uint8Array, identity: string): Promise<Sealed>
  /**
   * Throws a Fault `damaged_storage` if the bytes were changed or belong to another record, or if their key is missing.
   */
  open(sealed: Sealed, identity: string): Promise<Uint8Array>
  /**
   * Derives 32-byte keys for another purpose, the same on every node: one for each key of the ring, the current one
   * first.
   */
  derive(purpose: string): Promise<readonly Uint8Array[]>
  /** Loads the changes that another node made to the keys. Needed after the storage reports `stale_key`. */
  reload(): Promise<void>
  /** Reloads, and drops keys that nothing has needed for an hour. To be called from time to time. */
  tidy(): Promise<void>
}
