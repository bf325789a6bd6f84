import type { Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'

/** Reads that were begun and whose outcome is not written yet. No index but the key: there are few, and each write names its items. */
export async function readsTable(db: Kysely<unknown>, types: Dialect['types']): Promise<void> {
  await db.schema
    .createTable('reads')
    .addColumn('connection_id', types.id, (column) => column.notNull())
    .addColumn('item_id', types.bytes, (column) => column.notNull())
    .addColumn('version', types.text)
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('run_id', types.id)
    .addPrimaryKeyConstraint('reads_pkey', ['connection_id', 'item_id'])
    .execute()
}
