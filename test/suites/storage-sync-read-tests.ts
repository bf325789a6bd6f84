import { expect } from 'vitest'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { Hold } from '../../server/storage/port/sync-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { ready } from './storage-connector-things.ts'
import { held, pageOf } from './storage-page-things.ts'
import type { Open, StorageTests } from './storage-place.ts'
import { asked, ended } from './storage-queue-things.ts'

const NONE = { outcome: 'begun', suspects: [], setAside: [] }

/** Tests the notes of reads, and what a killed server leaves of them. */
export const READ_TESTS: StorageTests = {
  'suspects an item that was being read when the server ended, and sets it aside after the second time': async (
    open
  ) => {
    const { storage, hold } = await holding(open)
    expect(await begin(storage, hold, ['a', 'b'])).toEqual(NONE)
    expect(await begin(storage, hold, ['a', 'b'])).toEqual(NONE)
    const second = await takenOver(storage, hold, 2)
    expect(await begin(storage, second, ['a', 'b', 'c'])).toEqual({ ...NONE, suspects: ['a', 'b'] })
    expect(await beginAlone(storage, second, 'a')).toEqual(NONE)
    expect(await beginAlone(storage, second, 'a')).toEqual(NONE)
    const third = await takenOver(storage, second, 3)
    expect(await begin(storage, third, ['a', 'b', 'c'])).toEqual({ ...NONE, suspects: ['b', 'c'], setAside: ['a'] })
    expect(await beginAlone(storage, third, 'a')).toEqual({ ...NONE, setAside: ['a'] })
  },

  'clears the read of an item that a page writes, and keeps an item set aside when it fails': async (open) => {
    const { storage, hold } = await holding(open)
    await begin(storage, hold, ['synced', 'failed', 'gone', 'poison'])
    const second = await takenOver(storage, hold, 2)
    await beginAlone(storage, second, 'poison')
    const third = await takenOver(storage, second, 3)
    for (const id of ['synced', 'failed', 'gone']) await beginAlone(storage, third, id)
    const page = pageOf(
      { synced: ['m1'], failed: { failed: 'no' }, poison: { failed: 'set aside' } },
      { gone: ['gone'] }
    )
    await storage.commitPage(third, page)
    const fourth = await takenOver(storage, third, 4)
    const all = ['synced', 'failed', 'gone', 'poison']
    expect(await begin(storage, fourth, all)).toEqual({ ...NONE, setAside: ['poison'] })
    await storage.commitPage(fourth, pageOf({ poison: { skipped: 'a video has no text' } }))
    expect(await begin(storage, fourth, ['poison'])).toEqual(NONE)
  },

  'allows another version of an item that was set aside, and one that a user retried': async (open) => {
    const { storage, hold } = await holding(open)
    await begin(storage, hold, ['a', 'b'])
    const second = await takenOver(storage, hold, 2)
    await beginAlone(storage, second, 'a')
    await beginAlone(storage, second, 'b')
    const third = await takenOver(storage, second, 3)
    expect(await begin(storage, third, ['a', 'b'])).toEqual({ ...NONE, setAside: ['a', 'b'] })
    await storage.commitPage(third, pageOf({ b: { failed: 'set aside' } }))
    expect(await storage.retryItem(third.connectionId, { itemId: 'b', now: toEpochMs(5000) })).toBe('due')
    const items = [
      { id: 'a', version: 'v2' },
      { id: 'b', version: undefined }
    ]
    expect(await storage.recordReads(third, { items, alone: false })).toEqual(NONE)
  },

  'suspects nothing after a normal end, and keeps earlier suspicions': async (open) => {
    const { storage, hold } = await holding(open)
    await begin(storage, hold, ['a'])
    const second = await takenOver(storage, hold, 2)
    await beginAlone(storage, second, 'a')
    await begin(storage, second, ['b'])
    expect(await storage.endRun(second, ended(5000, { outcome: 'parked', nextRunAt: toEpochMs(5000) }))).toBe(true)
    const third = await taken(storage, second.connectionId, 3)
    expect(await begin(storage, third, ['a', 'b'])).toEqual({ ...NONE, suspects: ['a'] })
    await beginAlone(storage, third, 'a')
    for (const _ of [1, 2]) await storage.endReads(third)
    const fourth = await takenOver(storage, third, 4)
    expect(await begin(storage, fourth, ['a', 'b'])).toEqual({ ...NONE, suspects: ['a'] })
  },

  'begins no read for a lost hold, and many at once otherwise': async (open) => {
    const { storage, hold } = await holding(open)
    const second = await takenOver(storage, hold, 2)
    expect(await begin(storage, hold, ['a'])).toEqual({ outcome: 'lost' })
    const ids = Array.from({ length: 1000 }, (_, n) => `item ${n}`)
    expect(await begin(storage, second, ids)).toEqual(NONE)
    const third = await takenOver(storage, second, 3)
    expect(await begin(storage, third, ids)).toEqual({ ...NONE, suspects: ids })
  },

  'removes the notes of a revoked connection with its other leftovers': async (open) => {
    const { storage, hold } = await holding(open)
    await begin(storage, hold, ['a'])
    await storage.revokeConnection(hold.connectionId, toEpochMs(6000))
    expect(await storage.purgeRevoked(10)).toBe(true)
    expect(await storage.purgeRevoked(10)).toBe(false)
  }
}

async function holding(open: Open): Promise<{ storage: Storage; hold: Hold }> {
  const storage = await ready(open)
  return { storage, hold: await held(storage, 1) }
}

function begin(storage: Storage, hold: Hold, ids: readonly string[]) {
  return storage.recordReads(hold, { items: ids.map((id) => ({ id, version: undefined })), alone: false })
}

function beginAlone(storage: Storage, hold: Hold, id: string) {
  return storage.recordReads(hold, { items: [{ id, version: undefined }], alone: true })
}

/** Claims the connection for another server after the lease of a killed one. */
function takenOver(storage: Storage, { connectionId }: Hold, run: number): Promise<Hold> {
  return taken(storage, connectionId, run)
}

async function taken(storage: Storage, connectionId: string, run: number): Promise<Hold> {
  const now = toEpochMs(10_000 * run)
  const claims = await storage.claimDue(asked(run * 1000, { now, until: toEpochMs(now + 60) }))
  const claim = claims.find(({ hold }) => hold.connectionId === connectionId)
  if (claim === undefined) throw new Error(`${connectionId} is not due`)
  return claim.hold
}
