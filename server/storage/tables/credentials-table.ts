import type { Transaction } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Database, TableMethods } from '../database/dialect.ts'
import { copyColumn, hashTexts, textFrom, toStored } from '../database/stored-values.ts'
import type { CredentialRow, Tables } from '../database/tables.ts'
import type { MadeConnection } from '../port/attempt-storage.ts'
import type { StoredConnection } from '../port/connection-storage.ts'
import type { CredentialStorage, StoredCredential } from '../port/credential-storage.ts'
import type { Sealed } from '../port/vault-storage.ts'
import { maySealWith } from './vault-table.ts'

/** Methods over the table of credentials. */
export const credentialsTable: TableMethods<CredentialStorage> = {
  /** Whether some connection uses it or not. */
  async credential({ db }, id) {
    const row = await db.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : toStoredCredential(row)
  },

  /** The one of an account that some connection uses. */
  async credentialForAccount({ db }, { provider, clientId, accountId }) {
    const row = await db
      .selectFrom('credentials')
      .selectAll()
      .where('credential_key', '=', hashTexts(provider, clientId, accountId))
      .where('unused_since', 'is', null)
      .executeTakeFirst()
    return row === undefined ? undefined : toStoredCredential(row)
  },

  /** Takes out what `markUnused` noted, the oldest first. */
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

  /** True for the one that gets the right to renew a credential: nobody has it, or no longer. */
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
   * Puts renewed tokens in place. A lease that ran out counts as long as nobody else has taken it: what was renewed must not be
   * lost. Repeated by who did it, it is saved again.
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
   * Gives a lease back. With `error`, every connection that uses the credential gets it as its last one; their rows are locked before the
   * credential's, as where a connection ends or is renewed.
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
 * Puts the newest secret of an account's grant in place of an older one, whose renewal then comes too late. Gives the
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

/** Takes a credential out that no connection uses; undefined where one does. The caller has the lock `connections`. */
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
  // Read by a statement of its own, which says so where the row is damaged.
  const row = await transaction.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  await transaction.deleteFrom('credentials').where('id', '=', id).execute()
  return toStoredCredential(row)
}

/** Notes of credentials that no connection uses any more since when that is so. The caller has the lock `connections`. */
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

/** No two seals are alike, so equal bytes are the same saving. */
async function isThere(transaction: Transaction<Tables>, id: string, { bytes }: Sealed): Promise<boolean> {
  const row = await transaction
    .selectFrom('credentials')
    .select('id')
    .where('id', '=', id)
    .where('secret', '=', bytes)
    .executeTakeFirst()
  return row !== undefined
}
