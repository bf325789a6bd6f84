import type { Transaction } from 'kysely'
import type { Sealed, StaleSecret } from './connector-storage.ts'
import type { Database, Dialect } from './dialect.ts'
import { replaceSecret, selectSealedWithOther, selectUsedKeys } from './sealed-secrets.ts'
import type { Db, Tables } from './tables.ts'

/** The one row of the vault, and of the store. */
const ROW = 1

/** The keys of the vault: the current one, and those that some secret is sealed with. */
export async function selectVaultKeys(db: Db): Promise<{ current: string | undefined; used: string[] }> {
  return { current: await currentKey(db), used: await selectUsedKeys(db) }
}

/** Returns the id of this store, which is `proposed` where it has none yet. */
export function putStoreId(db: Db, proposed: string): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('store')
      .values({ id: ROW, store_id: proposed })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    const row = await transaction.selectFrom('store').select('store_id').where('id', '=', ROW).executeTakeFirstOrThrow()
    return row.store_id
  })
}

/** True where `next` is the current key afterwards. Who writes what is sealed with the one before comes earlier, or is refused. */
export function changeCurrentKey(db: Db, before: string | undefined, next: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    if (before === undefined) await insertKey(transaction, next)
    else
      await transaction
        .updateTable('vault')
        .set({ current_key: next })
        .where('id', '=', ROW)
        .where('current_key', '=', before)
        .execute()
    return (await currentKey(transaction)) === next
  })
}

/** Whether secrets that are sealed with a key may be written. The answer holds until the transaction ends. */
export async function maySealWith(
  transaction: Transaction<Tables>,
  keyId: string,
  { locksRows }: Pick<Dialect, 'locksRows'>
): Promise<boolean> {
  const query = transaction.selectFrom('vault').select('current_key').where('id', '=', ROW)
  const row = await (locksRows ? query.forShare() : query).executeTakeFirst()
  return row?.current_key === keyId
}

/** Secrets that are sealed with another key than the current one, `limit` at most. */
export async function selectStaleSecrets(db: Db, limit: number): Promise<StaleSecret[]> {
  const current = await currentKey(db)
  return current === undefined ? [] : await selectSealedWithOther(db, current, limit)
}

/** Puts a secret that is sealed with the current key in the place of an old one. False where either is no longer so. */
export function resealOne({ db, dialect }: Database, stale: StaleSecret, next: Sealed): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    if (!(await maySealWith(transaction, next.keyId, dialect))) return false
    return await replaceSecret(transaction, stale, next)
  })
}

async function insertKey(transaction: Transaction<Tables>, key: string): Promise<void> {
  await transaction
    .insertInto('vault')
    .values({ id: ROW, current_key: key })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

async function currentKey(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('vault').select('current_key').where('id', '=', ROW).executeTakeFirst()
  return row?.current_key
}
