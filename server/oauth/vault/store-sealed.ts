import { Fault } from '../../../src/contract/faults.ts'
import type { Sealed } from '../../storage/port/connector-storage.ts'
import type { SecretVault } from './secret-vault.ts'

/** What is sealed, together with what. */
export type ToSeal = { plain: Uint8Array; identity: string }

/** How often a secret is sealed anew because the vault has got another key meanwhile. */
const TRIES_MAX = 5

/**
 * Seals a secret and stores it; where the storage says that the key is no longer the current one, once more with the new key.
 *
 * @throws Fault `unavailable` where the key changes faster than that.
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
  throw new Fault('unavailable', 'the key of the vault is being changed', { hint: 'try again in a minute' })
}
