import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { hashOf, idAt } from '../../suites/storage-place.ts'
import { passOver } from './check-kit.ts'
import { allTexts, batchOf, memory } from './record-lines.ts'

/**
 * Databases written by migration version 10, with rows in most tables, and what that version read from them. These
 * files never change; a later version gets its own folder beside this one.
 */
const WRITTEN = path.join(import.meta.dirname, 'version-10')

test('SQLite: opens a database of version 10 without loss', async () => {
  const file = path.join(temporaryFolder(), 'memctl.db')
  writeFileSync(file, gunzipSync(readFileSync(path.join(WRITTEN, 'sqlite.db.gz'))))
  await expectNoLoss(await openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock }))
})

test('PostgreSQL: opens a database of version 10 without loss', async ({ skip }) => {
  const schema = await postgresSchema()
  if ('reason' in schema) return skip(schema.reason)
  onTestFinished(() => schema.remove())
  const client = new pg.Client({ connectionString: schema.url })
  await client.connect()
  await client.query(readFileSync(path.join(WRITTEN, 'postgres.sql'), 'utf8')).finally(() => client.end())
  await expectNoLoss(await openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 3 }))
})

async function expectNoLoss(storage: Storage): Promise<void> {
  onTestFinished(() => storage.close())
  const written = JSON.parse(readFileSync(path.join(WRITTEN, 'contents.json'), 'utf8'))
  expect(asJson(await readContents(storage))).toEqual(written)
  expect((await passOver({ storage })).findings).toEqual([])
  await storage.append(idAt(2), batchOf([memory('new')]))
  expect((await allTexts(storage, idAt(2))).at(-1)).toEqual([3, 'new'])
}

/** Reads the content of the database through the port. */
async function readContents(storage: Storage) {
  const ofEach = <T>(numbers: readonly number[], read: (id: string) => Promise<T>) =>
    Promise.all(numbers.map((n) => read(idAt(n))))
  return {
    storeId: await storage.ensureStoreId('st_other'),
    vaultKeys: await storage.listVaultKeys(),
    // That version had no epochs.
    collections: (await storage.listCollections()).map(({ epochs, ...collection }) => collection),
    keys: [await storage.findKeyByHash(hashOf(1)), await storage.findKeyByHash(hashOf(2))],
    lines: await ofEach([1, 2], (id) => allTexts(storage, id)),
    knownIds: await ofEach([1, 2], (id) => storage.listKnownIds(id)),
    connections: await ofEach([101, 102, 103], (id) => storage.findConnection(id)),
    schedules: await ofEach([101, 103], (id) => storage.findSchedule(id)),
    credentials: await Promise.all([1, 2, 3].map((n) => storage.findCredential(`credential-${n}`))),
    attempt: await storage.findAttempt('waiting'),
    items: await ofEach([101, 102], (id) => storage.listItems(id, { status: undefined, after: undefined, limit: 100 })),
    runs: await ofEach([101, 102, 103], (id) => storage.listRuns(id, { limit: 10 })),
    ledger: [...(await storage.listLedgerEntries(idAt(101), ''))],
    cleanups: await storage.listOpenCleanups({ now: toEpochMs(99_000), limit: 10 })
  }
}

/** Converts a value to JSON with bytes as hex. */
function asJson(value: unknown): unknown {
  const toHex = (_: string, member: unknown) =>
    member instanceof Uint8Array ? Buffer.from(member).toString('hex') : member
  return JSON.parse(JSON.stringify(value, toHex))
}
