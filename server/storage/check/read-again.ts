import { sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { CollectionScope } from '../database/dialect.ts'
import { toBytes, toStored } from '../database/stored-values.ts'
import type { Bytes, Db } from '../database/tables.ts'
import { endOpenRuns } from '../tables/runs-table.ts'

/** What an item says that waits to be read once more. A text as `toStored` writes it. */
const REASON = toStored('its memories were damaged in the database: it is read again')

/** An item of a connection that is not revoked. */
export type Owner = { connectionId: string; itemId: Uint8Array }

type OwnerRow = { connection_id: string; item_id: Bytes; memory_key: Bytes }

export type OwnedMemory = Owner & { memoryKey: Uint8Array }

/**
 * Finds the items that own memories with sequence numbers over `after` and up to `upTo`, and locks their connections: everywhere,
 * the row of a collection is locked after those of its connections.
 */
export async function lockOwners(
  { transaction, dialect, collectionId }: CollectionScope,
  { after, upTo }: { after: number; upTo: number }
): Promise<OwnedMemory[]> {
  const { rows } = await sql<OwnerRow>`
    select holdings.connection_id, holdings.item_id, holdings.memory_key
    from records
    join holdings on holdings.collection_id = records.collection_id and holdings.memory_key = records.key
    join connections on connections.id = holdings.connection_id and connections.revoked_at is null
    where records.collection_id = ${collectionId} and records.seq > ${after} and records.seq <= ${upTo}`.execute(
    transaction
  )
  const ids = [...new Set(rows.map(({ connection_id }) => connection_id))].sort()
  if (dialect.locksRows && ids.length > 0)
    await transaction.selectFrom('connections').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
  return rows.map((row) => ({
    connectionId: row.connection_id,
    itemId: toBytes(row.item_id),
    memoryKey: toBytes(row.memory_key)
  }))
}

/** Has those of the items read again of which a memory has no line any more. */
export async function readAgain(
  { transaction, collectionId }: CollectionScope,
  owned: readonly OwnedMemory[],
  now: EpochMs
): Promise<void> {
  for (const { connectionId, itemId, memoryKey } of owned) {
    const line = await transaction
      .selectFrom('records')
      .select('seq')
      .where('collection_id', '=', collectionId)
      .where('key', '=', memoryKey)
      .executeTakeFirst()
    if (line === undefined) await readItemAgain(transaction, { connectionId, itemId }, now)
  }
}

/** The next sync reads the item again, whatever version it has. */
export async function readItemAgain(db: Db, { connectionId, itemId }: Owner, now: EpochMs): Promise<void> {
  await db
    .updateTable('items')
    .set({ status: 'failed', reason: REASON, tries: 0, next_try_at: now })
    .where('connection_id', '=', connectionId)
    .where('item_id', '=', itemId)
    .execute()
  await db
    .updateTable('connections')
    .set({ next_run_at: now })
    .where('id', '=', connectionId)
    .where('status', '=', 'active')
    .execute()
}

/** The next sync of the connection goes through everything that it has. A run that is under way is fenced off. */
export async function syncFromStart(db: Db, connectionId: string, now: EpochMs): Promise<void> {
  await db
    .updateTable('connections')
    .set(({ eb }) => ({
      progress: null,
      lease_owner: null,
      lease_until: null,
      fence: eb('fence', '+', 1),
      next_run_at: now
    }))
    .where('id', '=', connectionId)
    .where('status', '=', 'active')
    .execute()
  await endOpenRuns(db, [connectionId], { outcome: 'stopped', now })
}
