import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { Fault } from '../../src/contract/faults.ts'
import type { VaultKey } from './key-ring.ts'

/** `identity`: what record it is. `nonce`: 12 random bytes, never used twice with one key. */
export type Sealing = { identity: string; nonce: Uint8Array }

/** Bytes of the nonce: what AES-GCM takes as it is (NIST SP 800-38D section 5.2.1.1). */
export const NONCE_BYTES = 12

/** A sealed secret is: a byte with the version, the nonce, as many bytes as the secret has, and the tag. */
const VERSION = 1
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Encrypts with AES-256-GCM. Version, key and identity are authenticated with it, so that none of them can be swapped. */
export function sealBytes(key: VaultKey, plain: Uint8Array, { identity, nonce }: Sealing): Uint8Array {
  const cipher = createCipheriv(CIPHER, derivedKey(key, 'sealing'), nonce)
  cipher.setAAD(associatedData(key, identity))
  const sealed = [Uint8Array.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]
  return new Uint8Array(Buffer.concat(sealed))
}

/** @throws Fault `damaged_storage` where it was changed, or is another record's. */
export function openBytes(key: VaultKey, sealed: Uint8Array, identity: string): Uint8Array {
  const tagAt = sealed.length - TAG_BYTES
  try {
    if (sealed[0] !== VERSION || tagAt < 1 + NONCE_BYTES) throw new Error('not sealed by this vault')
    const decipher = createDecipheriv(CIPHER, derivedKey(key, 'sealing'), sealed.subarray(1, 1 + NONCE_BYTES))
    decipher.setAAD(associatedData(key, identity))
    decipher.setAuthTag(sealed.subarray(tagAt))
    return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, tagAt)), decipher.final()]))
  } catch {
    throw new Fault('damaged_storage', 'a stored secret does not open: it was changed, or belongs to another record', {
      hint: 'link its account again: memctl connect'
    })
  }
}

/** A key for one purpose (HKDF, RFC 5869), so that none is used in two ways. */
export function derivedKey({ bytes }: VaultKey, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', bytes, '', `memctl vault ${purpose}`, bytes.length))
}

function associatedData({ id }: VaultKey, identity: string): Uint8Array {
  return Buffer.from(JSON.stringify(['memctl vault', VERSION, id, identity]))
}
