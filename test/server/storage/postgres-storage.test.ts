import { onTestFinished } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { storageSuite } from '../../suites/storage-suite.ts'

storageSuite(async () => {
  const schema = await postgresSchema()
  if ('reason' in schema) return schema
  onTestFinished(() => schema.remove())
  return { open: () => openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 4 }) }
})
