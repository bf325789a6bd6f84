import pg from 'pg'
import { onTestFinished } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { APPEND_TESTS } from '../../suites/storage-append-tests.ts'
import { PAGE_TESTS } from '../../suites/storage-page-tests.ts'
import { type MakePlace, runStorageTests } from '../../suites/storage-place.ts'

const PARTITIONS = 4

/** Statements with which an operator may partition the new table of records by collection. */
const PARTITIONED = [
  'alter table records rename to records_whole',
  `create table records (
    like records_whole including defaults including storage,
    constraint records_by_seq primary key (collection_id, seq),
    constraint records_by_id unique (collection_id, key, kind)
  ) partition by hash (collection_id)`,
  ...Array.from(
    { length: PARTITIONS },
    (_, n) => `create table records_${n} partition of records for values with (modulus ${PARTITIONS}, remainder ${n})`
  ),
  'drop table records_whole'
]

const place: MakePlace = async () => {
  const schema = await postgresSchema()
  if ('reason' in schema) return schema
  onTestFinished(() => schema.remove())
  const options = { url: schema.url, clock: nodeClock, connections: 4 }
  await (await openPostgresStorage(options)).close()
  const client = new pg.Client({ connectionString: schema.url })
  await client.connect()
  await client.query(PARTITIONED.join(';'))
  await client.end()
  return { open: () => openPostgresStorage(options) }
}

runStorageTests(place, APPEND_TESTS)
runStorageTests(place, PAGE_TESTS)
