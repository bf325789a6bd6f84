import type { Transaction } from 'kysely'
import type { EpochMs } from '../../src/contract/milliseconds.ts'
import type { Sealed } from './connector-storage.ts'
import type { Database } from './dialect.ts'
import { toStored } from './stored-values.ts'
import type { Db, Tables } from './tables.ts'
import { maySealWith } from './vault-table.ts'

export type Lease = { owner: string; now: EpochMs; until: EpochMs }

/** True for the one that gets the right to renew a credential: nobody has it, or no longer. */
export async function takeLease(db: Db, id: string, { owner, now, until }: Lease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credentials')
    .set({ lease_owner: owner, lease_until: until })
    .where('id', '=', id)
    .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<=', now)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type Refreshed = { owner: string; secret: Sealed; expiresAt: EpochMs | undefined }

/**
 * Puts renewed tokens in place. A lease that ran out counts as long as nobody else has taken it: what was renewed must not be
 * lost. Repeated by who did it, it is saved again.
 */
export function putRefreshed(
  { db, dialect }: Database,
  id: string,
  { owner, secret, expiresAt }: Refreshed
): Promise<'saved' | 'stale_key' | 'lost'> {
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
}

/**
 * Gives a lease back. With `error`, every connection that uses the credential gets it as its last one; their rows are locked before the
 * credential's, as where a connection ends or is renewed.
 */
export function endLease(
  { db, dialect }: Database,
  id: string,
  { owner, error }: { owner: string; error: string | undefined }
): Promise<void> {
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
