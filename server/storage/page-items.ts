import type { Transaction } from 'kysely'
import type { Dialect } from './dialect.ts'
import { partsOf } from './parts-of.ts'
import { idBytes, idOf, keyOf } from './stored-values.ts'
import type { PageChange } from './sync-storage.ts'
import type { ItemRow } from './sync-tables.ts'
import type { Tables } from './tables.ts'

/** A transaction, and the connection that it is about. */
export type ConnectionScope = { transaction: Transaction<Tables>; dialect: Dialect; connectionId: string }

/** Items that a page is about and that are known, by their ids. */
export async function itemsOfPage(scope: ConnectionScope, page: PageChange): Promise<Map<string, ItemRow>> {
  const ids = new Set([...page.items.map(({ id }) => id), ...page.gone])
  const found = new Map<string, ItemRow>()
  const all = scope.transaction.selectFrom('items').selectAll().where('connection_id', '=', scope.connectionId)
  for (const part of partsOf([...ids].map(idBytes), scope.dialect.rowsPerStatement))
    for (const row of await all.where('item_id', 'in', part).execute()) found.set(idOf(row.item_id), row)
  for (const part of partsOf(
    page.emptied.map((place) => keyOf(place)),
    scope.dialect.rowsPerStatement
  ))
    for (const row of await all.where('place_key', 'in', part).execute()) found.set(idOf(row.item_id), row)
  return found
}

/** Notes the items of some stretches as missing; those that the page names are noted as seen afterwards. */
export async function noteMissing(
  { transaction, connectionId }: ConnectionScope,
  { covered, pass }: Pick<PageChange, 'covered' | 'pass'>
): Promise<void> {
  for (const { from, to } of covered)
    await transaction
      .updateTable('items')
      .set({ missing_pass: pass })
      .where('connection_id', '=', connectionId)
      .where('item_id', '>=', idBytes(from))
      .where('item_id', '<=', idBytes(to))
      .execute()
}

/** Takes items out. What they hold is not looked at. */
export async function removeItems(scope: ConnectionScope, ids: readonly Uint8Array[]): Promise<void> {
  for (const part of partsOf(ids, scope.dialect.rowsPerStatement))
    await scope.transaction
      .deleteFrom('items')
      .where('connection_id', '=', scope.connectionId)
      .where('item_id', 'in', part)
      .execute()
}

/** Writes items as they are now. */
export async function putItems({ transaction, dialect }: ConnectionScope, rows: readonly ItemRow[]): Promise<void> {
  for (const part of partsOf(rows, dialect.rowsPerStatement))
    await transaction
      .insertInto('items')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'item_id']).doUpdateSet(({ ref }) => ({
          place_key: ref('excluded.place_key'),
          place: ref('excluded.place'),
          version: ref('excluded.version'),
          title: ref('excluded.title'),
          url: ref('excluded.url'),
          status: ref('excluded.status'),
          content_hash: ref('excluded.content_hash'),
          reason: ref('excluded.reason'),
          tries: ref('excluded.tries'),
          next_try_at: ref('excluded.next_try_at'),
          seen_pass: ref('excluded.seen_pass'),
          missing_pass: ref('excluded.missing_pass'),
          absent_since: ref('excluded.absent_since'),
          absent_pass: ref('excluded.absent_pass'),
          changed_at: ref('excluded.changed_at')
        }))
      )
      .execute()
}

/** Notes items as seen in a pass. */
export async function noteSeen(scope: ConnectionScope, ids: readonly Uint8Array[], pass: number): Promise<void> {
  for (const part of partsOf(ids, scope.dialect.rowsPerStatement))
    await scope.transaction
      .updateTable('items')
      .set(({ eb }) => ({
        seen_pass: eb.case().when('seen_pass', '<', pass).then(pass).else(eb.ref('seen_pass')).end(),
        missing_pass: null,
        absent_since: null,
        absent_pass: null
      }))
      .where('connection_id', '=', scope.connectionId)
      .where('item_id', 'in', part)
      .execute()
}
