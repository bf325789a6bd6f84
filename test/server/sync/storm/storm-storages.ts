import { onTestFinished } from 'vitest'
import { nodeClock } from '../../../../bin/node/node-clock.ts'
import { openPostgresStorage } from '../../../../server/storage/open-postgres-storage.ts'
import type { Storage } from '../../../../server/storage/port/storage.ts'
import { wrapStorage } from '../../../../server/storage/wrap-storage.ts'
import { postgresSchema } from '../../../setup/postgres-schema.ts'
import { ready } from '../../../suites/storage-connector-things.ts'
import type { ManualClock } from '../../http/manual-clock.ts'
import { openStorage } from '../sync-kit.ts'

export type StormStorage = {
  storage: Storage
  /** Whether the storage is working. While it is, no time passes for the others. */
  isBusy(): boolean
  close(): Promise<void>
}

export type OpenStormStorage = (clock: ManualClock) => Promise<StormStorage>

/** Opens a database file of its own, which responds synchronously. */
export const openSqlite: OpenStormStorage = async (clock) => ({
  storage: await openStorage(clock),
  isBusy: () => false,
  close: async () => undefined
})

/** Creates an opener for schemas in the PostgreSQL of this run, or returns the reason why there is none. */
export async function postgresOpener(): Promise<{ open: OpenStormStorage } | { reason: string }> {
  const first = await postgresSchema()
  if ('reason' in first) return first
  await first.remove()
  return { open: openPostgres }
}

async function openPostgres(): Promise<StormStorage> {
  const schema = await postgresSchema()
  if ('reason' in schema) throw new Error(schema.reason)
  const opened = await ready(() => openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 3 }))
  let busy = 0
  const storage = wrapStorage(opened, async (call) => {
    busy += 1
    try {
      return await call()
    } finally {
      busy -= 1
    }
  })
  let closing: Promise<void> | undefined
  const close = async () => {
    await opened.close()
    await schema.remove()
  }
  const once = () => (closing ??= close())
  onTestFinished(once)
  return { storage, isBusy: () => busy > 0, close: once }
}
