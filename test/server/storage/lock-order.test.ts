import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { connected, made, newAttempt, ready } from '../../suites/storage-connector-things.ts'
import { idAt } from '../../suites/storage-place.ts'

type Waiting = {
  sentence: string
  /** Starts the call that must wait for the connection's row. */
  begin(storage: Storage): Promise<unknown>
  /** The table that must not be locked meanwhile. */
  free: string
}

/** Pairs of operations that need the same rows. Both must lock them in the same order to avoid a deadlock. */
const WAITING: readonly Waiting[] = [
  {
    sentence: 'does not lock the collection of a writing sync while a renewed consent waits for its connection',
    async begin(storage) {
      await storage.createAttempt(newAttempt('again'))
      await storage.useAttempt('again', toEpochMs(1500))
      return storage.completeAttempt('again', made(2))
    },
    free: `select id from collections where id = '${idAt(1)}'`
  },
  {
    sentence: 'does not lock the credential of a disconnect while a failed renewal waits for a connection',
    async begin(storage) {
      await storage.leaseRefresh('credential-1', { owner: 'a', now: toEpochMs(5000), until: toEpochMs(6000) })
      return storage.endRefresh('credential-1', { owner: 'a', error: 'the grant is over' })
    },
    free: `select id from credentials where id = 'credential-1'`
  }
]

for (const { sentence, begin, free } of WAITING)
  test(`PostgreSQL: ${sentence}`, async ({ skip }) => {
    const schema = await postgresSchema()
    if ('reason' in schema) return skip(schema.reason)
    onTestFinished(() => schema.remove())
    const storage = await ready(() => openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 2 }))
    onTestFinished(() => storage.close())
    const { id } = await connected(storage, 1, { status: 'active' })
    const other = new pg.Client({ connectionString: schema.url })
    await other.connect()
    onTestFinished(() => other.end())

    await other.query('begin')
    await other.query('select id from connections where id = $1 for update', [id])
    const waiting = begin(storage)
    await untilSomebodyWaitsFor(other)
    await other.query(`${free} for update nowait`)
    await other.query('commit')
    await expect(waiting).resolves.not.toThrow()
  })

/** Waits until another session waits for a lock of this client. */
async function untilSomebodyWaitsFor(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      'select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))'
    )
    if (rows.length > 0) return
  }
}
