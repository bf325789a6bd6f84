import type { Transaction } from 'kysely'
import { lockUsed, WITHOUT_SECRETS } from './attempts-table.ts'
import { holdCollection } from './collections-table.ts'
import { storedConnection } from './connections-table.ts'
import type { Completion, MadeConnection, StoredAttempt, StoredConnection } from './connector-storage.ts'
import type { ConnectionRow } from './connector-tables.ts'
import { putCredential, takeIfUnused } from './credentials-table.ts'
import type { Database, Dialect } from './dialect.ts'
import { holdKey } from './keys-table.ts'
import { keyOf, toStored } from './stored-values.ts'
import { NEVER_SYNCED } from './sync-tables.ts'
import type { Tables } from './tables.ts'
import { maySealWith } from './vault-table.ts'

/**
 * Makes or renews the connection of an attempt, as `ConnectorStorage.completeAttempt` says: connection, credential and
 * attempt in one transaction.
 */
export function completeUsed({ db, dialect }: Database, id: string, made: MadeConnection): Promise<Completion> {
  return db.transaction().execute(async (transaction) => {
    await dialect.lock(transaction, 'connections')
    const attempt = await lockUsed(transaction, id, dialect)
    if (attempt === undefined) return { outcome: 'ended' }
    const before = await lockBefore(transaction, dialect, { attempt, made })
    const outcome = await hindrance(transaction, dialect, { attempt, made })
    if (outcome !== undefined) return { outcome }
    const put = await putConnection(transaction, { attempt, made }, before)
    await transaction
      .updateTable('attempts')
      .set({ ...WITHOUT_SECRETS, status: 'completed', ended_at: made.now, connection_id: put.connection.id })
      .where('id', '=', id)
      .execute()
    return put
  })
}

type Both = { attempt: StoredAttempt; made: MadeConnection }

/** The connection of the account that is there already. A sync may be writing: it locks the connection before its collection, too. */
async function lockBefore(
  transaction: Transaction<Tables>,
  { locksRows }: Pick<Dialect, 'locksRows'>,
  { attempt: { provider, collectionId }, made }: Both
): Promise<ConnectionRow | undefined> {
  const query = transaction
    .selectFrom('connections')
    .selectAll()
    .where('collection_id', '=', collectionId)
    .where('provider', '=', provider)
    .where('account_key', '=', accountKey(provider, made))
    .where('revoked_at', 'is', null)
  return await (locksRows ? query.forUpdate() : query).executeTakeFirst()
}

function accountKey(provider: string, { account }: MadeConnection): Uint8Array {
  return keyOf(provider, account.id)
}

/** Why nothing can be made. What is found to be there stays until the transaction ends. */
async function hindrance(
  transaction: Transaction<Tables>,
  dialect: Dialect,
  { attempt, made }: Both
): Promise<'stale_key' | 'collection_gone' | 'key_revoked' | undefined> {
  if (!(await holdCollection(transaction, attempt.collectionId, dialect))) return 'collection_gone'
  if (!(await holdKey(transaction, attempt.keyId, dialect))) return 'key_revoked'
  return (await maySealWith(transaction, made.secret.keyId, dialect)) ? undefined : 'stale_key'
}

type Put = Extract<Completion, { connection: StoredConnection }>

async function putConnection(
  transaction: Transaction<Tables>,
  { attempt: { provider, collectionId, config }, made }: Both,
  before: ConnectionRow | undefined
): Promise<Put> {
  const { account } = made
  const credential_id = await putCredential(transaction, provider, made)
  if (before !== undefined) {
    const next_run_at = before.status === 'active' ? made.now : null
    return renew(transaction, before, { credential_id, account: toStored(account), next_run_at })
  }
  const row: ConnectionRow = {
    id: made.id,
    provider,
    collection_id: collectionId,
    account_key: accountKey(provider, made),
    account: toStored(account),
    status: made.status,
    config: toStored(config),
    credential_id,
    last_error: null,
    created_at: made.now,
    revoked_at: null,
    version: 1,
    cursor_generation: 1,
    ...NEVER_SYNCED,
    next_run_at: made.status === 'active' ? made.now : null
  }
  await transaction.insertInto('connections').values(row).execute()
  return { outcome: 'created', connection: storedConnection(row), replaced: undefined }
}

/** What failed before may work with the new credentials: it is due at once. */
async function renew(
  transaction: Transaction<Tables>,
  before: ConnectionRow,
  now: Pick<ConnectionRow, 'credential_id' | 'account' | 'next_run_at'>
): Promise<Put> {
  const renewed = { ...now, last_error: null, failures: 0 }
  await transaction.updateTable('connections').set(renewed).where('id', '=', before.id).execute()
  const old = before.credential_id
  const replaced = old === null || old === now.credential_id ? undefined : await takeIfUnused(transaction, old)
  return { outcome: 'renewed', connection: storedConnection({ ...before, ...renewed }), replaced }
}
