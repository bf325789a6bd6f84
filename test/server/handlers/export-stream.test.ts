import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { newCollection } from '../../../server/http/handlers/collection-handlers.ts'
import { exportStream } from '../../../server/http/handlers/export-stream.ts'
import { readSnapshotRecords } from '../../../server/recall/snapshots/read-snapshot-records.ts'
import type { StoredCollection } from '../../../server/storage/port/collection-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { temporaryFolder } from '../../device/device-kit.ts'
import { file, forgetLine, memory, memoryLine } from '../../snapshot/builders.ts'
import { understood } from '../end-to-end/exported.ts'
import { sqliteStorage } from '../end-to-end/server-kit.ts'

/** As long as a page, so that each memory is on its own page. */
const LONG = 'x'.repeat(700_000)
const MEMORIES = ['a', 'b', 'c', 'd', 'e'].map((letter) => ({ text: `${letter}${LONG}` }))
const [A, , C, D] = MEMORIES as [Parts, Parts, Parts, Parts, Parts]

type Parts = { text: string }

test('exports every known id once, even if memories are replaced or forgotten during the export', async () => {
  const { storage, collection, put } = await filled()
  const text = await exportText(storage, collection, {
    beforePage: async (page) => {
      // Pages 1 and 2 have been requested, pages 3 to 5 not.
      if (page !== 3) return
      await put(forgetLine(A), memoryLine({ ...C, extractor: 9 }), forgetLine(D), memoryLine({ text: 'new' }))
    }
  })
  const { file: kept, verdict, end } = understood(text)
  expect(verdict).toMatchObject({ sound: true, notes: [] })
  expect(verdict.table.counts()).toMatchObject({ memories: 4, forgotten: 1 })
  expect(kept.split('\n').filter((line) => line.includes('"extractor":9'))).toHaveLength(1)
  // Without the texts themselves, so that the output of a failing test is readable.
  expect(kept.includes(`"target":"${memory(D).id}"`)).toBe(true)
  expect(kept.includes('"text":"new"')).toBe(false)
  expect(end).toEqual({ type: 'end', records: 5, root_hash: verdict.rootHash })
})

test('eventually exports a row that keeps moving', async () => {
  const { storage, collection, put } = await filled()
  let moved = 0
  const text = await exportText(storage, collection, {
    beforePage: async (page) => {
      if (page >= 3 && moved < 4) await put(memoryLine({ ...C, extractor: ++moved }))
    }
  })
  const { verdict, end } = understood(text)
  expect(verdict).toMatchObject({ sound: true, rootHash: end.root_hash })
  expect(verdict.table.counts()).toMatchObject({ memories: 5 })
})

test('breaks the export off when the collection is deleted', async () => {
  const { storage, collection } = await filled()
  const text = exportText(storage, collection, {
    beforePage: async (page) => {
      if (page === 3) await storage.deleteCollection(collection.id)
    }
  })
  await expect(text).rejects.toMatchObject({ code: 'not_found' })
})

test('breaks the export off when the storage fails', async () => {
  const { storage, collection } = await filled()
  const text = exportText(storage, collection, {
    beforePage: async (page) => {
      if (page === 3) throw new Error('the disk is gone')
    }
  })
  await expect(text).rejects.toThrow('the disk is gone')
})

test('reads at most two pages ahead of the reader', async () => {
  const { storage, collection } = await filled()
  let pages = 0
  const stream = await exportOf(storage, collection, {
    beforePage: async (page) => {
      pages = page
    }
  })
  const reader = stream.getReader()
  await reader.read()
  await settled()
  expect(pages).toBeLessThanOrEqual(3)
  await reader.cancel()
  await settled()
  expect(pages).toBeLessThanOrEqual(3)
})

test('breaks the export off when the call is aborted', async () => {
  const { storage, collection } = await filled()
  const abort = new AbortController()
  const text = exportText(storage, collection, {
    signal: abort.signal,
    beforePage: async (page) => {
      if (page === 3) abort.abort()
    }
  })
  await expect(text).rejects.toMatchObject({ code: 'unavailable' })
})

type Meanwhile = { beforePage(page: number): Promise<void>; signal?: AbortSignal }

/** Creates a collection with the five memories. `put` adds more lines. */
async function filled() {
  const storage = await sqliteStorage(temporaryFolder())
  const world = { clock: nodeClock, ids: nodeIds, ephemeralTtlMs: 0 }
  const { id, ...rest } = newCollection(world, { name: 'test' })
  await storage.createCollection({ id, ...rest })
  const put = async (...lines: string[]): Promise<void> => {
    const bytes = file(...lines)
    const { batches } = readSnapshotRecords({ bytes, from: 0, to: bytes.length, form: 'jsonl' })
    for (const batch of batches) await storage.append(id, batch)
  }
  // One by one: lines of one batch would be ordered by their ids.
  for (const parts of MEMORIES) await put(memoryLine(parts))
  const collection = await storage.findCollection(id)
  if (collection === undefined) throw new Error('the collection was not made')
  return { storage, collection, put }
}

/** Exports a collection, and runs a function before each page is read. Pages are counted from 1. */
function exportOf(
  storage: Storage,
  collection: StoredCollection,
  { beforePage, signal = new AbortController().signal }: Meanwhile
): Promise<ReadableStream<Uint8Array>> {
  let pages = 0
  const watched: Storage = {
    ...storage,
    async readPage(...given) {
      await beforePage(++pages)
      return storage.readPage(...given)
    }
  }
  return exportStream({ storage: watched, clock: nodeClock, signal }, collection, {
    form: 'jsonl',
    skipsDamaged: false
  })
}

async function exportText(storage: Storage, collection: StoredCollection, meanwhile: Meanwhile): Promise<string> {
  return new Response(await exportOf(storage, collection, meanwhile)).text()
}

/** Yields to the event loop, so that pending work can proceed. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}
