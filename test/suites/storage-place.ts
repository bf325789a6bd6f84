import { createHash } from 'node:crypto'
import { onTestFinished, test } from 'vitest'
import type { NewCollection, NewStoredKey, StoredGrant } from '../../server/storage/port/collection-storage.ts'

import type { Storage } from '../../server/storage/port/storage.ts'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'

/**
 * A place for one database that is empty at first and can be opened any number of times, or the reason why there is
 * none.
 */
export type StoragePlace = { open(): Promise<Storage> } | { reason: string }

/** Creates a place for the current test, which is removed afterwards. */
export type MakePlace = () => Promise<StoragePlace>

export type Open = () => Promise<Storage>

/** Tests by title. */
export type StorageTests = Readonly<Record<string, (open: Open) => Promise<void>>>

/** Runs each test with its own database, and closes what it opened. */
export function runStorageTests(make: MakePlace, tests: StorageTests): void {
  for (const [sentence, body] of Object.entries(tests)) {
    test(sentence, async ({ skip }) => {
      const place = await make()
      if ('reason' in place) return skip(place.reason)
      await body(async () => {
        const storage = await place.open()
        onTestFinished(() => storage.close())
        return storage
      })
    })
  }
}

/** Returns the nth id. */
export function idAt(n: number): string {
  return `0192f000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

/** Builds a permanent collection; `n` is its id and its age. */
export function newCollection(n: number, more: Partial<NewCollection> = {}): NewCollection {
  return {
    id: idAt(n),
    name: `collection ${n}`,
    createdAt: toEpochMs(1000 + n),
    expiresAt: undefined,
    ownerKeyId: undefined,
    snapshotId: `snp_${n}`,
    ...more
  }
}

/** Builds a key whose secret is its number. */
export function newKey(n: number, more: { admin?: boolean; grants?: StoredGrant[] } = {}): NewStoredKey {
  return {
    id: idAt(n),
    name: `key ${n}`,
    admin: false,
    createdAt: toEpochMs(1000 + n),
    grants: [],
    hash: hashOf(n),
    ...more
  }
}

/** Returns the hash by which that key is found. */
export function hashOf(n: number): Uint8Array {
  return createHash('sha256').update(`secret ${n}`).digest()
}
