import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { localThread } from '../../../bin/node/threads/thread-starter.ts'
import { storageMain } from '../../../bin/threads/storage-main.ts'
import type { RecordBatch } from '../../../server/storage/port/record-batch.ts'
import { threadStorage } from '../../../server/storage/thread-storage.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { APPEND_TESTS } from '../../suites/storage-append-tests.ts'
import { ATTEMPT_TESTS } from '../../suites/storage-attempt-tests.ts'
import { COLLECTION_TESTS } from '../../suites/storage-collection-tests.ts'
import { CONNECTION_TESTS } from '../../suites/storage-connection-tests.ts'
import { ready } from '../../suites/storage-connector-things.ts'
import { KEY_TESTS } from '../../suites/storage-key-tests.ts'
import { PAGE_TESTS } from '../../suites/storage-page-tests.ts'
import { held, memoriesOf, pageOf } from '../../suites/storage-page-things.ts'
import { idAt, type MakePlace, newCollection, newKey, runStorageTests } from '../../suites/storage-place.ts'
import { HOLDER_TESTS } from '../../suites/storage-sync-holder-tests.ts'
import { allTexts, batchOf, bytesOf, memory } from './record-lines.ts'

const place: MakePlace = async () => {
  const file = path.join(temporaryFolder(), 'memctl.db')
  return { open: async () => threadStorage(localThread(storageMain, { path: file })) }
}

for (const tests of [COLLECTION_TESTS, KEY_TESTS, APPEND_TESTS, PAGE_TESTS, ATTEMPT_TESTS, CONNECTION_TESTS])
  runStorageTests(place, tests)
runStorageTests(place, HOLDER_TESTS)

test("transfers the memory of a page's lines to the thread", async () => {
  const storage = await ready(async () => inThread())
  const hold = await held(storage, 1)
  const page = pageOf({ a: ['m1'] })
  expect(await storage.commitPage(hold, page)).toEqual({ outcome: 'committed', deleted: 0 })
  expect(page.memories.lines.byteLength).toBe(0)
  expect(await memoriesOf(storage)).toBe('m1')
})

test('transfers the memory of a batch to the thread, except shared buffers', async () => {
  const storage = inThread()
  await storage.createCollection(newCollection(1))
  const own = batchOf([memory('a')])
  await storage.append(idAt(1), own)
  expect(own.lines.byteLength).toBe(0)

  const shared = sharing(batchOf([memory('b')]))
  await storage.append(idAt(1), shared)
  expect(Buffer.from(shared.lines)).toEqual(bytesOf(memory('b')))
  expect(await allTexts(storage, idAt(1))).toEqual([
    [1, 'a'],
    [2, 'b']
  ])
})

test('passes a fault of the storage unchanged', async () => {
  const storage = inThread()
  const key = newKey(1, { grants: [{ collectionId: idAt(9), permission: 'read' }] })
  await expect(storage.createKey(key)).rejects.toMatchObject({
    code: 'not_found',
    message: `collection ${idAt(9)} does not exist`
  })
})

test('rejects every call if the database cannot be opened', async () => {
  const storage = threadStorage(localThread(storageMain, { path: path.join(temporaryFolder(), 'missing', 'x.db') }))
  const cause = { message: expect.stringContaining('ENOENT') }
  await expect(storage.ping()).rejects.toMatchObject({ code: 'system_refused', cause })
  await expect(storage.listKeys()).rejects.toMatchObject({ code: 'system_refused' })
})

function inThread() {
  const storage = threadStorage(localThread(storageMain, { path: path.join(temporaryFolder(), 'memctl.db') }))
  onTestFinished(() => storage.close())
  return storage
}

/** Returns the batch with its lines in the middle of a larger buffer. */
function sharing(batch: RecordBatch): RecordBatch {
  const lines = new Uint8Array(batch.lines.byteLength + 20)
  lines.set(batch.lines, 10)
  return { ...batch, lines: lines.subarray(10, 10 + batch.lines.byteLength) }
}
