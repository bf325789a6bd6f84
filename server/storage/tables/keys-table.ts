import type { Transaction } from 'kysely'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Dialect, TableMethods } from '../database/dialect.ts'
import type { Db, GrantRow, KeyRow, Tables } from '../database/tables.ts'
import type { KeyStorage, NewStoredKey, StoredGrant, StoredKey } from '../port/collection-storage.ts'
import { collectionsTable, missingCollection } from './collections-table.ts'

/** Methods on the tables of keys and their grants. */
export const keysTable: TableMethods<KeyStorage> = {
  /**
   * Creates a key with its grants. Does nothing if the id already exists.
   *
   * @throws Fault `not_found` if a grant names a missing collection; `conflict` if another key has, or had, its secret.
   */
  createKey({ db, dialect }, key) {
    return db.transaction().execute((transaction) => putKey(transaction, key, dialect))
  },

  /** Finds a valid key by the SHA-256 of its secret. */
  async findKeyByHash({ db }, hash) {
    const rows = await keysWithGrants(db).where('keys.hash', '=', hash).execute()
    return toStoredKeys(rows)[0]
  },

  /** Lists valid keys, oldest first. */
  async listKeys({ db }) {
    const rows = await keysWithGrants(db).orderBy('keys.created_at').orderBy('keys.id').execute()
    return toStoredKeys(rows)
  },

  /**
   * Revokes a key, except the last admin key. A lock serializes the check and the revocation, so that two calls cannot
   * revoke the last two.
   */
  revokeKey({ db, dialect, clock }, id) {
    const nowMs = epochNow(clock)
    return db.transaction().execute(async (transaction) => {
      await dialect.lock(transaction, 'keys')
      const valid = transaction.selectFrom('keys').where('revoked_at', 'is', null)
      const key = await valid.select('admin').where('id', '=', id).executeTakeFirst()
      if (key === undefined) return 'unknown'
      if (key.admin === 1) {
        const other = await valid.select('id').where('admin', '=', 1).where('id', '!=', id).limit(1).executeTakeFirst()
        if (other === undefined) return 'last'
      }
      await transaction.updateTable('keys').set({ revoked_at: nowMs }).where('id', '=', id).execute()
      await transaction.deleteFrom('grants').where('key_id', '=', id).execute()
      return 'revoked'
    })
  },

  /**
   * Creates the first key and collection, as documented at `Storage.setUp`. A repeated call by the server that
   * succeeded returns true again, because the first answer may have been lost.
   */
  setUp(database, first) {
    const { db, dialect } = database
    return db.transaction().execute(async (transaction) => {
      await dialect.lock(transaction, 'keys')
      const oldest = await transaction.selectFrom('keys').select('id').orderBy('created_at').limit(1).executeTakeFirst()
      if (oldest !== undefined) return oldest.id === first.key.id
      await collectionsTable.createCollection({ ...database, db: transaction }, first.collection)
      await putKey(transaction, first.key, dialect)
      return true
    })
  }
}

/** Reports whether a key is valid. If so, it stays valid until the transaction ends. */
export async function holdKey(
  transaction: Transaction<Tables>,
  id: string,
  { locksRows }: Pick<Dialect, 'locksRows'>
): Promise<boolean> {
  const query = transaction.selectFrom('keys').select('id').where('id', '=', id).where('revoked_at', 'is', null)
  return (await (locksRows ? query.forShare() : query).executeTakeFirst()) !== undefined
}

async function putKey(transaction: Transaction<Tables>, key: NewStoredKey, dialect: Dialect): Promise<void> {
  const grants = distinctGrants(key.grants)
  await assertCollections(transaction, [...grants.keys()], dialect)
  await assertNewSecret(transaction, key)
  await transaction
    .insertInto('keys')
    .values({
      id: key.id,
      name: key.name,
      hash: key.hash,
      admin: key.admin ? 1 : 0,
      created_at: key.createdAt,
      revoked_at: null
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const rows = [...grants].map(([collection_id, permission]) => ({ key_id: key.id, collection_id, permission }))
  if (rows.length === 0) return
  await transaction
    .insertInto('grants')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['key_id', 'collection_id']).doNothing())
    .execute()
}

/** Refuses a secret that any key has, or had before it was revoked. */
async function assertNewSecret(transaction: Transaction<Tables>, { id, hash }: NewStoredKey): Promise<void> {
  const query = transaction.selectFrom('keys').select('id').where('hash', '=', hash).where('id', '!=', id)
  const other = await query.executeTakeFirst()
  if (other === undefined) return
  throw new Fault('conflict', `this secret belongs to the key ${other.id}, which may be revoked`, {
    hint: 'choose another secret'
  })
}

/** Returns one grant per collection: `edit` includes `read`. */
function distinctGrants(grants: readonly StoredGrant[]): Map<string, StoredGrant['permission']> {
  const distinct = new Map<string, StoredGrant['permission']>()
  for (const { collectionId, permission } of grants)
    if (permission === 'edit' || !distinct.has(collectionId)) distinct.set(collectionId, permission)
  return distinct
}

/**
 * Checks that the collections exist and locks them until the transaction ends, so that a concurrent deletion finds the
 * new grants.
 */
async function assertCollections(transaction: Transaction<Tables>, ids: string[], dialect: Dialect): Promise<void> {
  if (ids.length === 0) return
  const query = transaction
    .selectFrom('collections')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
  const rows = await (dialect.locksRows ? query.forShare() : query).execute()
  const present = new Set(rows.map((row) => row.id))
  const missing = ids.find((id) => !present.has(id))
  if (missing !== undefined) throw missingCollection(missing)
}

/** Selects a row for each grant, or one row for a key without grants. */
function keysWithGrants(db: Db) {
  return db
    .selectFrom('keys')
    .leftJoin('grants', 'grants.key_id', 'keys.id')
    .select(['keys.id', 'keys.name', 'keys.admin', 'keys.created_at'])
    .select(['grants.permission', 'grants.collection_id'])
    .where('keys.revoked_at', 'is', null)
}

type KeyAndGrant = Pick<KeyRow, 'id' | 'name' | 'admin' | 'created_at'> & {
  permission: GrantRow['permission'] | null
  collection_id: string | null
}

function toStoredKeys(rows: readonly KeyAndGrant[]): StoredKey[] {
  const keys = new Map<string, StoredKey>()
  for (const { id, name, admin, created_at, permission, collection_id } of rows) {
    const key = keys.get(id) ?? { id, name, admin: admin === 1, createdAt: created_at, grants: [] }
    keys.set(id, key)
    if (permission !== null && collection_id !== null) key.grants.push({ collectionId: collection_id, permission })
  }
  return [...keys.values()]
}
