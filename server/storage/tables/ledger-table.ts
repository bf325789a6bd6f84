import type { ConnectionScope, TableMethods } from '../database/dialect.ts'
import { decodeId, encodeId, splitIntoParts, textFrom, toStored } from '../database/stored-values.ts'
import type { PageChange, PageStorage } from '../port/page-storage.ts'

/** Methods over the ledger: what an adapter keeps beside its cursor. */
export const ledgerTable = {
  /** What an adapter keeps under one key. */
  async ledgerValue({ db }, connectionId, key) {
    const row = await db
      .selectFrom('ledger')
      .select('value')
      .where('connection_id', '=', connectionId)
      .where('entry_key', '=', encodeId(key))
      .executeTakeFirst()
    return row === undefined ? undefined : textFrom(row.value)
  },

  /** All whose key begins with `prefix`, in the order of their bytes. */
  async ledgerEntries({ db }, connectionId, prefix) {
    const from = encodeId(prefix)
    const rows = await db
      .selectFrom('ledger')
      .select(['entry_key', 'value'])
      .where('connection_id', '=', connectionId)
      .where('entry_key', '>=', from)
      .$if(from.length > 0, (query) => query.where('entry_key', '<', pastPrefix(from)))
      .orderBy('entry_key')
      .execute()
    return new Map(rows.map(({ entry_key, value }) => [decodeId(entry_key), textFrom(value)]))
  }
} satisfies Partial<TableMethods<PageStorage>>

/** The first bytes after all that begin with these. UTF-8 has no byte 255, so that the last one can always be raised. */
function pastPrefix(prefix: Uint8Array): Uint8Array {
  const past = new Uint8Array(prefix)
  const last = past.length - 1
  past[last] = (past[last] ?? 0) + 1
  return past
}

/** Writes what an adapter keeps beside its cursor: of a key that is named twice, the last value. */
export async function writeLedger(scope: ConnectionScope, changes: PageChange['ledger']): Promise<void> {
  const { transaction, dialect, connectionId } = scope
  const entries = [...new Map(changes)].map(([key, value]) => ({ key: encodeId(key), value }))
  const removed = entries.flatMap(({ key, value }) => (value === undefined ? [key] : []))
  const kept = entries.flatMap(({ key, value }) =>
    value === undefined ? [] : [{ connection_id: connectionId, entry_key: key, value: toStored(value) }]
  )
  for (const part of splitIntoParts(removed, dialect.rowsPerStatement))
    await transaction
      .deleteFrom('ledger')
      .where('connection_id', '=', connectionId)
      .where('entry_key', 'in', part)
      .execute()
  for (const part of splitIntoParts(kept, dialect.rowsPerStatement))
    await transaction
      .insertInto('ledger')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'entry_key']).doUpdateSet(({ ref }) => ({ value: ref('excluded.value') }))
      )
      .execute()
}
