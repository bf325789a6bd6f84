import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { Fault } from '../../../src/contract/faults.ts'
import type { Clock, Ids } from '../../../src/ports.ts'

/** The keys of the vault, oldest first. */
export type KeyRing = readonly VaultKey[]

export type VaultKey = {
  id: string
  /** 32 bytes from which the keys for sealing and for other purposes are derived. */
  bytes: Uint8Array
  createdAt: number
  /** When the key was last used for sealing, in milliseconds since 1970. */
  retiredAt: number | undefined
}

/**
 * The content of the key file. `store` is the id of the store that it was made for; files from before version 4 have
 * none.
 */
export type KeyFile = { ring: KeyRing; store: string | undefined }

const KEY_BYTES = 32
const VERSION = 1

/** Creates a key. Its id is derived from its bytes, so ids are unique and a damaged key is detected. */
export function makeVaultKey({ clock, ids }: { clock: Clock; ids: Ids }): VaultKey {
  const bytes = new Uint8Array(Buffer.from(ids.randomHex(KEY_BYTES), 'hex'))
  return { id: deriveKeyId(bytes), bytes, createdAt: clock.now(), retiredAt: undefined }
}

/** Returns the bytes of a key file. */
export function writeKeyFile({ ring, store }: KeyFile): Uint8Array {
  const keys = ring.map(({ id, bytes, createdAt, retiredAt }) => ({
    id,
    key: Buffer.from(bytes).toString('base64'),
    created_at: new Date(createdAt).toISOString(),
    ...(retiredAt !== undefined && { retired_at: new Date(retiredAt).toISOString() })
  }))
  return new Uint8Array(
    Buffer.from(`${JSON.stringify({ version: VERSION, ...(store !== undefined && { store }), keys }, undefined, 2)}\n`)
  )
}

/**
 * Parses the bytes of a key file.
 *
 * @throws Fault `system_refused`, naming the file, if it is not a valid key file.
 */
export function readKeyFile(bytes: Uint8Array, path: string): KeyFile {
  const { version, store, keys } = (parseJson(bytes) ?? {}) as { version?: unknown; store?: unknown; keys?: unknown }
  if (version !== VERSION || !Array.isArray(keys) || keys.length === 0) throw makeDamageFault(path)
  if (store !== undefined && typeof store !== 'string') throw makeDamageFault(path)
  return { ring: keys.map((entry: unknown) => parseKey(entry) ?? fail(path)), store }
}

function parseKey(entry: unknown): VaultKey | undefined {
  const { id, key, created_at, retired_at } = (entry ?? {}) as Record<string, unknown>
  const bytes = new Uint8Array(Buffer.from(typeof key === 'string' ? key : '', 'base64'))
  const createdAt = Date.parse(String(created_at))
  const retiredAt = retired_at === undefined ? undefined : Date.parse(String(retired_at))
  const isSound = bytes.length === KEY_BYTES && id === deriveKeyId(bytes)
  if (!isSound || Number.isNaN(createdAt) || Number.isNaN(retiredAt)) return undefined
  return { id, bytes, createdAt, retiredAt }
}

/** Derives the id from 64 bits of a hash, which reveal nothing about the key. */
function deriveKeyId(bytes: Uint8Array): string {
  return `vk_${createHash('sha256').update('memctl vault key id').update(bytes).digest('hex').slice(0, 16)}`
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

function fail(path: string): never {
  throw makeDamageFault(path)
}

function makeDamageFault(path: string): Fault {
  return new Fault('system_refused', `the key file ${path} is damaged or is not a key file`, {
    hint: 'restore the key file of this server; without it the stored credentials cannot be decrypted'
  })
}
