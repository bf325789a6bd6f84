import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { MIGRATIONS } from '../../../server/storage/database/migrations.ts'
import type { Tables } from '../../../server/storage/database/tables.ts'
import { SQLITE_DIALECT, sqliteConnection } from '../../../server/storage/engines/sqlite-connection.ts'
import { kyselyStorage } from '../../../server/storage/kysely-storage.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { idAt, newCollection } from '../../suites/storage-place.ts'
import { allTexts, batchOf, forget, memory } from './record-lines.ts'

test('makes the file and its side files accessible only to their owner', async () => {
  const { storage, file } = await opened()
  await storage.createCollection(newCollection(1))
  const modes = ['', '-wal', '-shm'].map((end) => statSync(file + end).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o600])
})

test('finds everything appended in a copy of the files as after a power failure', async () => {
  const { storage, file } = await opened()
  await storage.createCollection(newCollection(1))
  await storage.append(idAt(1), batchOf([memory('a')]))
  const copy = path.join(temporaryFolder(), 'memctl.db')
  for (const end of ['', '-wal']) copyFileSync(file + end, copy + end)
  const again = await openedAt(copy)
  expect(await allTexts(again, idAt(1))).toEqual([[1, 'a']])
})

test('reports a full disk, changes nothing, and recovers when there is space', async () => {
  const { storage: first, file } = await opened()
  await first.createCollection(newCollection(1))
  await first.append(idAt(1), batchOf([memory('a')]))
  await first.close()

  const connection = sqliteConnection(file)
  const storage = storageOver(connection)
  const lines = Array.from({ length: 50 }, (_, n) => memory(`memory ${n}`, 'x'.repeat(20_000) + n))
  // The maximum pages of the file: beyond it SQLite refuses as on a full disk.
  connection.prepare('pragma max_page_count = 30').all([])
  await expect(storage.append(idAt(1), batchOf(lines))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the storage is unavailable: the disk is full',
    retryAfter: 10
  })
  expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 1, seq: 1 })
  expect((await allTexts(storage, idAt(1))).length).toBe(1)
  connection.prepare('pragma max_page_count = 9999').all([])
  expect(await storage.append(idAt(1), batchOf(lines))).toMatchObject({ seq: 51 })
})

test('reports a lock of another program, and recovers when it is gone', async () => {
  const { storage, file } = await opened()
  await storage.createCollection(newCollection(1))
  const other = new Database(file)
  onTestFinished(() => void other.close())
  other.exec("begin immediate; update collections set name = 'changed'")
  await expect(storage.append(idAt(1), batchOf([memory('a')]))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the storage is unavailable: another process has locked the database'
  })
  other.exec('commit')
  expect(await storage.findCollection(idAt(1))).toMatchObject({ name: 'changed', seq: 0 })
  expect(await storage.append(idAt(1), batchOf([memory('a')]))).toMatchObject({ seq: 1 })
})

test('refuses a file that is not a database by its name', async () => {
  const file = path.join(temporaryFolder(), 'memctl.db')
  writeFileSync(file, 'this is a text and no database, which it says at length'.repeat(100))
  await expect(openedAt(file)).rejects.toMatchObject({
    code: 'system_refused',
    message: `cannot open the storage ${file}: the file is not a database`
  })
})

test('refuses a missing folder by its name', async () => {
  const file = path.join(temporaryFolder(), 'missing', 'memctl.db')
  await expect(openedAt(file)).rejects.toMatchObject({ code: 'system_refused' })
})

test('refuses tables of a newer program', async () => {
  const { storage, file } = await opened()
  await storage.close()
  const database = new Database(file)
  database.exec("insert into schema_versions values (99, 'from the future', 0)")
  database.close()
  await expect(openedAt(file)).rejects.toMatchObject({
    code: 'conflict',
    message: `the storage has tables of version 99, but this memctl supports versions up to ${MIGRATIONS.at(-1)?.version}`,
    hint: 'use the newer memctl that migrated them, or another data folder or database'
  })
})

test('reports a damaged database, and reads it again once it is repaired', async () => {
  const { storage, file } = await opened()
  await storage.createCollection(newCollection(1))
  const lines = Array.from({ length: 200 }, (_, n) => memory(`memory ${n}`, 'x'.repeat(3000) + n))
  await storage.append(idAt(1), batchOf(lines))
  await storage.close()
  const whole = readFileSync(file)
  truncateSync(file, 400_000)
  const damaged = await openedAt(file)
  const message = await allTexts(damaged, idAt(1)).then(
    () => 'no fault',
    (fault) => `${fault.code}: ${fault.message}`
  )
  expect(message).toBe('unavailable: the storage is unavailable: the database is damaged')
  writeFileSync(file, whole)
  expect(await allTexts(damaged, idAt(1))).toHaveLength(200)
})

test('leaves no text of a forgotten memory in the file', async () => {
  const { storage, file } = await opened()
  await storage.createCollection(newCollection(1))
  await storage.append(idAt(1), batchOf([memory('a', 'a very private text'), memory('b')]))
  await storage.append(idAt(1), batchOf([forget('a')]))
  await storage.close()
  const bytes = readFileSync(file)
  expect([bytes.includes('forget a 5'), bytes.includes('a very private text')]).toEqual([true, false])
})

async function opened(): Promise<{ storage: Storage; file: string }> {
  const file = path.join(temporaryFolder(), 'memctl.db')
  return { file, storage: await openedAt(file) }
}

async function openedAt(file: string): Promise<Storage> {
  return closedAfterwards(await openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock }))
}

/** Creates a storage over a connection that the test controls. */
function storageOver(database: SqliteDatabase): Storage {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  return closedAfterwards(kyselyStorage({ db, dialect: SQLITE_DIALECT, clock: nodeClock }))
}

function closedAfterwards(storage: Storage): Storage {
  onTestFinished(() => storage.close())
  return storage
}
