import { idBytes, idOf, textFrom } from './stored-values.ts'
import type { Db } from './tables.ts'

/** What an adapter keeps under one key. */
export async function selectLedgerValue(db: Db, connectionId: string, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('ledger')
    .select('value')
    .where('connection_id', '=', connectionId)
    .where('entry_key', '=', idBytes(key))
    .executeTakeFirst()
  return row === undefined ? undefined : textFrom(row.value)
}

/** All whose key begins with `prefix`, in the order of their bytes. */
export async function selectLedgerEntries(db: Db, connectionId: string, prefix: string): Promise<Map<string, string>> {
  const from = idBytes(prefix)
  const rows = await db
    .selectFrom('ledger')
    .select(['entry_key', 'value'])
    .where('connection_id', '=', connectionId)
    .where('entry_key', '>=', from)
    .$if(from.length > 0, (query) => query.where('entry_key', '<', pastPrefix(from)))
    .orderBy('entry_key')
    .execute()
  return new Map(rows.map(({ entry_key, value }) => [idOf(entry_key), textFrom(value)]))
}

/** The first bytes after all that begin with these. UTF-8 has no byte 255, so that the last one can always be raised. */
function pastPrefix(prefix: Uint8Array): Uint8Array {
  const past = new Uint8Array(prefix)
  const last = past.length - 1
  past[last] = (past[last] ?? 0) + 1
  return past
}
