import { Fault } from '../../../src/contract/faults.ts'
import type { Sealed } from '../../storage/port/connector-storage.ts'
import type { SecretVault } from './secret-vault.ts'

/** A secret to be sealed, with its identity. */
export type ToSeal = { plain: Uint8Array; identity: string }

/** The number of times that a secret is resealed because the key of the vault changed meanwhile. */
const TRIES_MAX = 5

/**
 * Seals a secret and stores it. If the storage reports that the key is not current any more, seals it again with the
 * new key.
 *
 * @throws Fault `unavailable` if the key changes too often.
 */
export async function storeSealed<T>(
  vault: SecretVault,
  { plain, identity }: ToSeal,
  store: (secret: Sealed) => Promise<T | 'stale_key'>
): Promise<T> {
  for (let left = TRIES_MAX; left > 0; left--) {
    const stored = await store(await vault.seal(plain, identity))
    if (stored !== 'stale_key') return stored
    await vault.reload()
  }
  throw new Fault('unavailable', 'the encryption key is being rotated', { hint: 'try again in a minute' })
}
