import { onTestFinished } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { startTestServer, type TestServerOptions } from './server-kit.ts'

/** Starts a server over its own PostgreSQL schema, or returns the reason why there is none. */
export async function startOverPostgres(options: TestServerOptions = {}) {
  const schema = await postgresSchema()
  if ('reason' in schema) return schema
  onTestFinished(() => schema.remove())
  const clock = options.clock ?? nodeClock
  const storage = await openPostgresStorage({ url: schema.url, clock, connections: 4 })
  return await startTestServer({ ...options, storage })
}
