import type { Transaction } from 'kysely'
import type { EpochMs } from '../../src/contract/milliseconds.ts'
import type { MadeConnection, StoredConnection, StoredCredential } from './connector-storage.ts'
import type { CredentialRow } from './connector-tables.ts'
import type { Database } from './dialect.ts'
import { copyOf, keyOf, textFrom, toStored } from './stored-values.ts'
import type { Db, Tables } from './tables.ts'

/** Whether some connection uses it or not. */
export async function selectCredential(db: Db, id: string): Promise<StoredCredential | undefined> {
  const row = await db.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : storedCredential(row)
}

/** The one of an account that some connection uses. */
export async function selectCredentialOf(
  db: Db,
  { provider, clientId, accountId }: Pick<StoredCredential, 'provider' | 'clientId' | 'accountId'>
): Promise<StoredCredential | undefined> {
  const row = await db
    .selectFrom('credentials')
    .selectAll()
    .where('credential_key', '=', keyOf(provider, clientId, accountId))
    .where('unused_since', 'is', null)
    .executeTakeFirst()
  return row === undefined ? undefined : storedCredential(row)
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
      credential_key: keyOf(provider, clientId, account.id),
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
  return storedCredential(row)
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

/** Takes out what `markUnused` noted, the oldest first. */
export function takeUnused({ db, dialect }: Database, limit: number): Promise<StoredCredential[]> {
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
    return unused.map(storedCredential)
  })
}

function storedCredential(row: CredentialRow): StoredCredential {
  return {
    id: row.id,
    provider: row.provider,
    clientId: textFrom(row.client_id),
    accountId: textFrom(row.account_id),
    secret: { keyId: row.secret_key, bytes: copyOf(row.secret) },
    expiresAt: row.expires_at ?? undefined
  }
}
