import { Buffer } from 'node:buffer'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Caller } from './handler.ts'
import { hashKey, isKey } from './make-key.ts'
import { createTokenBuckets } from './request/token-buckets.ts'

/**
 * Returns the caller whose key a request contains.
 *
 * @throws Fault `unauthenticated` without a valid key, `rate_limited` after too many invalid keys from the address.
 */
export type FindCaller = (headers: Headers, address: string) => Promise<Caller>

export type FindCallerParts = { storage: Pick<Storage, 'findKeyByHash'>; clock: Clock; wrongKeysPerMinute: number }

/**
 * Creates a function that looks keys up in the storage, each at most once a second, and counts invalid ones by address.
 */
export function createFindCaller({ storage, clock, wrongKeysPerMinute }: FindCallerParts): FindCaller {
  const lookUp = rememberBriefly((hash) => callerByHash(storage, hash), clock)
  const wrong = createTokenBuckets({ perMinute: wrongKeysPerMinute, clock })

  return async (headers, address) => {
    const secret = readSecret(headers)
    const caller = isKey(secret) ? await lookUp(hashKey(secret)) : undefined
    if (caller) return caller
    const { granted, waitSeconds } = wrong.take(toNetwork(address))
    if (granted) throw new Fault('unauthenticated', 'the API key is unknown or was revoked', { hint: KEY_HINT })
    throw new Fault('rate_limited', 'too many invalid API keys were received from this address', {
      hint: 'check the key, then wait as long as Retry-After says',
      retryAfter: waitSeconds
    })
  }
}

const KEY_HINT = 'send a valid key as `Authorization: Bearer mk_…` or `X-API-Key: mk_…`'

/** Returns the secret of a request. Either header is accepted; two different keys are rejected. */
function readSecret(headers: Headers): string {
  const bearer = /^Bearer +(.*)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trim()
  const plain = headers.get('x-api-key')?.trim()
  if (bearer !== undefined && plain !== undefined && bearer !== plain) {
    const message = 'the headers Authorization and X-API-Key contain different keys'
    throw new Fault('unauthenticated', message, { hint: 'send only one of them' })
  }
  const secret = bearer ?? plain
  if (!secret) throw new Fault('unauthenticated', 'the request has no API key', { hint: KEY_HINT })
  return secret
}

async function callerByHash(storage: FindCallerParts['storage'], hash: Uint8Array): Promise<Caller | undefined> {
  const key = await storage.findKeyByHash(hash)
  if (!key) return undefined
  const grants = new Map(key.grants.map(({ collectionId, permission }) => [collectionId, permission]))
  return { keyId: key.id, name: key.name, admin: key.admin, grants }
}

/** How long a valid key is cached, so that every node rejects a revoked key within a second. */
const BELIEVED_MS = 1000
const BELIEVED_MAX = 10_000

type Look = (hash: Uint8Array) => Promise<Caller | undefined>

/**
 * Caches look-ups of keys. Requests for the same key share one look-up for a second. A missing key is looked up again.
 */
function rememberBriefly(look: Look, clock: Clock): Look {
  const looks = new Map<string, { since: number; found: Promise<Caller | undefined> }>()

  return async (hash) => {
    const name = Buffer.from(hash).toString('base64')
    const now = clock.ticks()
    const known = looks.get(name)
    if (known && now - known.since < BELIEVED_MS) return known.found
    if (looks.size >= BELIEVED_MAX) looks.clear()
    const entry = { since: now, found: look(hash) }
    looks.set(name, entry)
    const forget = (): void => {
      if (looks.get(name) === entry) looks.delete(name)
    }
    try {
      const caller = await entry.found
      if (!caller) forget()
      return caller
    } catch (thrown) {
      forget()
      throw thrown
    }
  }
}

/**
 * Returns the network by which an address is counted. For IPv6 it is the first 64 bits, because one person can have all
 * the rest.
 */
export function toNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0')].slice(0, 4).join(':')
}
