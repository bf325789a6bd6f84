import type { EpochMs } from '../../src/contract/milliseconds.ts'
import type { Database } from './dialect.ts'
import { idBytes } from './stored-values.ts'

/**
 * Makes a failed item due, set aside or not, and asks for a sync of its connection: one that is under way may not come across it any more. The
 * connection's row is locked first, as in every change of its items.
 */
export function putRetry(
  { db, dialect }: Database,
  { connectionId, itemId, now }: { connectionId: string; itemId: string; now: EpochMs }
): Promise<'due' | 'not_failed' | 'unknown'> {
  const item_id = idBytes(itemId)
  return db.transaction().execute(async (transaction) => {
    const connection = transaction.selectFrom('connections').select('id').where('id', '=', connectionId)
    await (dialect.locksRows ? connection.forUpdate() : connection).execute()
    const item = await transaction
      .selectFrom('items')
      .select('status')
      .where('connection_id', '=', connectionId)
      .where('item_id', '=', item_id)
      .executeTakeFirst()
    if (item === undefined) return 'unknown'
    if (item.status !== 'failed') return 'not_failed'
    await transaction
      .updateTable('items')
      .set({ tries: 0, next_try_at: now })
      .where('connection_id', '=', connectionId)
      .where('item_id', '=', item_id)
      .execute()
    await transaction
      .deleteFrom('reads')
      .where('connection_id', '=', connectionId)
      .where('item_id', '=', item_id)
      .execute()
    await transaction
      .updateTable('connections')
      .set({ next_run_at: now, requested_at: now })
      .where('id', '=', connectionId)
      .where('status', '=', 'active')
      .execute()
    return 'due'
  })
}
