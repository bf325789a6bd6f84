import { onTestFinished } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { postgresSchema, reusedPostgresSchema } from '../../setup/postgres-schema.ts'
import { startTestServer, type TestServerOptions } from './server-kit.ts'

/**
 * Returns a function that starts a server over a PostgreSQL schema of its own, or returns the reason why there is none.
 * To be called once in each test file, because the file removes its schemas at its end.
 */
export function makeStartOverPostgres() {
  const takeSchema = reusedPostgresSchema()
  return async (options: TestServerOptions = {}) => {
    const schema = await takeSchema()
    if ('reason' in schema) return schema
    onTestFinished(() => schema.remove())
    const clock = options.clock ?? nodeClock
    const storage = await openPostgresStorage({ url: schema.url, clock, connections: 4 })
    return await startTestServer({ ...options, storage })
  }
}

/** Opens two storages over one PostgreSQL schema, as two nodes do, or returns the reason why there are none. */
export async function openPostgresPair() {
  const schema = await postgresSchema()
  if ('reason' in schema) return schema
  onTestFinished(() => schema.remove())
  const open = () => openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 4 })
  return [await open(), await open()] as const
}
