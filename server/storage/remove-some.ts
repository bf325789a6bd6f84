import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Tables whose rows are taken out in parts: the column that names the owner of a row, and the one that names the row. */
const TABLES = {
  items: { owner: 'connection_id', key: 'item_id' },
  ledger: { owner: 'connection_id', key: 'entry_key' },
  reads: { owner: 'connection_id', key: 'item_id' },
  runs: { owner: 'connection_id', key: 'id' },
  holdings: { owner: 'collection_id', key: 'memory_key' }
} as const

/**
 * Deletes rows of one owner, a connection or for `holdings` a collection: `limit` at most, and for `holdings` those of so many
 * memories. Returns how many rows were deleted.
 */
export async function removeSomeRows(
  db: Db,
  table: keyof typeof TABLES,
  { ownerId, limit }: { ownerId: string; limit: number }
): Promise<number> {
  const [name, owner, key] = [sql.table(table), sql.ref(TABLES[table].owner), sql.ref(TABLES[table].key)]
  const some = sql`select ${key} from ${name} where ${owner} = ${ownerId} limit ${limit}`
  const { numAffectedRows } =
    await sql`delete from ${name} where ${owner} = ${ownerId} and ${key} in (${some})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
