import type { Db } from './tables.ts'

/** Takes out items of a connection, `limit` at most. Gives how many. */
export async function removeItemRows(db: Db, connectionId: string, limit: number): Promise<number> {
  const some = db.selectFrom('items').select('item_id').where('connection_id', '=', connectionId).limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('items')
    .where('connection_id', '=', connectionId)
    .where('item_id', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The same of its ledger. */
export async function removeLedgerRows(db: Db, connectionId: string, limit: number): Promise<number> {
  const some = db.selectFrom('ledger').select('entry_key').where('connection_id', '=', connectionId).limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('ledger')
    .where('connection_id', '=', connectionId)
    .where('entry_key', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The same of the notes of its reads. */
export async function removeReadRows(db: Db, connectionId: string, limit: number): Promise<number> {
  const some = db.selectFrom('reads').select('item_id').where('connection_id', '=', connectionId).limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('reads')
    .where('connection_id', '=', connectionId)
    .where('item_id', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The same of its runs. */
export async function removeRunRows(db: Db, connectionId: string, limit: number): Promise<number> {
  const some = db.selectFrom('runs').select('id').where('connection_id', '=', connectionId).limit(limit)
  const { numDeletedRows } = await db.deleteFrom('runs').where('id', 'in', some).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Takes out what items of a collection hold, all of `limit` memories at most. Gives how many holdings. */
export async function removeHoldingRows(db: Db, collectionId: string, limit: number): Promise<number> {
  const some = db.selectFrom('holdings').select('memory_key').where('collection_id', '=', collectionId).limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('holdings')
    .where('collection_id', '=', collectionId)
    .where('memory_key', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
