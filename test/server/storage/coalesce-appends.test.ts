import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import { OUTCOMES } from '../../../server/storage/port/record-batch.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { coalesceAppends } from '../../../server/storage/wrap-storage.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { APPEND_TESTS } from '../../suites/storage-append-tests.ts'
import { LAW_TESTS } from '../../suites/storage-law-tests.ts'
import { idAt, type MakePlace, newCollection, runStorageTests } from '../../suites/storage-place.ts'
import { allTexts, batchOf, forget, memory } from './record-lines.ts'

const place: MakePlace = async () => {
  const file = path.join(temporaryFolder(), 'memctl.db')
  return {
    open: async () => coalesceAppends(await openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock }))
  }
}

for (const tests of [APPEND_TESTS, LAW_TESTS]) runStorageTests(place, tests)

test('batches appends that arrive during another one', async () => {
  const { storage, appended } = await counted()
  const texts = Array.from({ length: 100 }, (_, n) => `memory ${n}`)
  await Promise.all(texts.map((text) => storage.append(idAt(1), batchOf([memory(text)]))))
  expect(appended).toEqual([1, 99])
  expect((await allTexts(storage, idAt(1))).map(([, text]) => text)).toEqual(texts)
})

test('returns the outcomes of its own lines to each call', async () => {
  const { storage, appended } = await counted()
  const batches = [
    [memory('first')],
    [memory('a'), memory('b')],
    [],
    [memory('a')],
    [forget('b')],
    [memory('b'), memory('c')]
  ]
  const answers = await Promise.all(batches.map((lines) => storage.append(idAt(1), batchOf(lines))))
  const { stored, known, forgotten } = OUTCOMES
  expect(answers.map(({ outcomes }) => [...outcomes])).toEqual([
    [stored],
    [stored, stored],
    [],
    [known],
    [stored],
    [forgotten, stored]
  ])
  expect(appended).toEqual([1, 6])
})

test('batches at most 4 MiB or 1000 lines, and appends a larger batch alone', async () => {
  const { storage, appended } = await counted()
  const large = 'x'.repeat(3 * 1024 * 1024)
  const many = Array.from({ length: 1200 }, (_, n) => memory(`memory ${n}`))
  const batches = [
    [memory('first')],
    [memory('a', large)],
    [memory('b', `${large}.`)],
    many,
    [memory('c')],
    [memory('d')]
  ]
  await Promise.all(batches.map((lines) => storage.append(idAt(1), batchOf(lines))))
  expect(appended).toEqual([1, 1, 1, 1200, 2])
})

test('rejects every append to a deleted collection, and serves the next collection', async () => {
  const { storage } = await counted()
  const gone = [1, 2, 3].map(() => storage.append(idAt(7), batchOf([memory('a')])))
  const answers = await Promise.allSettled(gone)
  expect(answers.map((answer) => answer.status === 'rejected' && answer.reason.code)).toEqual(
    Array(3).fill('not_found')
  )
  await storage.createCollection(newCollection(7))
  expect(await storage.append(idAt(7), batchOf([memory('a')]))).toMatchObject({ seq: 1 })
})

/** Creates a storage with one collection, and counts the lines of each transaction. */
async function counted(): Promise<{ storage: Storage; appended: number[] }> {
  const file = path.join(temporaryFolder(), 'memctl.db')
  const plain = await openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock })
  onTestFinished(() => plain.close())
  await plain.createCollection(newCollection(1))
  const appended: number[] = []
  const counting: Storage = {
    ...plain,
    append(id, batch) {
      appended.push(batch.count)
      return plain.append(id, batch)
    }
  }
  return { storage: coalesceAppends(counting), appended }
}
