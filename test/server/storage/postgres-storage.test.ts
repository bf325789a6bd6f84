import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { POSTGRES_DIALECT } from '../../../server/storage/engines/postgres-pool.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { reusedPostgresSchema } from '../../setup/postgres-schema.ts'
import { storageSuite } from '../../suites/storage-suite.ts'

const postgresSchema = reusedPostgresSchema()

storageSuite(async () => {
  const schema = await postgresSchema()
  if ('reason' in schema) return schema
  onTestFinished(() => schema.remove())
  return { open: () => openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 4 }) }
})

test('takes a stored counter that nothing can be added to for damage', () => {
  const error = Object.assign(new pg.DatabaseError('bigint out of range', 0, 'error'), { code: '22003' })
  expect(POSTGRES_DIALECT.toFailure(error)).toMatchObject({ isDamage: true })
})
