import type { Transaction } from 'kysely'
import type { Dialect, TableMethods } from '../database/dialect.ts'
import { copyColumn, textFrom } from '../database/stored-values.ts'
import type { Bytes, Db, Tables } from '../database/tables.ts'
import type { VaultStorage } from '../port/vault-storage.ts'
import { type Sealed, type StaleSecret, secretIdentity } from '../port/vault-storage.ts'

/** Methods over the tables of the vault and the store, each of one row. */
export const vaultTable: TableMethods<VaultStorage> = {
  /** Returns the id of this store, which is `proposed` where it has none yet. */
  storeId({ db }, proposed) {
    return db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('store')
        .values({ id: ROW, store_id: proposed })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
      const row = await transaction
        .selectFrom('store')
        .select('store_id')
        .where('id', '=', ROW)
        .executeTakeFirstOrThrow()
      return row.store_id
    })
  },

  /** The keys of the vault: the current one, and those that some secret is sealed with. */
  async vaultKeys({ db }) {
    return { current: await currentKey(db), used: await selectUsedKeys(db) }
  },

  /** True where `next` is the current key afterwards. Who writes what is sealed with the one before comes earlier, or is refused. */
  changeVaultKey({ db }, before, next) {
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
  },

  /** Secrets that are sealed with another key than the current one, `limit` at most. */
  async staleSecrets({ db }, limit) {
    const current = await currentKey(db)
    return current === undefined ? [] : await selectSealedWithOther(db, current, limit)
  },

  /** Puts a secret that is sealed with the current key in the place of an old one. False where either is no longer so. */
  resealSecret({ db, dialect }, stale, next) {
    return db.transaction().execute(async (transaction) => {
      if (!(await maySealWith(transaction, next.keyId, dialect))) return false
      return await replaceSecret(transaction, stale, next)
    })
  }
}

/** The one row of the vault, and of the store. */
const ROW = 1

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

/** The keys that some secret is sealed with, each once. */
async function selectUsedKeys(db: Db): Promise<string[]> {
  const [credentials, verifiers, held] = [
    await db.selectFrom('credentials').select('secret_key as key').distinct().execute(),
    await db.selectFrom('attempts').select('verifier_key as key').distinct().execute(),
    await db.selectFrom('attempts').select('held_key as key').distinct().execute()
  ]
  const keys = [...credentials, ...verifiers, ...held].flatMap(({ key }) => key ?? [])
  return [...new Set(keys)].sort()
}

/** Secrets that are sealed with another key than `current`, `limit` at most. */
async function selectSealedWithOther(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const found: StaleSecret[] = []
  for (const select of [selectCredentials, selectVerifiers, selectHeld])
    if (found.length < limit) found.push(...(await select(db, current, limit - found.length)))
  return found
}

/** False where the secret is no longer the one that `stale` has. */
function replaceSecret(transaction: Transaction<Tables>, stale: StaleSecret, next: Sealed): Promise<boolean> {
  return REPLACE[stale.kind](transaction, stale, next)
}

async function selectCredentials(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const rows = await db
    .selectFrom('credentials')
    .select(['id', 'provider', 'client_id', 'account_id', 'secret', 'secret_key'])
    // Two stretches of an index instead of a look at every row.
    .where((row) => row.or([row('secret_key', '<', current), row('secret_key', '>', current)]))
    .limit(limit)
    .execute()
  return rows.map(({ id, provider, client_id, account_id, secret, secret_key }) => {
    const of = { provider, clientId: textFrom(client_id), accountId: textFrom(account_id) }
    return { kind: 'credential', id, identity: secretIdentity.credential(of), secret: toSealed(secret, secret_key) }
  })
}

async function selectVerifiers(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(['id', 'verifier', 'verifier_key'])
    .where('verifier_key', '!=', current)
    .limit(limit)
    .execute()
  return rows.flatMap(({ id, verifier, verifier_key }) =>
    verifier === null || verifier_key === null
      ? []
      : [{ kind: 'verifier', id, identity: secretIdentity.verifier({ id }), secret: toSealed(verifier, verifier_key) }]
  )
}

async function selectHeld(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(['id', 'held', 'held_key'])
    .where('held_key', '!=', current)
    .limit(limit)
    .execute()
  return rows.flatMap(({ id, held, held_key }) =>
    held === null || held_key === null
      ? []
      : [{ kind: 'held', id, identity: secretIdentity.held({ id }), secret: toSealed(held, held_key) }]
  )
}

type Replace = (transaction: Transaction<Tables>, stale: StaleSecret, next: Sealed) => Promise<boolean>

const REPLACE: Readonly<Record<StaleSecret['kind'], Replace>> = {
  async credential(transaction, { id, secret }, next) {
    const { numUpdatedRows } = await transaction
      .updateTable('credentials')
      .set({ secret: next.bytes, secret_key: next.keyId })
      .where('id', '=', id)
      .where('secret', '=', secret.bytes)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async verifier(transaction, { id, secret }, next) {
    const { numUpdatedRows } = await transaction
      .updateTable('attempts')
      .set({ verifier: next.bytes, verifier_key: next.keyId })
      .where('id', '=', id)
      .where('verifier', '=', secret.bytes)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async held(transaction, { id, secret }, next) {
    const { numUpdatedRows } = await transaction
      .updateTable('attempts')
      .set({ held: next.bytes, held_key: next.keyId })
      .where('id', '=', id)
      .where('held', '=', secret.bytes)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

function toSealed(bytes: Bytes, keyId: string): Sealed {
  return { keyId, bytes: copyColumn(bytes) }
}
