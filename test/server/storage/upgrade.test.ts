import path from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { MIGRATIONS, migrate } from '../../../server/storage/database/migrations.ts'
import { soundValues } from '../../../server/storage/database/table-rules.ts'
import type { CollectionRow, Db, Tables } from '../../../server/storage/database/tables.ts'
import { POSTGRES_DIALECT, postgresPool } from '../../../server/storage/engines/postgres-pool.ts'
import { SQLITE_DIALECT, sqliteConnection } from '../../../server/storage/engines/sqlite-connection.ts'
import { kyselyStorage } from '../../../server/storage/kysely-storage.ts'

import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { connected, KEY } from '../../suites/storage-connector-things.ts'
import { hashOf, idAt, newKey } from '../../suites/storage-place.ts'
import { asked } from '../../suites/storage-queue-things.ts'

onBoth('tables of the first version are brought up to date with what they hold', isBroughtUp)
test('SQLite: rounds times that were stored with a fraction, and refuses a later one on reading', async () => {
  const database = sqliteConnection(path.join(temporaryFolder(), 'memctl.db'))
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }), plugins: [soundValues] })
  onTestFinished(() => db.destroy())
  const roundsAt = MIGRATIONS.findIndex(({ name }) => name === 'whole times')
  await migrate(db, { dialect: SQLITE_DIALECT, nowMs: toEpochMs(1), migrations: MIGRATIONS.slice(0, roundsAt) })
  await sql`insert into connections
    (id, provider, collection_id, account_key, account, status, config, created_at, version, cursor_generation, next_run_at)
    values (${idAt(101)}, 'cloud_drive', ${idAt(1)}, x'00', '{"id":"ada","name":"Ada"}', 'active', '{}', 5, 1, 1, 1000.6)`.execute(
    db
  )
  await migrate(db, { dialect: SQLITE_DIALECT, nowMs: toEpochMs(2) })
  const storage = kyselyStorage({ db, dialect: SQLITE_DIALECT, clock: nodeClock })
  expect(await storage.findSchedule(idAt(101))).toMatchObject({ nextRunAt: 1001 })
  await sql`update connections set next_run_at = 1000.6`.execute(db)
  await expect(storage.findSchedule(idAt(101))).rejects.toMatchObject({
    code: 'damaged_storage',
    message: expect.stringContaining('next_run_at is 1000.6')
  })
})

onBoth('connections from before there were syncs are due at once where they are active', areDue)

function onBoth(sentence: string, body: (db: Db, dialect: typeof SQLITE_DIALECT) => Promise<void>): void {
  test(`SQLite: ${sentence}`, async () => {
    const database = sqliteConnection(path.join(temporaryFolder(), 'memctl.db'))
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
    onTestFinished(() => db.destroy())
    await body(db, SQLITE_DIALECT)
  })

  test(`PostgreSQL: ${sentence}`, async ({ skip }) => {
    const schema = await postgresSchema()
    if ('reason' in schema) return skip(schema.reason)
    onTestFinished(() => schema.remove())
    const pool = postgresPool({ url: schema.url, connections: 3 })
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    onTestFinished(() => db.destroy())
    await body(db, POSTGRES_DIALECT)
  })
}

async function isBroughtUp(db: Db, dialect: typeof SQLITE_DIALECT): Promise<void> {
  await migrate(db, { dialect, nowMs: toEpochMs(1), migrations: MIGRATIONS.slice(0, 1) })
  // The first version lacks columns that later ones add.
  await (db as unknown as Kysely<{ collections: Omit<CollectionRow, 'damaged'> }>)
    .insertInto('collections')
    .values({
      ...{ id: idAt(1), name: 'old', created_at: toEpochMs(1), expires_at: null, owner_key_id: null },
      ...{ snapshot_id: 'snp_1', memories: 0, seq: 0, deleted_at: null }
    })
    .execute()
  const { id, name, createdAt, hash } = newKey(1)
  await db.insertInto('keys').values({ id, name, hash, admin: 1, created_at: createdAt, revoked_at: null }).execute()

  await migrate(db, { dialect, nowMs: toEpochMs(2) })
  await migrate(db, { dialect, nowMs: toEpochMs(3) })
  const storage = kyselyStorage({ db, dialect, clock: nodeClock })
  expect(await storage.listCollections()).toMatchObject([{ name: 'old' }])
  expect(await storage.findKeyByHash(hashOf(1))).toMatchObject({ admin: true })
  await storage.changeVaultKey(undefined, KEY)
  expect(await connected(storage, 1)).toMatchObject({ id: idAt(101), collectionId: idAt(1) })
}

async function areDue(db: Db, dialect: typeof SQLITE_DIALECT): Promise<void> {
  await migrate(db, { dialect, nowMs: toEpochMs(1), migrations: MIGRATIONS.slice(0, 2) })
  for (const [n, status] of ['active', 'pending', 'revoked'].entries()) {
    const row = { id: idAt(101 + n), account_key: new Uint8Array([n]), revoked_at: status === 'revoked' ? 9 : null }
    await sql`insert into connections
      (id, provider, collection_id, account_key, account, status, config, created_at, revoked_at, version, cursor_generation)
      values (${row.id}, 'cloud_drive', ${idAt(1)}, ${row.account_key}, '{"id":"ada","name":"Ada"}', ${status}, '{}',
        ${5 + n}, ${row.revoked_at}, 1, 1)`.execute(db)
  }
  await migrate(db, { dialect, nowMs: toEpochMs(2) })
  const storage = kyselyStorage({ db, dialect, clock: nodeClock })
  expect(await storage.findNextDue(['cloud_drive'])).toBe(5)
  const claims = await storage.claimDue(asked(500))
  expect(claims).toMatchObject([
    { hold: { fence: 1 }, connection: { id: idAt(101), itemsSynced: 0 }, lastPass: 0, hasItems: false }
  ])
}
