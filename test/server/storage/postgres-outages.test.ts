import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { MIGRATIONS } from '../../../server/storage/database/migrations.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { KEY } from '../../suites/storage-connector-things.ts'
import { idAt, newCollection, newKey } from '../../suites/storage-place.ts'
import { activeConnection, claimOne, ended } from '../../suites/storage-queue-things.ts'
import { type Way, wayTo } from './cut-connections.ts'
import { allTexts, batchOf, memory } from './record-lines.ts'

type Body = (parts: { storage: Storage; way: Way; url: string }) => Promise<void>

/** Distinguishes the connections of these tests from those of other tests on the same PostgreSQL. */
const APPLICATION_NAME = 'memctl-outages'

function outageTest(sentence: string, body: Body): void {
  test(sentence, async ({ skip }) => {
    const schema = await postgresSchema()
    if ('reason' in schema) return skip(schema.reason)
    onTestFinished(() => schema.remove())
    const way = await wayTo(schema.url)
    const named = new URL(way.url)
    named.searchParams.set('application_name', APPLICATION_NAME)
    const storage = await opened(named.href)
    await storage.createCollection(newCollection(1))
    await body({ storage, way, url: schema.url })
  })
}

outageTest('hides idle connections that break', async ({ storage, way }) => {
  way.cut()
  await new Promise(setImmediate)
  expect(await storage.append(idAt(1), batchOf([memory('a')]))).toMatchObject({ seq: 1 })
})

outageTest('hides connections that PostgreSQL ends', async ({ storage, url }) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ended = await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [APPLICATION_NAME]
  )
  expect(ended.rowCount).toBeGreaterThan(0)
  await client.end()
  expect(await storage.findCollection(idAt(1))).toMatchObject({ seq: 0 })
})

outageTest('reports an unreachable PostgreSQL in every call, and recovers afterwards', async ({ storage, way }) => {
  await storage.append(idAt(1), batchOf([memory('a')]))
  await way.close()
  const calls = [storage.ping(), storage.append(idAt(1), batchOf([memory('b')])), storage.listKeys()]
  const answers = await Promise.allSettled(calls)
  const fault = {
    code: 'unavailable',
    message: 'the storage is unavailable: PostgreSQL cannot be reached',
    retryAfter: 2
  }
  for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: fault })
  await way.open()
  await storage.ping()
  expect(await allTexts(storage, idAt(1))).toEqual([[1, 'a']])
  expect(await storage.append(idAt(1), batchOf([memory('b')]))).toMatchObject({ seq: 2 })
})

outageTest('repeats an append whose connection breaks before its commit', async ({ storage, way }) => {
  way.cutAfter('insert into')
  expect([...(await storage.append(idAt(1), batchOf([memory('a')]))).outcomes]).toEqual([0])
  expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 1, seq: 1 })
})

outageTest('appends once if the commit is not acknowledged', async ({ storage, way }) => {
  way.cutAfter('commit')
  const { seq } = await storage.append(idAt(1), batchOf([memory('a')]))
  expect(seq).toBe(1)
  expect(await allTexts(storage, idAt(1))).toEqual([[1, 'a']])
})

outageTest('deletes once if the commit is not acknowledged', async ({ storage, way }) => {
  way.cutAfter('commit')
  await expect(storage.deleteCollection(idAt(1))).rejects.toMatchObject({ code: 'unavailable' })
  await storage.ping()
})

outageTest(
  'does not lose a claim whose commit is not acknowledged for the length of its lease',
  async ({ storage, way }) => {
    await storage.createKey(newKey(1))
    await storage.changeVaultKey(undefined, KEY)
    await activeConnection(storage, 1)
    way.cutAfter('commit')
    const { hold } = await claimOne(storage, 500)
    way.cutAfter('commit')
    expect(await storage.endRun(hold, ended(2010))).toBe(true)
    expect(await storage.listRuns(hold.connectionId, { limit: 9 })).toMatchObject([
      { id: idAt(500), outcome: 'succeeded' }
    ])
  }
)

outageTest('keeps everything that was acknowledged while connections broke, each once', async ({ storage, way }) => {
  const texts = Array.from({ length: 60 }, (_, n) => `memory ${n}`)
  const done: string[] = []
  for (const [n, text] of texts.entries()) {
    const append = storage.append(idAt(1), batchOf([memory(text)])).then(() => done.push(text))
    if (n % 10 === 3) way.cut()
    if (n % 10 === 7) way.cutAfter('commit')
    await append.catch((fault) => expect(fault).toMatchObject({ code: 'unavailable' }))
  }
  const stored = (await allTexts(storage, idAt(1))).map(([, text]) => text)
  expect(done.length).toBeGreaterThan(50)
  expect(stored.filter((text) => done.includes(text))).toEqual(done)
  expect(new Set(stored).size).toBe(stored.length)
})

outageTest('refuses a wrong password without showing it', async ({ url }) => {
  const wrong = new URL(url)
  wrong.password = 'not-the-password'
  const { hostname, port, pathname } = wrong
  const fault = await opened(wrong.href).catch((error) => error)
  expect(`${fault.code}: ${fault.message}`).toBe(
    `unavailable: cannot open the storage at ${hostname}:${port}${pathname}: PostgreSQL rejects the user or the password`
  )
})

outageTest('leaves tables of a newer program unchanged', async ({ storage, url }) => {
  await storage.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("insert into schema_versions values (99, 'from the future', 0)")
  await client.end()
  await expect(opened(url)).rejects.toMatchObject({
    code: 'conflict',
    message: `the storage has tables of version 99, but this memctl supports versions up to ${MIGRATIONS.at(-1)?.version}`,
    hint: 'use the newer memctl that migrated them, or another data folder or database'
  })
})

async function opened(url: string): Promise<Storage> {
  const storage = await openPostgresStorage({ url, clock: nodeClock, connections: 3 })
  onTestFinished(() => storage.close())
  return storage
}
