import { expect, test } from 'vitest'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Clock } from '../../../src/ports.ts'
import { batchOf, memory } from '../../server/storage/record-lines.ts'
import { ready } from '../../suites/storage-connector-things.ts'
import { held, pageOf } from '../../suites/storage-page-things.ts'
import { idAt, newCollection, newKey } from '../../suites/storage-place.ts'
import { activeConnection } from '../../suites/storage-queue-things.ts'
import { EMPTY_TABLES } from './model-rows.ts'
import { beginTransaction } from './model-transaction.ts'
import { createStorageModel, EngineError, type StorageHooks, type StorageModel } from './storage-model.ts'

/** A clock that stands still and whose waits end at once. */
const CLOCK: Clock = { now: () => 5000, ticks: () => 0, wait: async () => undefined }

function open(model: StorageModel, hooks: StorageHooks = {}): Storage {
  return model.open({ clock: CLOCK, hooks })
}

test('shows each node what the other one has committed', async () => {
  const model = createStorageModel()
  const [one, other] = [open(model), open(model)]
  await one.createCollection(newCollection(1))
  await other.append(idAt(1), batchOf([memory('a')]))
  expect(await one.listCollections()).toMatchObject([{ memories: 1, seq: 1 }])
})

test('changes nothing for a call that is refused before its transaction, and ends it with a fault', async () => {
  const model = createStorageModel()
  const refused = open(model, { before: () => Promise.reject(new EngineError('no', 'the disk is full')) })
  const before = model.tables
  await expect(refused.createCollection(newCollection(1))).rejects.toMatchObject({ code: 'unavailable' })
  expect(model.tables).toBe(before)
})

test('repeats a call after a random refusal', async () => {
  const model = createStorageModel()
  let calls = 0
  const before = async () => {
    calls += 1
    if (calls < 3) throw new EngineError('yes')
  }
  await open(model, { before }).createCollection(newCollection(1))
  expect(calls).toBe(3)
})

test('commits the transaction and ends a single-use call with a fault if the reply is lost', async () => {
  const model = createStorageModel()
  await open(model).createCollection(newCollection(1))
  const lossy = open(model, { after: () => Promise.reject(new EngineError('unsure')) })
  await expect(lossy.deleteCollection(idAt(1))).rejects.toMatchObject({ code: 'unavailable' })
  expect(await open(model).listCollections()).toEqual([])
})

test('changes nothing for a node that crashes before its transaction, whatever the other nodes do', async () => {
  const model = createStorageModel()
  const crashed = open(model, { before: () => new Promise<never>(() => undefined) })
  void crashed.createCollection(newCollection(1))
  await open(model).createCollection(newCollection(2))
  expect([...model.tables.collections.keys()]).toEqual([idAt(2)])
})

test('keeps tables unchanged after they were read', async () => {
  const model = createStorageModel()
  const storage = open(model)
  await storage.createCollection(newCollection(1))
  const before = model.tables
  const row = before.collections.get(idAt(1))
  await storage.append(idAt(1), batchOf([memory('a')]))
  expect(before.records.size).toBe(0)
  expect(row).toMatchObject({ seq: 0 })
  expect(createStorageModel(before).tables).toBe(before)
})

test('ignores changes that the caller makes to values afterwards', async () => {
  const model = createStorageModel()
  const storage = open(model)
  await storage.createCollection(newCollection(1))
  const batch = batchOf([memory('a')])
  const appended = storage.append(idAt(1), batch)
  batch.lines.fill(0)
  await appended
  const page = await storage.readPage(idAt(1), { after: 0, upTo: 9, maxBytes: 1000 })
  expect(page.damaged).toEqual([])
  page.lines.fill(0)
  expect((await storage.readPage(idAt(1), { after: 0, upTo: 9, maxBytes: 1000 })).damaged).toEqual([])
})

test('refuses values that a column of PostgreSQL cannot hold', () => {
  const row = { ...newCollection(1), memories: 0, seq: 0, damaged: 0, epochs: undefined, deletedAt: undefined }
  const insert = (more: object) => () =>
    beginTransaction(EMPTY_TABLES, CLOCK).insert('collections', { ...row, ...more })
  expect(insert({})).not.toThrow()
  expect(insert({ createdAt: 0.5 })).toThrow('bigint')
  expect(insert({ expiresAt: Number.NaN })).toThrow('bigint')
  expect(insert({ memories: 2 ** 63 })).toThrow('out of range')
  expect(insert({ name: 'a\0b' })).toThrow('UTF8')
  expect(insert({ id: idAt(1).toUpperCase().replace('0', 'A') })).toThrow('uuid')
  expect(insert({ snapshotId: undefined })).toThrow('no text')
})

test('refuses a second row with the same key or the same unique value', () => {
  const transaction = beginTransaction(EMPTY_TABLES, CLOCK)
  const row = { ...newKey(1), hash: 'ab', revokedAt: undefined }
  transaction.insert('keys', row)
  expect(() => transaction.insert('keys', { ...row, hash: 'cd' })).toThrow('duplicate key')
  expect(() => transaction.insert('keys', { ...row, id: idAt(2) })).toThrow('duplicate value')
})

test('removes everything of a deleted collection, and nothing of another one', async () => {
  const model = createStorageModel()
  const storage = await ready(async () => open(model))
  for (const n of [1, 2]) {
    const hold = await held(storage, n, { into: n })
    await storage.commitPage(hold, pageOf({ a: ['m1'] }, { ledger: [['k', 'v']] }))
    await storage.recordReads(hold, { items: [{ id: 'b', version: undefined }], alone: false })
  }
  await activeConnection(storage, 3, { into: 1 })
  await storage.deleteCollection(idAt(1))
  // Stopping a node waits for its background removal.
  await open(model).close()
  while (model.tables.collections.has(idAt(1))) await new Promise(setImmediate)
  const counts = (['connections', 'records', 'references', 'items', 'ledger', 'reads', 'runs'] as const).map(
    (table) => model.tables[table].size
  )
  expect(counts).toEqual([1, 1, 1, 1, 1, 1, 1])
  expect(model.tables.connections.get(idAt(102))?.leaseUntil).toBe(toEpochMs(9000))
})
