import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Ids } from '../../src/ports.ts'

/** 256 bits, which cannot be guessed, so a plain hash is enough to store a secret. */
const SECRET_BYTES = 32

const SECRET = /^mk_[A-Za-z0-9_-]{43}$/

/** Creates the secret of a key, and the hash that is stored. */
export function makeKey(ids: Ids): { secret: string; hash: Uint8Array } {
  const secret = `mk_${Buffer.from(ids.randomHex(SECRET_BYTES), 'hex').toString('base64url')}`
  return { secret, hash: hashKey(secret) }
}

/** Returns the SHA-256 of a secret. */
export function hashKey(secret: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}

/** Returns whether a text has the form of a secret. */
export function isKey(text: string): boolean {
  return SECRET.test(text)
}
