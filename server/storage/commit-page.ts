import type { Database } from './dialect.ts'
import { lockHold } from './lock-hold.ts'
import { itemsOfPage, noteMissing, noteSeen, putItems, removeItems } from './page-items.ts'
import { writeLedger } from './page-ledger.ts'
import { type ItemsPlan, planItems } from './plan-items.ts'
import { settleReads } from './reads-table.ts'
import { countIntoRun } from './run-counters.ts'
import { toStored } from './stored-values.ts'
import type { Hold, PageChange, PageOutcome } from './sync-storage.ts'
import { type ItemsScope, writeMemories } from './write-memories.ts'

/** Writes what a page tells, as `SyncStorage.commitPage` says. All is read and decided before the first write. */
export function commitPage({ db, dialect }: Database, hold: Hold, page: PageChange): Promise<PageOutcome> {
  return db.transaction().execute(async (transaction) => {
    const held = await lockHold(transaction, dialect, hold)
    if (held === undefined) return LOST
    const scope = { transaction, dialect, connectionId: hold.connectionId, collectionId: held.collectionId }
    const items = planItems(hold.connectionId, page, await itemsOfPage(scope, page))
    const { filled, emptied } = items
    const written = await writeMemories(scope, { batch: page.memories, filled, emptied, now: page.now })
    if (written !== 'written') return written
    await writeItems(scope, page, items)
    await settleReads(scope, hold, page)
    await writeLedger(scope, page.ledger)
    const deleted = items.dropped.length
    await countIntoRun(transaction, { runId: hold.runId, reasons: held.reasons }, { ...page.counts, deleted })
    await keepHold(scope, page, held.itemsSynced + items.syncedMore)
    return { outcome: 'committed', deleted }
  })
}

const LOST = { outcome: 'lost' } as const satisfies PageOutcome

async function writeItems(scope: ItemsScope, page: PageChange, { dropped, rows, seen }: ItemsPlan): Promise<void> {
  await removeItems(scope, dropped)
  await noteMissing(scope, page)
  await putItems(scope, rows)
  await noteSeen(scope, seen, page.pass)
}

async function keepHold(
  { transaction, connectionId }: ItemsScope,
  page: PageChange,
  itemsSynced: number
): Promise<void> {
  const { until, pass, progress } = page
  await transaction
    .updateTable('connections')
    .set(({ eb }) => ({
      lease_until: until,
      last_pass: eb.case().when('last_pass', '<', pass).then(pass).else(eb.ref('last_pass')).end(),
      items_synced: itemsSynced,
      ...(progress !== undefined && { progress: toStored(progress) })
    }))
    .where('id', '=', connectionId)
    .execute()
}
