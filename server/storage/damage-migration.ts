import type { Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'

type Types = Dialect['types']

/** What verifying keeps: notes of damaged lines, lines that were set aside, and how far the background check has come. */
export async function damageTables(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .alterTable('collections')
    .addColumn('damaged', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('damaged_lines')
    .addColumn('collection_id', types.id, (column) => column.notNull())
    .addColumn('seq', types.integer, (column) => column.notNull())
    .addColumn('reason', types.text, (column) => column.notNull())
    .addColumn('found_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('damaged_lines_pkey', ['collection_id', 'seq'])
    .execute()
  await createAside(db, types)
  await db.schema
    .createTable('scrub')
    .addColumn('id', 'smallint', (column) => column.primaryKey().notNull())
    .addColumn('owner', types.text)
    .addColumn('lease_until', types.integer)
    .addColumn('position', types.text)
    .addColumn('ended_at', types.integer)
    .addColumn('damage', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}

/** What the pass of the background check under way has found, apart from what the last complete one found. */
export async function scrubFound(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .alterTable('scrub')
    .addColumn('found', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}

/** Where repairs keep rows of other tables than `records`, as JSON. */
export async function asideRows(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('aside_rows')
    .addColumn('table_name', types.text, (column) => column.notNull())
    .addColumn('collection_id', types.id)
    .addColumn('place', types.text, (column) => column.notNull())
    .addColumn('contents', types.text, (column) => column.notNull())
    .addColumn('reason', types.text, (column) => column.notNull())
    .addColumn('set_aside_at', types.integer, (column) => column.notNull())
    .execute()
}

/** No column demands a value: a damaged row is kept as it is. */
async function createAside(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('aside_lines')
    .addColumn('collection_id', types.id)
    .addColumn('seq', types.integer)
    .addColumn('kind', 'smallint')
    .addColumn('key', types.bytes)
    .addColumn('time', types.integer)
    .addColumn('extractor', types.integer)
    .addColumn('check_hash', types.bytes)
    .addColumn('line_bytes', 'integer')
    .addColumn('line', types.bytes)
    .addColumn('taken_back', 'smallint')
    .addColumn('reason', types.text, (column) => column.notNull())
    .addColumn('set_aside_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('aside_by_key').on('aside_lines').columns(['collection_id', 'key']).execute()
}
