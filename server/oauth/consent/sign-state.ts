import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { NewAttempt, StoredAttempt } from '../../storage/port/connector-storage.ts'

import type { OAuthParts } from '../tokens/oauth-parts.ts'
import type { SecretVault } from '../vault/secret-vault.ts'

/** The content of a state. The storage has all of it. */
type Signed = Pick<NewAttempt, 'id' | 'keyId' | 'provider' | 'collectionId' | 'expiresAt'>

/** Builds the `state` of an attempt: its id, a dot, and a MAC that binds it to the other fields of the attempt. */
export async function signState(vault: SecretVault, attempt: Signed): Promise<string> {
  const [key] = await vault.derive(PURPOSE)
  return buildState(attempt, key ?? new Uint8Array())
}

/** Returns the attempt of a state, or undefined if this server did not sign exactly this state. */
export async function findAttempt(
  { storage, vault }: Pick<OAuthParts, 'storage' | 'vault'>,
  state: string
): Promise<StoredAttempt | undefined> {
  const id = STATE.exec(state)?.[1]
  const attempt = id === undefined ? undefined : await storage.findAttempt(id)
  if (attempt === undefined) return undefined
  if (await isSigned(vault, attempt, state)) return attempt
  // Another node may have signed it with a key that this node does not know yet.
  await vault.reload()
  return (await isSigned(vault, attempt, state)) ? attempt : undefined
}

const PURPOSE = 'consent state'

/** The MAC is 32 bytes as base64url. */
const STATE = /^([0-9A-Za-z-]{1,64})\.[\w-]{43}$/

function buildState({ id, keyId, provider, collectionId, expiresAt }: Signed, key: Uint8Array): string {
  const said = JSON.stringify([id, keyId, provider, collectionId, expiresAt])
  return `${id}.${createHmac('sha256', key).update(said).digest('base64url')}`
}

/** Compares the text, because different base64url texts can decode to the same bytes. */
async function isSigned(vault: SecretVault, attempt: Signed, state: string): Promise<boolean> {
  const given = Buffer.from(state)
  const keys = await vault.derive(PURPOSE)
  return keys.map((key) => Buffer.from(buildState(attempt, key))).some((right) => isEqual(given, right))
}

function isEqual(given: Uint8Array, right: Uint8Array): boolean {
  return given.length === right.length && timingSafeEqual(given, right)
}
