import type { Transaction } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Database, Dialect, TableMethods } from '../database/dialect.ts'
import { copyColumn, hashTexts, textFrom, toStored } from '../database/stored-values.ts'
import type { Bytes, CredentialRow, Db, Tables } from '../database/tables.ts'
import {
  type CredentialStorage,
  type MadeConnection,
  type Sealed,
  type StaleSecret,
  type StoredConnection,
  type StoredCredential,
  secretIdentity,
  type VaultStorage
} from '../port/connector-storage.ts'

/** Methods on the tables of the vault and the store, which have one row each. */
export const vaultTable: TableMethods<VaultStorage> = {
  /** Returns the id of this store, and sets it to `proposed` if there is none. */
  ensureStoreId({ db }, proposed) {
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

  /** Lists the vault keys: the current one, and those that at least one secret is sealed with. */
  async listVaultKeys({ db }) {
    return { current: await currentKey(db), used: await selectUsedKeys(db) }
  },

  /**
   * Makes `next` the current key. Returns true if it is current afterwards. A concurrent write of a secret sealed with
   * the old key either commits before or is refused.
   */
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

  /** Lists at most `limit` secrets that are sealed with a key other than the current one. */
  async listStaleSecrets({ db }, limit) {
    const current = await currentKey(db)
    return current === undefined ? [] : await selectSealedWithOther(db, current, limit)
  },

  /**
   * Replaces a secret with one sealed with the current key. Returns false if the secret or the current key has changed.
   */
  resealSecret({ db, dialect }, stale, next) {
    return db.transaction().execute(async (transaction) => {
      if (!(await maySealWith(transaction, next.keyId, dialect))) return false
      return await replaceSecret(transaction, stale, next)
    })
  }
}

/** The id of the only row in the vault, and in the store. */
const ROW = 1

/** Reports whether secrets sealed with a key may be written. The answer is valid until the transaction ends. */
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

/** Returns the keys that at least one secret is sealed with, each once. */
async function selectUsedKeys(db: Db): Promise<string[]> {
  const [credentials, verifiers, held] = [
    await db.selectFrom('credentials').select('secret_key as key').distinct().execute(),
    await db.selectFrom('attempts').select('verifier_key as key').distinct().execute(),
    await db.selectFrom('attempts').select('held_key as key').distinct().execute()
  ]
  const keys = [...credentials, ...verifiers, ...held].flatMap(({ key }) => key ?? [])
  return [...new Set(keys)].sort()
}

/** Selects at most `limit` secrets that are sealed with a key other than `current`. */
async function selectSealedWithOther(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const found: StaleSecret[] = []
  for (const select of [selectCredentials, selectVerifiers, selectHeld])
    if (found.length < limit) found.push(...(await select(db, current, limit - found.length)))
  return found
}

/** Replaces a secret. Returns false if it no longer equals `stale`. */
function replaceSecret(transaction: Transaction<Tables>, stale: StaleSecret, next: Sealed): Promise<boolean> {
  return REPLACE[stale.kind](transaction, stale, next)
}

async function selectCredentials(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const rows = await db
    .selectFrom('credentials')
    .select(['id', 'provider', 'client_id', 'account_id', 'secret', 'secret_key'])
    // Two ranges of an index instead of a scan of all rows.
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

/** Methods on the table of credentials. */
export const credentialsTable: TableMethods<CredentialStorage> = {
  /** Finds a credential, even one that no connection uses. */
  async findCredential({ db }, id) {
    const row = await db.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : toStoredCredential(row)
  },

  /** Finds the credential of an account that a connection uses. */
  async findCredentialForAccount({ db }, { provider, clientId, accountId }) {
    const row = await db
      .selectFrom('credentials')
      .selectAll()
      .where('credential_key', '=', hashTexts(provider, clientId, accountId))
      .where('unused_since', 'is', null)
      .executeTakeFirst()
    return row === undefined ? undefined : toStoredCredential(row)
  },

  /** Removes and returns the credentials that `markUnused` marked, oldest first. */
  takeUnusedCredentials({ db, dialect }, limit) {
    return db.transaction().execute(async (transaction) => {
      await dialect.lock(transaction, 'connections')
      const unused = await transaction
        .selectFrom('credentials')
        .selectAll()
        .where('unused_since', 'is not', null)
        .orderBy('unused_since')
        .limit(limit)
        .execute()
      if (unused.length === 0) return []
      const ids = unused.map(({ id }) => id)
      await transaction.deleteFrom('credentials').where('id', 'in', ids).execute()
      return unused.map(toStoredCredential)
    })
  },

  /** Acquires the right to renew a credential. Returns true if the lease was free or had expired. */
  async leaseRefresh({ db }, id, { owner, now, until }) {
    const { numUpdatedRows } = await db
      .updateTable('credentials')
      .set({ lease_owner: owner, lease_until: until })
      .where('id', '=', id)
      .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<=', now)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /**
   * Stores renewed tokens. An expired lease counts until another owner takes it, because renewed tokens must not be
   * lost. A repeated call by the same owner returns `saved` again.
   */
  saveRefreshed({ db, dialect }, id, { owner, secret, expiresAt }) {
    return db.transaction().execute(async (transaction) => {
      if (!(await maySealWith(transaction, secret.keyId, dialect))) return 'stale_key'
      const { numUpdatedRows } = await transaction
        .updateTable('credentials')
        .set({ secret: secret.bytes, secret_key: secret.keyId, expires_at: expiresAt ?? null, ...NO_LEASE })
        .where('id', '=', id)
        .where('lease_owner', '=', owner)
        .executeTakeFirst()
      return numUpdatedRows > 0n || (await isThere(transaction, id, secret)) ? 'saved' : 'lost'
    })
  },

  /**
   * Releases a lease. With `error`, stores it in every connection that uses the credential. Their rows are locked
   * before the credential's, as when a connection ends or is renewed.
   */
  endRefresh({ db, dialect }, id, { owner, error }) {
    return db.transaction().execute(async (transaction) => {
      if (error !== undefined) await lockUsers(transaction, id, dialect)
      const { numUpdatedRows } = await transaction
        .updateTable('credentials')
        .set(NO_LEASE)
        .where('id', '=', id)
        .where('lease_owner', '=', owner)
        .executeTakeFirst()
      if (numUpdatedRows === 0n || error === undefined) return
      await transaction
        .updateTable('connections')
        .set({ last_error: toStored(error) })
        .where('credential_id', '=', id)
        .execute()
    })
  }
}

/**
 * Stores the newest secret of an account's grant. A concurrent renewal of the older one is then lost. Returns the
 * credential's id.
 */
export async function putCredential(
  transaction: Transaction<Tables>,
  provider: StoredConnection['provider'],
  { credentialId, clientId, account, secret, expiresAt }: MadeConnection
): Promise<string> {
  const newest = {
    secret: secret.bytes,
    secret_key: secret.keyId,
    expires_at: expiresAt ?? null,
    lease_owner: null,
    lease_until: null,
    unused_since: null
  }
  const { id } = await transaction
    .insertInto('credentials')
    .values({
      id: credentialId,
      credential_key: hashTexts(provider, clientId, account.id),
      provider,
      client_id: toStored(clientId),
      account_id: toStored(account.id),
      ...newest
    })
    .onConflict((conflict) => conflict.column('credential_key').doUpdateSet(newest))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Removes and returns a credential that no connection uses, or returns undefined if one does. The caller holds the lock
 * `connections`.
 */
export async function takeIfUnused(
  transaction: Transaction<Tables>,
  id: string
): Promise<StoredCredential | undefined> {
  const user = await transaction
    .selectFrom('connections')
    .select('id')
    .where('credential_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (user !== undefined) return undefined
  // A separate statement, which reports a damaged row.
  const row = await transaction.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  await transaction.deleteFrom('credentials').where('id', '=', id).execute()
  return toStoredCredential(row)
}

/** Marks credentials that no connection uses with the current time. The caller holds the lock `connections`. */
export async function markUnused(
  transaction: Transaction<Tables>,
  ids: readonly string[],
  nowMs: EpochMs
): Promise<void> {
  for (const id of ids)
    await transaction
      .updateTable('credentials')
      .set({ unused_since: nowMs })
      .where('id', '=', id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('connections').select('connections.id').where('credential_id', '=', id)))
      )
      .execute()
}

function toStoredCredential(row: CredentialRow): StoredCredential {
  return {
    id: row.id,
    provider: row.provider,
    clientId: textFrom(row.client_id),
    accountId: textFrom(row.account_id),
    secret: { keyId: row.secret_key, bytes: copyColumn(row.secret) },
    expiresAt: row.expires_at ?? undefined
  }
}

async function lockUsers(
  transaction: Transaction<Tables>,
  credentialId: string,
  { locksRows }: Pick<Database['dialect'], 'locksRows'>
): Promise<void> {
  if (!locksRows) return
  const users = transaction.selectFrom('connections').select('id').where('credential_id', '=', credentialId)
  await users.orderBy('id').forUpdate().execute()
}

const NO_LEASE = { lease_owner: null, lease_until: null } as const

/**
 * Reports whether the secret is already stored. No two sealed secrets are equal, so equal bytes come from the same
 * call.
 */
async function isThere(transaction: Transaction<Tables>, id: string, { bytes }: Sealed): Promise<boolean> {
  const row = await transaction
    .selectFrom('credentials')
    .select('id')
    .where('id', '=', id)
    .where('secret', '=', bytes)
    .executeTakeFirst()
  return row !== undefined
}
