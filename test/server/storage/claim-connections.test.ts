import path from 'node:path'
import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import type { Database } from '../../../server/storage/database/dialect.ts'
import { migrate } from '../../../server/storage/database/migrations.ts'
import { hashTexts } from '../../../server/storage/database/stored-values.ts'
import type { ConnectionRow, Db, Tables } from '../../../server/storage/database/tables.ts'
import { POSTGRES_DIALECT, postgresPool } from '../../../server/storage/engines/postgres-pool.ts'
import { SQLITE_DIALECT, sqliteConnection } from '../../../server/storage/engines/sqlite-connection.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import type { Claim } from '../../../server/storage/port/sync-storage.ts'
import { connectionQueue } from '../../../server/storage/tables/connection-queue.ts'
import { NEVER_SYNCED } from '../../../server/storage/tables/connections-table.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { idAt } from '../../suites/storage-place.ts'
import { asked, numbersOf } from '../../suites/storage-queue-things.ts'

const NODES = 4
const BATCH = 7

test('claims a thousand due connections once each on four nodes over one PostgreSQL, collection by collection', async ({
  skip
}) => {
  const schema = await postgresSchema()
  if ('reason' in schema) return skip(schema.reason)
  onTestFinished(() => schema.remove())
  const nodes: Storage[] = []
  for (let n = 0; n < NODES; n++) {
    nodes.push(await openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 2 }))
  }
  onTestFinished(async () => {
    for (const node of nodes) await node.close()
  })
  const db = postgresTables(schema.url)
  // One collection has 910 connections that are due longest; nine others have ten each.
  await insertConnections(db, 1000, (n) => ({
    collection_id: idAt(n < 910 ? 1 : 2 + (n % 9)),
    next_run_at: toEpochMs(n)
  }))

  const claims: Claim[] = []
  await Promise.all(nodes.map((node, at) => claimAll(node, at, claims)))
  const numbers = numbersOf(claims)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, n) => n))
  expect(new Set(claims.map(({ hold }) => hold.runId)).size).toBe(1000)
  expect(claims.every(({ hold }) => hold.fence === 1)).toBe(true)
  const { rows } = await db.executeQuery<{ owner: string; run: string; id: string }>(
    CompiledQuery.raw('select lease_owner as owner, run_id as run, id from connections')
  )
  const stored = new Map(rows.map(({ id, owner, run }) => [id, `${owner} ${run}`]))
  expect(stored).toEqual(new Map(claims.map(({ hold }) => [hold.connectionId, `${hold.owner} ${hold.runId}`])))
  // The small collections should be done after a hundred claims, but nodes do not see concurrent claims of each other.
  expect(numbers.findLastIndex((n) => n >= 910)).toBeLessThan(300)
})

test('SQLite: finds due connections among 10,000 by index', async () => {
  const database = sqliteConnection(path.join(temporaryFolder(), 'memctl.db'))
  const asking: CompiledQuery[] = []
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database }),
    log: (event) => void asking.push(event.query)
  })
  onTestFinished(() => db.destroy())
  await migrate(db, { dialect: SQLITE_DIALECT, nowMs: toEpochMs(0) })
  await insertConnections(db, 10_000, mostlyAsleep)
  const { sql, parameters } = await claimStatement({ db, dialect: SQLITE_DIALECT, clock: nodeClock }, asking)
  const plan = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
  )
  const steps = plan.rows.map(({ detail }) => detail)
  expect(steps.filter((step) => step.includes('SCAN connections') && !step.includes('connections_held'))).toEqual([])
  expect(steps.some((step) => step.includes('USING INDEX connections_due (next_run_at<?)'))).toBe(true)
})

test('PostgreSQL: finds due connections among 10,000 by index', async ({ skip }) => {
  const schema = await postgresSchema()
  if ('reason' in schema) return skip(schema.reason)
  onTestFinished(() => schema.remove())
  const asking: CompiledQuery[] = []
  const db = postgresTables(schema.url, asking)
  await migrate(db, { dialect: POSTGRES_DIALECT, nowMs: toEpochMs(0) })
  await insertConnections(db, 10_000, mostlyAsleep)
  await db.executeQuery(CompiledQuery.raw('analyze connections'))
  const { sql, parameters } = await claimStatement({ db, dialect: POSTGRES_DIALECT, clock: nodeClock }, asking)
  const plan = await db.executeQuery<Record<string, string>>(CompiledQuery.raw(`explain ${sql}`, [...parameters]))
  const steps = plan.rows.map((row) => row['QUERY PLAN'] ?? '')
  expect(steps.filter((step) => step.includes('Seq Scan on connections'))).toEqual([])
  expect(steps.some((step) => step.includes('connections_due'))).toBe(true)
})

/** Claims until nothing is left. A node leaves connections that others have locked to them. */
async function claimAll(node: Storage, at: number, claims: Claim[]): Promise<void> {
  for (let run = 100_000 * (at + 1); ; run += BATCH) {
    const taken = await node.claimDue(asked(run, { owner: `node ${at}`, limit: BATCH }))
    if (taken.length === 0) return
    claims.push(...taken)
  }
}

/** Makes one in a hundred connections due. The others are revoked, paused although due, or not due yet. */
function mostlyAsleep(n: number): Partial<ConnectionRow> {
  const collection_id = idAt(1 + (n % 50))
  if (n % 100 === 0) return { collection_id, next_run_at: toEpochMs(1000) }
  if (n % 3 === 0) return { collection_id, next_run_at: null, status: 'revoked', revoked_at: toEpochMs(500) }
  return n % 3 === 1
    ? { collection_id, next_run_at: toEpochMs(1000), paused_at: toEpochMs(500) }
    : { collection_id, next_run_at: toEpochMs(1_000_000 + n) }
}

async function claimStatement(database: Database, asking: CompiledQuery[]): Promise<CompiledQuery> {
  expect(await connectionQueue.claimDue(database, asked(500))).toHaveLength(10)
  const statement = asking.find(({ sql }) => sql.includes('row_number'))
  if (statement === undefined) throw new Error('no statement claimed')
  return statement
}

function postgresTables(url: string, asking: CompiledQuery[] = []): Db {
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: postgresPool({ url, connections: 1 }) }),
    log: (event) => void asking.push(event.query)
  })
  onTestFinished(() => db.destroy())
  return db
}

/** Inserts active connections that were never synced, with the changes of `more`. `numbersOf` returns their numbers. */
async function insertConnections(db: Db, count: number, more: (n: number) => Partial<ConnectionRow>): Promise<void> {
  const rows = Array.from({ length: count }, (_, n): ConnectionRow => {
    const account = {
      account_key: hashTexts(`account ${n}`),
      account: '{"id":"","name":""}',
      credential_id: 'credential'
    }
    return {
      ...{ id: idAt(100 + n), provider: 'cloud_drive', collection_id: idAt(1), status: 'active', config: '{}' },
      ...{
        ...account,
        place_names: null,
        last_error: null,
        created_at: toEpochMs(0),
        revoked_at: null,
        version: 1,
        cursor_generation: 1
      },
      ...NEVER_SYNCED,
      ...more(n)
    }
  })
  for (let at = 0; at < rows.length; at += 500) {
    await db
      .insertInto('connections')
      .values(rows.slice(at, at + 500))
      .execute()
  }
}
