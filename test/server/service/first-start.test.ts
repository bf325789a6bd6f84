import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { hashKey } from '../../../server/http/make-key.ts'
import { initializeStorage } from '../../../server/service/check-start.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import type { LogFields } from '../../../src/ports.ts'
import { temporaryFolder } from '../../device/device-kit.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { sqliteStorage } from '../end-to-end/server-kit.ts'

const GIVEN = `mk_${'A'.repeat(43)}`

const ENGINES = {
  sqlite: () => sqliteStorage(temporaryFolder()),
  async postgres() {
    const schema = await postgresSchema()
    if ('reason' in schema) return schema
    onTestFinished(() => schema.remove())
    return await openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 2 })
  }
}

/** Starts servers over one storage, and records their logs. */
function startsOver(storage: Storage) {
  onTestFinished(() => storage.close())
  const told: string[] = []
  const tell = (fields: LogFields, message: string): void => void told.push(`${JSON.stringify(fields)} ${message}`)
  const world = { clock: nodeClock, ids: nodeIds, log: { error: tell, info: tell, debug: tell } }
  const start = (more: { adminKey?: string; newAdminKey?: boolean } = {}) =>
    initializeStorage({ storage, world, adminKey: undefined, ...more })
  return { start, told }
}

test.for(['sqlite', 'postgres'] as const)('replaces a lost admin key by another one: %s', async (engine, { skip }) => {
  const storage = await ENGINES[engine]()
  if ('reason' in storage) return skip(storage.reason)
  const { start, told } = startsOver(storage)
  const first = await start()
  expect(await start()).toBeUndefined()
  const second = (await start({ newAdminKey: true })) ?? ''
  expect(second).not.toBe(first)
  const [one, two, ...more] = await storage.listKeys()
  expect({ one, two, more }).toMatchObject({ one: { admin: true }, two: { admin: true }, more: [] })
  expect(await storage.findKeyByHash(hashKey(second))).toMatchObject({ id: two?.id })
  expect(await storage.listCollections()).toHaveLength(1)
  expect(told.at(-1)).toContain(two?.id)
  expect(told.join()).not.toContain(second)
})

test('creates one key at the first start, even if another is requested', async () => {
  const storage = await ENGINES.sqlite()
  await startsOver(storage).start({ newAdminKey: true })
  expect(await storage.listKeys()).toHaveLength(1)
})

test('creates the key of the settings once, and never a revoked one', async () => {
  const storage = await ENGINES.sqlite()
  const { start, told } = startsOver(storage)
  await start()
  expect(await start({ adminKey: GIVEN })).toBeUndefined()
  expect(told.at(-1)).toContain('--new-admin-key')
  const again = { adminKey: GIVEN, newAdminKey: true }
  expect([await start(again), await start(again)]).toEqual([GIVEN, GIVEN])
  expect(await storage.listKeys()).toHaveLength(2)
  await storage.revokeKey((await storage.findKeyByHash(hashKey(GIVEN)))?.id ?? '')
  await expect(start(again)).rejects.toMatchObject({ code: 'conflict' })
})
