import { removeSomeRows } from './remove-some.ts'
import type { Db } from './tables.ts'

/**
 * Takes out items, ledger entries and notes of reads of a revoked connection, `limit` of each at most. False where none has any. Memories,
 * holdings and runs stay.
 */
export async function purgeSome(db: Db, limit: number): Promise<boolean> {
  const connectionId = await revokedWithRows(db)
  if (connectionId === undefined) return false
  for (const table of ['items', 'ledger', 'reads'] as const)
    await removeSomeRows(db, table, { ownerId: connectionId, limit })
  return true
}

async function revokedWithRows(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('revoked_at', 'is not', null)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('items').select('item_id').whereRef('items.connection_id', '=', 'connections.id')),
        exists(selectFrom('reads').select('item_id').whereRef('reads.connection_id', '=', 'connections.id')),
        exists(selectFrom('ledger').select('entry_key').whereRef('ledger.connection_id', '=', 'connections.id'))
      ])
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
