import Database from 'libsql'
import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import { idAt } from '../../suites/storage-place.ts'
import { filled, overFile, passOver, runInFile, said } from './check-kit.ts'
import { batchOf, memory } from './record-lines.ts'

test('finds and repairs text that is not UTF-8 without crashing', async () => {
  const damageable = await overFile()
  const { storage, file } = damageable
  const { connectionId } = await filled(storage)
  runInFile(file, `update collections set name = cast(x'6e6fff65' as text) where id = '${idAt(1)}'`)
  runInFile(file, `update connections set last_error = cast(x'22ff22' as text)`)
  runInFile(file, `update items set title = cast(x'7bff' as text) where item_id = x'646f63'`)
  const findings = said((await passOver(damageable, 'repair')).findings)
  expect(findings.sort()).toEqual([
    'collections: `name` is not valid UTF-8: corrected',
    'connections: `last_error` is not valid UTF-8: corrected',
    'items: `title` is not valid UTF-8: corrected'
  ])
  expect((await passOver(damageable, 'repair')).findings).toEqual([])
  expect((await storage.findCollection(idAt(1)))?.name).toBe('no\ufffde')
  expect((await storage.findConnection(connectionId))?.lastError).toBe('\ufffd')
})

test('finds and repairs numbers that no server wrote', async () => {
  const damageable = await overFile()
  const { storage, file } = damageable
  const { connectionId } = await filled(storage)
  runInFile(file, `update connections set next_run_at = 1.5`)
  runInFile(file, `update items set tries = 'many' where item_id = x'646f63'`)
  runInFile(file, `update collections set memories = 2.5 where id = '${idAt(1)}'`)
  await expect(storage.findCollection(idAt(1))).rejects.toMatchObject({ code: 'damaged_storage' })
  expect(said((await passOver(damageable, 'repair')).findings).sort()).toEqual([
    'collections: counts 2.5 memories but has 5: corrected',
    'connections: `next_run_at` is not a whole number: corrected',
    'items: `tries` is not a whole number: corrected'
  ])
  expect((await passOver(damageable, 'repair')).findings).toEqual([])
  expect((await storage.findCollection(idAt(1)))?.memories).toBe(5)
  expect(await storage.findSchedule(connectionId)).toMatchObject({ nextRunAt: 50_000 })
})

test('finds an index that lacks a row, and rebuilds it', async () => {
  const damageable = await overFile()
  const { storage, file } = damageable
  await filled(storage)
  await storage.close()
  emptyIndex(file)
  const other = await openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock })
  try {
    const before = (await passOver({ storage: other })).findings
    expect(said(before).join()).toContain('file: wrong # of entries in index items_to_try: found')
    const repaired = (await passOver({ storage: other }, 'repair')).findings
    expect(said(repaired).join()).toContain('file: wrong # of entries in index items_to_try: corrected')
    expect((await passOver({ storage: other }, 'repair')).findings).toEqual([])
  } finally {
    await other.close()
  }
})

test('checks a database that another process has open, and changes nothing', async () => {
  const { storage, file } = await overFile()
  await filled(storage)
  runInFile(file, `update collections set memories = 9 where id = '${idAt(1)}'`)
  const reader = await openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock, isReader: true })
  try {
    expect(said((await passOver({ storage: reader })).findings)).toEqual([
      'collections: counts 9 memories but has 5: found'
    ])
    await expect(passOver({ storage: reader }, 'repair')).rejects.toThrow()
    await storage.append(idAt(1), batchOf([memory('while it is read')]))
    expect((await passOver({ storage: reader })).lines).toBe(7)
  } finally {
    await reader.close()
  }
})

/** Empties the index of items that are due for a retry. */
function emptyIndex(file: string): void {
  const database = new Database(file)
  database.exec(`
    create table empty_items as select * from items where false;
    create index empty_index on empty_items (connection_id, next_try_at) where next_try_at is not null;
    update items set next_try_at = 5;
    pragma writable_schema = on;
    update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'empty_index')
      where name = 'items_to_try';
    delete from sqlite_schema where name in ('empty_items', 'empty_index');
    pragma writable_schema = off`)
  database.close()
}
