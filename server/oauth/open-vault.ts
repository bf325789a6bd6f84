import { Buffer } from 'node:buffer'
import { Fault } from '../../src/contract/faults.ts'
import { forgetRetiredKeys } from './retired-keys.ts'
import { derivedKey, NONCE_BYTES, openBytes, sealBytes } from './seal-bytes.ts'
import type { Vault } from './vault.ts'
import { openVaultKeys, type VaultKeys, type VaultKeysParts } from './vault-keys.ts'

/** `keys` is for rotation. */
export type OpenVault = Vault & { keys: VaultKeys }

/**
 * Opens the vault with its key file, which is made at the first start.
 *
 * @throws Fault `system_refused` where a key is missing that secrets are sealed with, the file is damaged or not private.
 */
export async function openVault(parts: VaultKeysParts): Promise<OpenVault> {
  const keys = await openVaultKeys(parts)
  const { ids } = parts.world

  return {
    keys,
    reload: keys.reload,
    async tidy() {
      await keys.reload()
      await forgetRetiredKeys(keys, parts)
    },
    async seal(plain, identity) {
      const key = keys.current()
      const nonce = new Uint8Array(Buffer.from(ids.randomHex(NONCE_BYTES), 'hex'))
      return { keyId: key.id, bytes: sealBytes(key, plain, { identity, nonce }) }
    },
    async open({ keyId, bytes }, identity) {
      const key = await keys.find(keyId)
      if (key) return openBytes(key, bytes, identity)
      throw new Fault('damaged_storage', `a stored secret does not open: the key file lacks its key ${keyId}`, {
        hint: 'put back the key file that this server had, or link the account again: memctl connect'
      })
    },
    async derive(purpose) {
      const current = keys.current()
      const others = keys.ring().filter(({ id }) => id !== current.id)
      return [current, ...others].map((key) => derivedKey(key, purpose))
    }
  }
}
