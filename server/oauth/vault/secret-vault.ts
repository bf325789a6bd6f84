import type { Sealed } from '../../storage/port/connector-storage.ts'

/**
 * Seals secrets with AES-256-GCM. `identity` says what record a secret belongs to (see `secretIdentity`): the same
 * bytes under another identity do not open.
 */
export type SecretVault = {
  seal(plain: Uint8Array, identity: string): Promise<Sealed>
  /** Throws a Fault `damaged_storage` where the bytes were changed, are another record's, or their key is gone. */
  open(sealed: Sealed, identity: string): Promise<Uint8Array>
  /** A key of 32 bytes for another purpose, the same on every node; one for each key of the ring, the current one first. */
  derive(purpose: string): Promise<readonly Uint8Array[]>
  /** Takes in what another node did to the keys: after the storage has said `stale_key`. */
  reload(): Promise<void>
  /** The same, and lets go of keys that nothing has needed for an hour. To be called from time to time. */
  tidy(): Promise<void>
}
