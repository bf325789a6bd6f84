import { expect, test } from 'vitest'
import { appendBatches } from '../../../server/http/handlers/collection-handlers.ts'
import { readSnapshotRecords } from '../../../server/recall/snapshots/read-snapshot-records.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'
import { file, memoryLine } from '../../snapshot/builders.ts'
import { IMPORT } from '../end-to-end/exported.ts'
import { sqliteStorage, startTestServer } from '../end-to-end/server-kit.ts'

/** Three batches for the storage, of at most 1000 lines each. */
const LINES = 2500
const snapshot = file(...Array.from({ length: LINES }, (_, n) => memoryLine({ text: `memory ${n}` })))

/** Wraps a storage and runs a function before each append. */
function watched(storage: Storage, before: (append: number) => void): Storage {
  let appends = 0
  return {
    ...storage,
    async append(...given) {
      before(++appends)
      return storage.append(...given)
    }
  }
}

test('keeps what a failed restore has stored, and completes it when everything is sent again', async () => {
  const real = await sqliteStorage(temporaryFolder())
  let isAway = true
  const storage = watched(real, (append) => {
    if (isAway && append === 2) throw new Fault('unavailable', 'the disk is full', { retryAfter: 1 })
  })
  const server = await startTestServer({ storage })
  const path = `/v1/collections/${server.collectionId}/records`
  const failed = await server.call('POST', path, { lines: snapshot.toString() })
  expect([failed.status, failed.json.code]).toEqual([503, 'unavailable'])
  isAway = false
  const again = await server.call('POST', path, { lines: snapshot.toString() })
  expect(again.json).toEqual({ records: LINES, stored: LINES - 1000, known: 1000, forgotten: 0 })
})

test('leaves nothing of an import that fails in the middle', async () => {
  const real = await sqliteStorage(temporaryFolder())
  const storage = watched(real, (append) => {
    if (append === 3) throw new Fault('unavailable', 'the disk is full', { retryAfter: 1 })
  })
  const server = await startTestServer({ storage })
  const { status } = await server.call('POST', IMPORT, { lines: snapshot.toString() })
  expect(status).toBe(503)
  expect((await server.call('GET', '/v1/collections')).json).toMatchObject([{ name: 'default', memories: 0 }])
})

test('ends a restore between two batches when the client goes away', async () => {
  const real = await sqliteStorage(temporaryFolder())
  const gone = new AbortController()
  const storage = watched(real, (append) => {
    if (append === 2) gone.abort()
  })
  const { collectionId } = await startTestServer({ storage: real })
  const { records, batches } = readSnapshotRecords({ bytes: snapshot, from: 0, to: snapshot.length, form: 'jsonl' })
  const into = { collectionId, records, batches, signal: gone.signal }
  const fault = await faultOf(() => appendBatches(storage, into))
  expect(fault).toMatchObject({ code: 'unavailable', message: expect.stringContaining('2000 are stored') })
  expect(await real.findCollection(collectionId)).toMatchObject({ memories: 2000 })
})

test('refuses a deleted collection at any point of its import', async () => {
  const server = await startTestServer()
  const { batches } = readSnapshotRecords({ bytes: snapshot, from: 0, to: snapshot.length, form: 'jsonl' })
  await server.storage.deleteCollection(server.collectionId)
  const into = { collectionId: server.collectionId, records: LINES, batches, signal: new AbortController().signal }
  expect(await faultOf(() => appendBatches(server.storage, into))).toMatchObject({ code: 'not_found' })
})
