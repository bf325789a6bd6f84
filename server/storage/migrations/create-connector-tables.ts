import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../database/dialect.ts'

type Types = Dialect['types']

/** The tables of connectors, as version 2 has them. */
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

/** The table of the store's id, as version 4 has it. */
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
  // One that lives for an account in a collection.
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
