import type { ConnectionScope } from './page-items.ts'
import { partsOf } from './parts-of.ts'
import { idBytes, toStored } from './stored-values.ts'
import type { PageChange } from './sync-storage.ts'

/** Writes what an adapter keeps beside its cursor: of a key that is named twice, the last value. */
export async function writeLedger(scope: ConnectionScope, changes: PageChange['ledger']): Promise<void> {
  const { transaction, dialect, connectionId } = scope
  const entries = [...new Map(changes)].map(([key, value]) => ({ key: idBytes(key), value }))
  const removed = entries.flatMap(({ key, value }) => (value === undefined ? [key] : []))
  const kept = entries.flatMap(({ key, value }) =>
    value === undefined ? [] : [{ connection_id: connectionId, entry_key: key, value: toStored(value) }]
  )
  for (const part of partsOf(removed, dialect.rowsPerStatement))
    await transaction
      .deleteFrom('ledger')
      .where('connection_id', '=', connectionId)
      .where('entry_key', 'in', part)
      .execute()
  for (const part of partsOf(kept, dialect.rowsPerStatement))
    await transaction
      .insertInto('ledger')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'entry_key']).doUpdateSet(({ ref }) => ({ value: ref('excluded.value') }))
      )
      .execute()
}
