/*
 * Not kysely's Migrator: it records migrations in tables of its own and would add a second list of versions beside the
 * one in each shipped database.
 */

import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { RECORD_KINDS } from '../port/record-batch.ts'
import { createConnectorTables, createStoreTable, createSyncTables } from './create-connector-tables.ts'
import type { Dialect } from './dialect.ts'
import type { Db } from './tables.ts'

/** One step from a version of the tables to the next. It never changes after its release. */
type Migration = {
  version: number
  name: string
  up(db: Kysely<unknown>, types: Dialect['types']): Promise<void>
}

/**
 * All steps in order. The keys of `records` begin with the collection's id, so that the table can be partitioned or
 * sharded by it. No foreign key refers to `collections`: records are removed in parts after their collection is
 * deleted, and an append locks the collection's row anyway.
 */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'collections, keys and records', up: firstTables },
  { version: 2, name: 'connectors', up: createConnectorTables },
  { version: 3, name: 'syncing', up: createSyncTables },
  { version: 4, name: 'store id', up: createStoreTable },
  { version: 5, name: 'damage', up: damageTables },
  { version: 6, name: 'unconfirmed absences', up: absenceColumns },
  { version: 7, name: 'whole times', up: roundTimes },
  { version: 8, name: 'rows set aside', up: asideRows },
  { version: 9, name: 'what a scrub has found', up: scrubFound },
  { version: 10, name: 'reads', up: readsTable },
  { version: 11, name: 'lines of unknown kind', up: unknownLines },
  { version: 12, name: 'place names', up: placeNames },
  { version: 13, name: 'epochs', up: epochTables }
]

async function firstTables(db: Kysely<unknown>, types: Dialect['types']): Promise<void> {
  await createCollections(db, types)
  await createRecords(db, types)
  await createKeys(db, types)
}

async function createCollections(db: Kysely<unknown>, types: Dialect['types']): Promise<void> {
  await db.schema
    .createTable('collections')
    .addColumn('id', types.id, (column) => column.primaryKey().notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer)
    .addColumn('owner_key_id', types.id)
    .addColumn('snapshot_id', types.text, (column) => column.notNull())
    .addColumn('memories', types.integer, (column) => column.notNull().defaultTo(0))
    .addColumn('seq', types.integer, (column) => column.notNull().defaultTo(0))
    .addColumn('deleted_at', types.integer)
    .execute()
  await db.schema
    .createIndex('collections_expiry')
    .on('collections')
    .column('expires_at')
    .where(sql.ref('expires_at'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('collections_deleted')
    .on('collections')
    .column('deleted_at')
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()
}

async function createRecords(db: Kysely<unknown>, types: Dialect['types']): Promise<void> {
  await db.schema
    .createTable('records')
    .addColumn('collection_id', types.id, (column) => column.notNull())
    .addColumn('seq', types.integer, (column) => column.notNull())
    .addColumn('kind', 'smallint', (column) => column.notNull())
    .addColumn('key', types.bytes, (column) => column.notNull())
    .addColumn('time', types.integer, (column) => column.notNull())
    .addColumn('extractor', types.integer, (column) => column.notNull())
    .addColumn('check_hash', types.bytes, (column) => column.notNull())
    .addColumn('line_bytes', 'integer', (column) => column.notNull())
    .addColumn('line', types.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('records_pkey', ['collection_id', 'seq'])
    .addUniqueConstraint('records_by_key', ['collection_id', 'key', 'kind'])
    .execute()
}

async function createKeys(db: Kysely<unknown>, types: Dialect['types']): Promise<void> {
  await db.schema
    .createTable('keys')
    .addColumn('id', types.id, (column) => column.primaryKey().notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('hash', types.bytes, (column) => column.notNull().unique())
    .addColumn('admin', 'smallint', (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('revoked_at', types.integer)
    .execute()
  await db.schema
    .createTable('grants')
    .addColumn('key_id', types.id, (column) => column.notNull().references('keys.id').onDelete('cascade'))
    .addColumn('collection_id', types.id, (column) => column.notNull())
    .addColumn('permission', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('grants_pkey', ['key_id', 'collection_id'])
    .execute()
  await db.schema.createIndex('grants_by_collection').on('grants').column('collection_id').execute()
}

/**
 * Adds columns for items that are absent from a complete listing. Such an item is kept until its deletion is confirmed.
 */
async function absenceColumns(db: Kysely<unknown>, { integer }: Dialect['types']): Promise<void> {
  for (const name of ['absent_since', 'absent_pass'])
    await db.schema.alterTable('items').addColumn(name, integer).execute()
}

/**
 * Rounds stored times. SQLite kept the fractions of times that were derived from a clock with fractions; PostgreSQL
 * never did.
 */
async function roundTimes(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of FRACTIONAL_TIMES)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = round(${sql.ref(column)})
      where ${sql.ref(column)} <> round(${sql.ref(column)})`.execute(db)
}

/** Columns with times that can depend on a provider's retry delay. */
const FRACTIONAL_TIMES = [
  ['connections', 'next_run_at'],
  ['items', 'next_try_at']
] as const

type Types = Dialect['types']

/**
 * Creates the tables for verification: notes of damaged lines, lines that were set aside, and the progress of the
 * background check.
 */
async function damageTables(db: Kysely<unknown>, types: Types): Promise<void> {
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

/**
 * Adds a count of the problems that the current pass of the background check has found. The count of the last complete
 * pass is separate.
 */
async function scrubFound(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .alterTable('scrub')
    .addColumn('found', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}

/** Creates the table in which repairs keep rows of tables other than `records`, as JSON. */
async function asideRows(db: Kysely<unknown>, types: Types): Promise<void> {
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

/**
 * Creates the table of lines that were set aside. All columns are nullable, so that a damaged row is kept unchanged.
 */
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

/**
 * Creates the table of reads that have begun and have no stored outcome yet. It has no index except its key: it holds
 * few rows, and each write names its items.
 */
async function readsTable(db: Kysely<unknown>, types: Dialect['types']): Promise<void> {
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

/** Lines of unknown kind are few. Each forget looks through them for those that are about the forgotten memory. */
async function unknownLines(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('records_unknown')
    .on('records')
    .column('collection_id')
    .where(sql.ref('kind'), '=', sql.lit(RECORD_KINDS.unknown))
    .execute()
}

/** Adds the names of the selected folders or channels, which a sync or a change of the selection stores. */
async function placeNames(db: Kysely<unknown>, { text }: Types): Promise<void> {
  await db.schema.alterTable('connections').addColumn('place_names', text).execute()
}

/** Adds the epoch of the database, which each start replaces, and the epochs in which a collection was written. */
async function epochTables(db: Kysely<unknown>, { text }: Types): Promise<void> {
  await db.schema
    .createTable('epoch')
    .addColumn('id', 'smallint', (column) => column.primaryKey().notNull())
    .addColumn('epoch', text, (column) => column.notNull())
    .execute()
  await db.schema.alterTable('collections').addColumn('epochs', text).execute()
}

type MigrateOptions = {
  dialect: Dialect
  /** Milliseconds since 1970. */
  nowMs: EpochMs
  /** Those of this version, except in tests. */
  migrations?: readonly Migration[]
  /** Only an existing store is migrated. None is created. */
  mustExist?: boolean | undefined
}

/**
 * Migrates the tables to the newest version that this program knows. All steps run in one transaction under a lock. If
 * several servers start at once, one migrates and the others find nothing to do.
 *
 * @throws Fault `conflict` if a newer program has changed the tables; `not_found` if there are no tables and
 * `mustExist` is set.
 */
export async function migrate(
  db: Db,
  { dialect, nowMs, migrations = MIGRATIONS, mustExist }: MigrateOptions
): Promise<void> {
  const known = migrations.at(-1)?.version ?? 0
  if (await isUpToDate(db, known)) return
  await db.transaction().execute(async (transaction) => {
    await dialect.lock(transaction, 'migrations')
    const versions = toVersions(transaction)
    await createVersions(versions, dialect)
    const present = await newestVersion(versions)
    if (present > known) throw newerTables(present, known)
    if (present === 0 && mustExist === true) throw noStoreFault('the database has no memctl tables')
    for (const { version, name, up } of migrations.filter((step) => step.version > present)) {
      await up(versions as unknown as Kysely<unknown>, dialect.types)
      await versions.insertInto('schema_versions').values({ version, name, applied_at: nowMs }).execute()
    }
  })
}

/**
 * Checks that the tables have the version of this program, and changes nothing.
 *
 * @throws Fault `conflict` if they are older or newer; `not_found` if there are no tables.
 */
export async function assertUpToDate(db: Db): Promise<void> {
  const known = MIGRATIONS.at(-1)?.version ?? 0
  const present = await newestVersion(toVersions(db)).catch((error: unknown) => {
    if (/no such table|does not exist/.test(String(error))) return 0
    throw error
  })
  if (present > known) throw newerTables(present, known)
  if (present === 0) throw noStoreFault('the database has no memctl tables')
  if (present < known) throw olderTables(present, known)
}

type Versions = { schema_versions: { version: number; name: string; applied_at: EpochMs } }

/**
 * Reports whether the tables are up to date. This runs first, so that a user without the right to create tables can
 * open existing ones. A refusal occurs again in a later statement.
 */
function isUpToDate(db: Db, known: number): Promise<boolean> {
  return newestVersion(toVersions(db)).then(
    (present) => present === known,
    () => false
  )
}

/** Returns the database typed with the table of versions, which the rest of the storage does not use. */
function toVersions(db: Db): Kysely<Versions> {
  return db as unknown as Kysely<Versions>
}

async function createVersions(versions: Kysely<Versions>, { types }: Dialect): Promise<void> {
  await versions.schema
    .createTable('schema_versions')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('applied_at', types.integer, (column) => column.notNull())
    .execute()
}

async function newestVersion(versions: Kysely<Versions>): Promise<number> {
  const row = await versions
    .selectFrom('schema_versions')
    .select(sql<number>`coalesce(max(version), 0)`.as('newest'))
    .executeTakeFirstOrThrow()
  return row.newest
}

/** Builds the error for a store that must exist and does not. `why` is a clause. */
export function noStoreFault(why: string): Fault {
  return new Fault('not_found', `no store exists: ${why}`, { hint: 'check --data-dir and --database-url' })
}

function olderTables(present: number, known: number): Fault {
  return new Fault('conflict', `the storage has tables of version ${present}, but this memctl needs version ${known}`, {
    hint: 'start the server once with this memctl, which migrates them'
  })
}

function newerTables(present: number, known: number): Fault {
  return new Fault(
    'conflict',
    `the storage has tables of version ${present}, but this memctl supports versions up to ${known}`,
    {
      hint: 'use the newer memctl that migrated them, or another data folder or database'
    }
  )
}
