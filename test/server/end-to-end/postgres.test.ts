import { onTestFinished } from 'vitest'
import { nodeClock } from '../../../bin/node/clock.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { keysSuite } from './keys-suite.ts'
import { memoriesSuite } from './memories-suite.ts'
import { startTestServer } from './server-kit.ts'
import { snapshotsSuite } from './snapshots-suite.ts'
import { stormSuite } from './storm-suite.ts'

async function start() {
  const schema = await postgresSchema()
  if ('reason' in schema) return schema
  onTestFinished(() => schema.remove())
  const open = () => openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 4 })
  return startTestServer({ storage: await open() })
}

memoriesSuite(start)
snapshotsSuite(start)
keysSuite(start)
stormSuite(start)
