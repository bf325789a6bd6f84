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
  /** Whether it works on something: while it does, no time goes by for the others. */
  isBusy(): boolean
  close(): Promise<void>
}

export type OpenStormStorage = (clock: ManualClock) => Promise<StormStorage>

/** A file that nobody else has. It answers at once. */
export const openSqlite: OpenStormStorage = async (clock) => ({
  storage: await openStorage(clock),
  isBusy: () => false,
  close: async () => undefined
})

/** A schema of its own in the PostgreSQL of this run, or why there is none. */
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
