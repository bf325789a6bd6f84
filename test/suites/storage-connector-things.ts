import { createHash } from 'node:crypto'
import type {
  Completion,
  HeldGrant,
  MadeConnection,
  NewAttempt,
  Sealed,
  StoredConnection,
  StoredCredential
} from '../../server/storage/port/connector-storage.ts'

import type { Storage } from '../../server/storage/port/storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { idAt, newCollection, newKey, type Open } from './storage-place.ts'

/** The key that `ready` makes the vault's current one. */
export const KEY = 'key-1'

/** Opens a storage with collections 1 to 3, key 1, and a vault. */
export async function ready(open: Open): Promise<Storage> {
  const storage = await open()
  for (const n of [1, 2, 3]) await storage.createCollection(newCollection(n))
  await storage.createKey(newKey(1))
  await storage.changeVaultKey(undefined, KEY)
  return storage
}

/** Returns a substitute for a sealed secret: a hash of its name. */
export function sealed(name: string, keyId = KEY): Sealed {
  return { keyId, bytes: new Uint8Array(createHash('sha256').update(name).digest()) }
}

/** Builds an attempt of key 1 for collection 1 that expires at 2000. */
export function newAttempt(id: string, more: Partial<NewAttempt> = {}): NewAttempt {
  return {
    id,
    provider: 'cloud_drive',
    collectionId: idAt(1),
    keyId: idAt(1),
    config: {},
    createdAt: toEpochMs(1000),
    expiresAt: toEpochMs(2000),
    verifier: sealed(`verifier ${id}`),
    ...more
  }
}

/** Builds the result of an account's nth consent. */
export function made(n: number, account = 'ada', more: Partial<MadeConnection> = {}): MadeConnection {
  return {
    id: idAt(100 + n),
    credentialId: `credential-${n}`,
    clientId: 'client',
    account: { id: account, name: `${account}@example.com` },
    secret: sealed(`tokens ${n}`),
    expiresAt: toEpochMs(9000 + n),
    status: 'pending',
    now: toEpochMs(1000 + n),
    ...more
  }
}

export function heldGrant(name: string, more: Partial<HeldGrant> = {}): HeldGrant {
  return {
    secret: sealed(`held ${name}`),
    account: { id: name, name: `${name}@example.com` },
    clientId: 'client',
    expiresAt: toEpochMs(9000),
    ticketHash: sealed(`ticket ${name}`).bytes,
    ...more
  }
}

/** Runs the nth consent for collection `into` from beginning to end. */
export async function consent(
  storage: Storage,
  n: number,
  { into = 1, ...more }: Partial<MadeConnection> & { into?: number } = {}
): Promise<Completion> {
  await storage.createAttempt(newAttempt(`attempt-${n}`, { collectionId: idAt(into) }))
  await storage.useAttempt(`attempt-${n}`, toEpochMs(1500))
  return await storage.completeAttempt(`attempt-${n}`, made(n, 'ada', more))
}

/** Runs a consent that must create or renew a connection. */
export async function connected(...given: Parameters<typeof consent>): Promise<StoredConnection> {
  const completion = await consent(...given)
  if (!('connection' in completion)) throw new Error(`the consent came to nothing: ${completion.outcome}`)
  return completion.connection
}

/** Returns the stored credential of the nth consent. */
export function credentialOf(n: number, account = 'ada'): StoredCredential {
  return {
    id: `credential-${n}`,
    provider: 'cloud_drive',
    clientId: 'client',
    accountId: account,
    secret: sealed(`tokens ${n}`),
    expiresAt: toEpochMs(9000 + n)
  }
}

/** Possible names at a provider: long, of any script, with characters that no column stores directly. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  'Ada\0Lovelace',
  'half \ud83d a pair \udca9',
  '\u202egnissap\u202c \u2066x',
  '\u001b[31mred\u001b]0;title\u0007\r\n\t\b',
  `'); drop table connections; --"\\`,
  'é\u0301\ufeff\u{10ffff}\uffff',
  'x'.repeat(10_000),
  '🗂️'.repeat(3000)
]
