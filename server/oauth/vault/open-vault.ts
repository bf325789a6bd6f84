import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { Fault } from '../../../src/contract/faults.ts'
import type { VaultKey } from './key-ring.ts'
import type { SecretVault } from './secret-vault.ts'
import { openVaultKeys, type VaultKeys, type VaultKeysParts } from './vault-keys.ts'

/** `keys` is for rotation. */
export type OpenVault = SecretVault & { keys: VaultKeys }

/**
 * Opens the vault with its key file, which is created at the first start.
 *
 * @throws Fault `system_refused` if a key is missing that secrets are sealed with, or if the file is damaged or not
 * private.
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
      throw new Fault(
        'damaged_storage',
        `a stored secret cannot be decrypted: the key file does not contain its key ${keyId}`,
        {
          hint: 'restore the key file of this server, or connect the account again: memctl connect'
        }
      )
    },
    async derive(purpose) {
      const current = keys.current()
      const others = keys.ring().filter(({ id }) => id !== current.id)
      return [current, ...others].map((key) => deriveKey(key, purpose))
    }
  }
}

/**
 * How long a key stays in the ring after its last use for sealing, in milliseconds. Consents that began before are
 * signed with it, and a node that has not noticed the change may still ask for it.
 */
const RETIRED_MS = 3600 * 1000

/** Removes keys from the ring that were retired long enough ago and that no secret needs. */
async function forgetRetiredKeys(
  keys: VaultKeys,
  { storage, world }: Pick<VaultKeysParts, 'storage' | 'world'>
): Promise<void> {
  const now = world.clock.now()
  if (!keys.ring().some((key) => isOver(key, now))) return
  const { current, used } = await storage.listVaultKeys()
  await keys.update((ring) => {
    const left = ring.filter((key) => !isOver(key, now) || key.id === current || used.includes(key.id))
    return left.length === ring.length ? undefined : left
  })
}

function isOver({ retiredAt }: VaultKey, now: number): boolean {
  return retiredAt !== undefined && now - retiredAt >= RETIRED_MS
}

/** `identity` names the record. `nonce` is 12 random bytes, never used twice with one key. */
type Sealing = { identity: string; nonce: Uint8Array }

/** The length of the nonce that AES-GCM uses unchanged (NIST SP 800-38D section 5.2.1.1). */
const NONCE_BYTES = 12

/**
 * A sealed secret consists of a version byte, the nonce, the ciphertext, which is as long as the secret, and the tag.
 */
const VERSION = 1
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Encrypts with AES-256-GCM. Version, key and identity are authenticated, so none of them can be swapped. */
function sealBytes(key: VaultKey, plain: Uint8Array, { identity, nonce }: Sealing): Uint8Array {
  const cipher = createCipheriv(CIPHER, deriveKey(key, 'sealing'), nonce)
  cipher.setAAD(buildAssociatedData(key, identity))
  const sealed = [Uint8Array.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]
  return new Uint8Array(Buffer.concat(sealed))
}

/**
 * Decrypts a sealed secret.
 *
 * @throws Fault `damaged_storage` if it was changed or belongs to another record.
 */
function openBytes(key: VaultKey, sealed: Uint8Array, identity: string): Uint8Array {
  const tagAt = sealed.length - TAG_BYTES
  try {
    if (sealed[0] !== VERSION || tagAt < 1 + NONCE_BYTES) throw new Error('it was not encrypted by this vault')
    const decipher = createDecipheriv(CIPHER, deriveKey(key, 'sealing'), sealed.subarray(1, 1 + NONCE_BYTES))
    decipher.setAAD(buildAssociatedData(key, identity))
    decipher.setAuthTag(sealed.subarray(tagAt))
    return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, tagAt)), decipher.final()]))
  } catch {
    throw new Fault(
      'damaged_storage',
      'a stored secret cannot be decrypted: it was changed, or belongs to another record',
      {
        hint: 'connect its account again: memctl connect'
      }
    )
  }
}

/** Derives a key for one purpose (HKDF, RFC 5869), so that no key has two uses. */
function deriveKey({ bytes }: VaultKey, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', bytes, '', `memctl vault ${purpose}`, bytes.length))
}

function buildAssociatedData({ id }: VaultKey, identity: string): Uint8Array {
  return Buffer.from(JSON.stringify(['memctl vault', VERSION, id, identity]))
}
