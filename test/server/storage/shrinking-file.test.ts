import { statSync } from 'node:fs'
import path from 'node:path'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { openSqliteStorage, type SqliteOptions } from '../../../server/storage/open-sqlite-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { idAt, newCollection } from '../../suites/storage-place.ts'
import { manualClock } from '../http/manual-clock.ts'
import { passOver, runInFile, said } from './check-kit.ts'
import { allTexts, batchOf, memory } from './record-lines.ts'

const MIB = 1024 * 1024

test('releases the pages of deleted data to the disk', async () => {
  const { file, storage, clock } = await opened()
  await fill(storage)
  const full = sizeOf(file)
  expect(full).toBeGreaterThan(8 * MIB)
  await storage.deleteCollection(idAt(2))
  while (sizeOf(file) > full / 3) {
    await clock.pass(60_000)
    await new Promise(setImmediate)
  }
  expect(await allTexts(storage, idAt(1))).toHaveLength(20)
  // Other calls are answered while pages are released.
  expect((await storage.listCollections()).map(({ name }) => name)).toEqual(['collection 1'])
})

test('converts an old file once, and keeps its content', async () => {
  const file = await oldFile()
  const before = runInFile(file, 'pragma page_count')[0]?.page_count
  const { storage } = await opened({ path: file })
  expect(await allTexts(storage, idAt(1))).toHaveLength(20)
  expect((await passOver({ storage })).findings).toEqual([])
  await storage.close()
  expect(runInFile(file, 'pragma auto_vacuum')).toEqual([{ auto_vacuum: 2 }])
  expect(Number(runInFile(file, 'pragma page_count')[0]?.page_count)).toBeLessThan(Number(before) / 2)
  const again = await opened({ path: file })
  expect(await allTexts(again.storage, idAt(1))).toHaveLength(20)
})

test('leaves a file unchanged if the disk has no space for a copy, and reports it in a repair', async () => {
  const file = await oldFile()
  const { storage } = await opened({ path: file, freeBytes: () => 1000 })
  expect(await allTexts(storage, idAt(1))).toHaveLength(20)
  expect(said((await passOver({ storage }, 'repair')).findings)).toEqual([
    'file: its free pages could not be released to the disk, and the disk has no room for its copy: found'
  ])
  await storage.close()
  expect(runInFile(file, 'pragma auto_vacuum')).toEqual([{ auto_vacuum: 0 }])
})

async function opened(more: Partial<SqliteOptions> = {}) {
  const file = more.path ?? path.join(temporaryFolder(), 'server.db')
  const clock = manualClock()
  const storage = await openSqliteStorage({ path: file, files: nodeFiles, clock, ...more })
  onTestFinished(() => storage.close())
  return { file, storage, clock }
}

/** Stores 20 small memories, and 10 MiB of others in a second collection. */
async function fill(storage: Storage): Promise<void> {
  await storage.createCollection(newCollection(1))
  await storage.createCollection(newCollection(2))
  await storage.append(idAt(1), batchOf(Array.from({ length: 20 }, (_, n) => memory(`kept ${n}`))))
  for (let part = 0; part < 5; part++) {
    const lines = Array.from({ length: 200 }, (_, n) => memory(`${part}-${n}`, `${part}-${n} ${'x'.repeat(10_000)}`))
    await storage.append(idAt(2), batchOf(lines))
  }
}

/** Creates an old file that cannot release pages, with mostly free pages. */
async function oldFile(): Promise<string> {
  const file = path.join(temporaryFolder(), 'server.db')
  const storage = await openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock })
  await fill(storage)
  await storage.close()
  const database = new Database(file)
  database.pragma('auto_vacuum = none')
  database.exec('vacuum')
  database.exec(`delete from records where collection_id = '${idAt(2)}'`)
  database.exec(`update collections set memories = 0 where id = '${idAt(2)}'`)
  expect(database.pragma('auto_vacuum')).toEqual([{ auto_vacuum: 0 }])
  database.close()
  return file
}

function sizeOf(file: string): number {
  return statSync(file).size
}
