import { type Kysely, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

type Types = Dialect['types']

/** Creates the connector tables of version 2. */
export async function createConnectorTables(db: Kysely<unknown>, types: Types): Promise<void> {
  await createAttempts(db, types)
  await createConnections(db, types)
  await createCredentials(db, types)
  await db.schema
    .createTable('vault')
    .addColumn('id', 'smallint', (column) => column.primaryKey().notNull())
    .addColumn('current_key', types.text, (column) => column.notNull())
    .execute()
}

/** Creates the table of the store's id, introduced in version 4. */
export async function createStoreTable(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('store')
    .addColumn('id', 'smallint', (column) => column.primaryKey().notNull())
    .addColumn('store_id', types.text, (column) => column.notNull())
    .execute()
}

async function createAttempts(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('attempts')
    .addColumn('id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('provider', types.text, (column) => column.notNull())
    .addColumn('collection_id', types.id, (column) => column.notNull())
    .addColumn('key_id', types.id, (column) => column.notNull())
    .addColumn('config', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .addColumn('used_at', types.integer)
    .addColumn('ended_at', types.integer)
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('detail', types.text)
    .addColumn('connection_id', types.id)
    .addColumn('verifier', types.bytes)
    .addColumn('verifier_key', types.text)
    .addColumn('held', types.bytes)
    .addColumn('held_key', types.text)
    .addColumn('held_grant', types.text)
    .addColumn('ticket_hash', types.bytes)
    .execute()
  await db.schema.createIndex('attempts_by_expiry').on('attempts').column('expires_at').execute()
}

async function createConnections(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('connections')
    .addColumn('id', types.id, (column) => column.primaryKey().notNull())
    .addColumn('provider', types.text, (column) => column.notNull())
    .addColumn('collection_id', types.id, (column) => column.notNull())
    .addColumn('account_key', types.bytes, (column) => column.notNull())
    .addColumn('account', types.text, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('config', types.text, (column) => column.notNull())
    .addColumn('credential_id', types.text)
    .addColumn('last_error', types.text)
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('revoked_at', types.integer)
    .addColumn('version', types.integer, (column) => column.notNull())
    .addColumn('cursor_generation', types.integer, (column) => column.notNull())
    .execute()
  // One live connection for each account in a collection.
  await db.schema
    .createIndex('connections_by_account')
    .unique()
    .on('connections')
    .columns(['collection_id', 'provider', 'account_key'])
    .where(sql.ref('revoked_at'), 'is', null)
    .execute()
  await db.schema.createIndex('connections_by_collection').on('connections').column('collection_id').execute()
  await db.schema
    .createIndex('connections_by_credential')
    .on('connections')
    .column('credential_id')
    .where(sql.ref('credential_id'), 'is not', null)
    .execute()
}

async function createCredentials(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('credentials')
    .addColumn('id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('credential_key', types.bytes, (column) => column.notNull().unique())
    .addColumn('provider', types.text, (column) => column.notNull())
    .addColumn('client_id', types.text, (column) => column.notNull())
    .addColumn('account_id', types.text, (column) => column.notNull())
    .addColumn('secret', types.bytes, (column) => column.notNull())
    .addColumn('secret_key', types.text, (column) => column.notNull())
    .addColumn('expires_at', types.integer)
    .addColumn('lease_owner', types.text)
    .addColumn('lease_until', types.integer)
    .addColumn('unused_since', types.integer)
    .execute()
  await db.schema.createIndex('credentials_by_secret_key').on('credentials').column('secret_key').execute()
  await db.schema
    .createIndex('credentials_unused')
    .on('credentials')
    .column('unused_since')
    .where(sql.ref('unused_since'), 'is not', null)
    .execute()
}

/** Creates the sync tables of version 3. Connections that are already active become due immediately. */
export async function createSyncTables(db: Kysely<unknown>, types: Types): Promise<void> {
  await widenConnections(db, types)
  await createItems(db, types)
  await createReferences(db, types)
  await createLedger(db, types)
  await createRuns(db, types)
  // Set on a forget line written because the source deleted the memory. Storing the text again then creates a new copy.
  await db.schema
    .alterTable('records')
    .addColumn('taken_back', 'smallint', (column) => column.notNull().defaultTo(0))
    .execute()
}

async function widenConnections(db: Kysely<unknown>, types: Types): Promise<void> {
  const { text, id, integer } = types
  for (const [name, type] of [
    ['next_run_at', integer],
    ['paused_at', integer],
    ['requested_at', integer],
    ['lease_owner', text],
    ['lease_until', integer],
    ['run_id', id],
    ['progress', text],
    ['last_synced_at', integer]
  ] as const) {
    await db.schema.alterTable('connections').addColumn(name, type).execute()
  }
  for (const name of ['fence', 'last_pass', 'failures', 'items_synced', 'cleanup']) {
    await db.schema
      .alterTable('connections')
      .addColumn(name, integer, (column) => column.notNull().defaultTo(0))
      .execute()
  }
  await sql`update connections set next_run_at = created_at where status = 'active'`.execute(db)
  // Includes paused connections once a sync is requested.
  await db.schema
    .createIndex('connections_due')
    .on('connections')
    .column('next_run_at')
    .where(sql<boolean>`next_run_at is not null and (paused_at is null or requested_at is not null)`)
    .execute()
  await db.schema
    .createIndex('connections_held')
    .on('connections')
    .columns(['collection_id', 'lease_until'])
    .where(sql.ref('lease_until'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('connections_to_clean')
    .on('connections')
    .column('id')
    .where(sql<boolean>`cleanup = 1`)
    .execute()
}

async function createItems(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('items')
    .addColumn('connection_id', types.id, (column) => column.notNull())
    .addColumn('item_id', types.bytes, (column) => column.notNull())
    .addColumn('place_key', types.bytes)
    .addColumn('place', types.text)
    .addColumn('version', types.text)
    .addColumn('title', types.text)
    .addColumn('url', types.text)
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('content_hash', types.bytes)
    .addColumn('reason', types.text)
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_try_at', types.integer)
    .addColumn('seen_pass', types.integer, (column) => column.notNull())
    .addColumn('missing_pass', types.integer)
    .addColumn('changed_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('items_pkey', ['connection_id', 'item_id'])
    .execute()
  await db.schema
    .createIndex('items_by_place')
    .on('items')
    .columns(['connection_id', 'place_key'])
    .where(sql.ref('place_key'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('items_to_try')
    .on('items')
    .columns(['connection_id', 'next_try_at'])
    .where(sql.ref('next_try_at'), 'is not', null)
    .execute()
}

async function createReferences(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('holdings')
    .addColumn('collection_id', types.id, (column) => column.notNull())
    .addColumn('memory_key', types.bytes, (column) => column.notNull())
    .addColumn('connection_id', types.id, (column) => column.notNull())
    .addColumn('item_id', types.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('holdings_pkey', ['collection_id', 'memory_key', 'connection_id', 'item_id'])
    .execute()
  await db.schema.createIndex('holdings_by_item').on('holdings').columns(['connection_id', 'item_id']).execute()
}

async function createLedger(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('ledger')
    .addColumn('connection_id', types.id, (column) => column.notNull())
    .addColumn('entry_key', types.bytes, (column) => column.notNull())
    .addColumn('value', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('ledger_pkey', ['connection_id', 'entry_key'])
    .execute()
}

async function createRuns(db: Kysely<unknown>, types: Types): Promise<void> {
  const counter = ['seen', 'created', 'updated', 'unchanged', 'deleted', 'failed', 'skipped'] as const
  let table = db.schema
    .createTable('runs')
    .addColumn('id', types.id, (column) => column.primaryKey().notNull())
    .addColumn('connection_id', types.id, (column) => column.notNull())
    .addColumn('trigger', types.text, (column) => column.notNull())
    .addColumn('started_at', types.integer, (column) => column.notNull())
    .addColumn('ended_at', types.integer)
    .addColumn('outcome', types.text)
    .addColumn('error', types.text)
    .addColumn('reasons', types.text, (column) => column.notNull())
  for (const name of counter) table = table.addColumn(name, types.integer, (column) => column.notNull().defaultTo(0))
  await table.execute()
  await db.schema.createIndex('runs_by_connection').on('runs').columns(['connection_id', 'started_at']).execute()
}
