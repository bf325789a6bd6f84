import type { Transaction } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { Hold } from './sync-storage.ts'
import type { Tables } from './tables.ts'

/** What a write of whoever holds a connection needs to know of it. */
export type Held = { collectionId: string; itemsSynced: number; cleanup: number; reasons: string }

/**
 * Looks whether a hold is what the connection's row says, and locks the row until the transaction ends. The row of a
 * collection is locked after those of its connections, everywhere.
 */
export async function lockHold(
  transaction: Transaction<Tables>,
  { locksRows }: Pick<Dialect, 'locksRows'>,
  { connectionId, owner, fence, runId }: Hold
): Promise<Held | undefined> {
  const query = transaction
    .selectFrom('connections')
    .select(['collection_id', 'items_synced', 'cleanup'])
    .select(({ selectFrom }) => selectFrom('runs').select('reasons').where('id', '=', runId).as('reasons'))
    .where('id', '=', connectionId)
    .where('lease_owner', '=', owner)
    .where('fence', '=', fence)
  const row = await (locksRows ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined) return undefined
  const { collection_id, items_synced, cleanup, reasons } = row
  return { collectionId: collection_id, itemsSynced: items_synced, cleanup, reasons: reasons ?? '{}' }
}
