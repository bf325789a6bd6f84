import path from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { migrate } from '../../../server/storage/database/migrations.ts'
import type { Db, Tables } from '../../../server/storage/database/tables.ts'
import { POSTGRES_DIALECT, postgresPool } from '../../../server/storage/engines/postgres-pool.ts'
import { SQLITE_DIALECT, sqliteConnection } from '../../../server/storage/engines/sqlite-connection.ts'
import { kyselyStorage } from '../../../server/storage/kysely-storage.ts'
import { purgeCollections } from '../../../server/storage/tables/cleanups.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { ready } from '../../suites/storage-connector-things.ts'
import { held, pageOf } from '../../suites/storage-page-things.ts'
import { idAt, newCollection } from '../../suites/storage-place.ts'
import { batchOf, memory } from './record-lines.ts'

const LINES = Array.from({ length: 1200 }, (_, n) => memory(`memory ${n}`))
const NEVER = new AbortController().signal

test('SQLite: removes records of deleted collections in parts, and keeps those of others', async () => {
  const dialect = new SqliteDialect({ database: sqliteConnection(path.join(temporaryFolder(), 'memctl.db')) })
  await removesInParts(new Kysely<Tables>({ dialect }), SQLITE_DIALECT)
})

test('PostgreSQL: removes records of deleted collections in parts, and keeps those of others', async ({ skip }) => {
  const schema = await postgresSchema()
  if ('reason' in schema) return skip(schema.reason)
  onTestFinished(() => schema.remove())
  const pool = postgresPool({ url: schema.url, connections: 3 })
  await removesInParts(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), POSTGRES_DIALECT)
})

test('removes what a stopped server left of a deleted collection at the next start', async () => {
  const file = path.join(temporaryFolder(), 'memctl.db')
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqliteConnection(file) }) })
  onTestFinished(() => db.destroy())
  const storage = await storageOver(db)
  await storage.createCollection(newCollection(1))
  await storage.append(idAt(1), batchOf(LINES))
  await db
    .updateTable('collections')
    .set({ deleted_at: toEpochMs(1) })
    .execute()
  expect(await counts(db)).toEqual({ records: 1200, collections: 1 })

  await storageOver(db)
  while ((await counts(db)).collections > 0) await new Promise(setImmediate)
  expect(await counts(db)).toEqual({ records: 0, collections: 0 })
})

test('SQLite: removes the sync data of a deleted collection', async () => {
  const dialect = new SqliteDialect({ database: sqliteConnection(path.join(temporaryFolder(), 'memctl.db')) })
  await removesSyncs(new Kysely<Tables>({ dialect }), SQLITE_DIALECT)
})

test('PostgreSQL: removes the sync data of a deleted collection', async ({ skip }) => {
  const schema = await postgresSchema()
  if ('reason' in schema) return skip(schema.reason)
  onTestFinished(() => schema.remove())
  const pool = postgresPool({ url: schema.url, connections: 3 })
  await removesSyncs(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), POSTGRES_DIALECT)
})

async function removesSyncs(db: Db, dialect: typeof SQLITE_DIALECT): Promise<void> {
  onTestFinished(() => db.destroy())
  await migrate(db, { dialect, nowMs: toEpochMs(0) })
  const storage = await ready(async () => kyselyStorage({ db, dialect, clock: nodeClock }))
  for (const n of [1, 2]) {
    const hold = await held(storage, n, { into: n })
    await storage.append(idAt(n), batchOf([memory('m1')]))
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm2'], b: ['m2'] }, { ledger: [['k', 'v']] }))
    await storage.recordReads(hold, { items: [{ id: 'c', version: undefined }], alone: false })
  }
  expect(await syncRows(db)).toEqual({ items: 4, holdings: 8, ledger: 2, reads: 2, runs: 2, connections: 2 })
  await db
    .updateTable('collections')
    .set({ deleted_at: toEpochMs(1) })
    .where('id', '=', idAt(1))
    .execute()
  await purgeCollections(db, async () => undefined, NEVER)
  expect(await syncRows(db)).toEqual({ items: 2, holdings: 4, ledger: 1, reads: 1, runs: 1, connections: 1 })
}

async function syncRows(db: Db): Promise<Record<string, number>> {
  const tables = ['items', 'holdings', 'ledger', 'reads', 'runs', 'connections'] as const
  const counted = tables.map(async (table) => {
    const all = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'))
    return [table, Number((await all.executeTakeFirstOrThrow()).rows)] as const
  })
  return Object.fromEntries(await Promise.all(counted))
}

async function removesInParts(db: Db, dialect: typeof SQLITE_DIALECT): Promise<void> {
  onTestFinished(() => db.destroy())
  await migrate(db, { dialect, nowMs: toEpochMs(0) })
  const storage = kyselyStorage({ db, dialect, clock: nodeClock })
  for (const n of [1, 2, 3]) await storage.createCollection(newCollection(n))
  for (const n of [1, 2]) await storage.append(idAt(n), batchOf(LINES))
  await db
    .updateTable('collections')
    .set({ deleted_at: toEpochMs(1) })
    .where('id', 'in', [idAt(1), idAt(3)])
    .execute()

  const left: number[] = []
  await purgeCollections(
    db,
    async () => {
      left.push((await counts(db)).records)
    },
    NEVER
  )
  expect(left).toEqual([1900, 1400, 1200])
  expect((await storage.listCollections()).map(({ id }) => id)).toEqual([idAt(2)])
  expect(await counts(db)).toEqual({ records: 1200, collections: 1 })
}

async function storageOver(db: Db) {
  await migrate(db, { dialect: SQLITE_DIALECT, nowMs: toEpochMs(0) })
  return kyselyStorage({ db, dialect: SQLITE_DIALECT, clock: nodeClock })
}

async function counts(db: Db): Promise<{ records: number; collections: number }> {
  const count = (table: 'records' | 'collections') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
  return { records: (await count('records')).rows, collections: (await count('collections')).rows }
}
