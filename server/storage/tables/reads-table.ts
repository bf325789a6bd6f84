import type { Transaction } from 'kysely'
import type { Dialect, TableMethods } from '../database/dialect.ts'
import { decodeId, encodeId, splitIntoParts, textOrNull } from '../database/stored-values.ts'
import type { ReadRow, Tables } from '../database/tables.ts'
import type { PageChange, PageStorage, ReadsToBegin } from '../port/page-storage.ts'
import type { Hold } from '../port/queue-storage.ts'
import { lockHold } from './connections-table.ts'

/** Methods over the table of reads under way. */
export const readsTable = {
  /**
   * Notes reads before they begin, as `Storage.recordReads` says. A row whose run is not this one was left by a run that ended without a
   * word: it, or what it read, ended the server.
   */
  recordReads({ db, dialect }, hold, reads) {
    return db.transaction().execute(async (transaction) => {
      const held = await lockHold(transaction, dialect, hold)
      if (held === undefined) return { outcome: 'lost' }
      const rows = rowsToBegin(hold, reads)
      const before = await selectReads(transaction, { dialect, hold, rows })
      const begun: ReadRow[] = []
      const suspects: string[] = []
      const setAside: string[] = []
      for (const [id, row] of rows) {
        const left = before.get(id)
        if (left === undefined || left.version !== row.version) begun.push(row)
        else if (left.run_id === hold.runId) continue
        else if (left.attempts >= ATTEMPTS_MAX) setAside.push(id)
        else if (reads.alone) begun.push({ ...row, attempts: left.attempts + 1 })
        else suspects.push(id)
      }
      await upsertReads(transaction, dialect, begun)
      return { outcome: 'begun', suspects, setAside }
    })
  },

  /** Takes back the reads of a run that has ended in an orderly way: they did not end the server. Does it once, however often it is called. */
  async endReads({ db }, hold) {
    const { connectionId, runId } = hold
    await db
      .deleteFrom('reads')
      .where('connection_id', '=', connectionId)
      .where('run_id', '=', runId)
      .where('attempts', '<=', 1)
      .execute()
    await db
      .updateTable('reads')
      .set(({ eb }) => ({ attempts: eb('attempts', '-', 1), run_id: null }))
      .where('connection_id', '=', connectionId)
      .where('run_id', '=', runId)
      .execute()
  }
} satisfies Partial<TableMethods<PageStorage>>

/** Reads of one item that may end with the server before it is set aside. */
const ATTEMPTS_MAX = 2

/** Takes out the reads of items whose outcome a page writes. What was set aside stays so while it fails. */
export async function settleReads(
  scope: { transaction: Transaction<Tables>; dialect: Dialect },
  hold: Hold,
  { items, gone }: Pick<PageChange, 'items' | 'gone'>
): Promise<void> {
  const { transaction, dialect } = scope
  const ofConnection = transaction.deleteFrom('reads').where('connection_id', '=', hold.connectionId)
  const isFailed = ({ state }: PageChange['items'][number]): boolean =>
    state.kind === 'failed' || state.kind === 'absent'
  const settled = [...items.filter((item) => !isFailed(item)).map(({ id }) => id), ...gone]
  for (const part of splitIntoParts(settled.map(encodeId), dialect.rowsPerStatement))
    await ofConnection.where('item_id', 'in', part).execute()
  const failed = items.filter(isFailed).map(({ id }) => encodeId(id))
  for (const part of splitIntoParts(failed, dialect.rowsPerStatement))
    await ofConnection.where('run_id', '=', hold.runId).where('item_id', 'in', part).execute()
}

function rowsToBegin({ connectionId, runId }: Hold, { items }: ReadsToBegin): Map<string, ReadRow> {
  return new Map(
    items.map(({ id, version }) => {
      const row = { connection_id: connectionId, item_id: encodeId(id), version: textOrNull(version) }
      return [id, { ...row, attempts: 1, run_id: runId }]
    })
  )
}

type Asked = { dialect: Dialect; hold: Hold; rows: ReadonlyMap<string, ReadRow> }

async function selectReads(
  transaction: Transaction<Tables>,
  { dialect, hold, rows }: Asked
): Promise<Map<string, ReadRow>> {
  const found = new Map<string, ReadRow>()
  const all = transaction.selectFrom('reads').selectAll().where('connection_id', '=', hold.connectionId)
  for (const part of splitIntoParts([...rows.keys()].map(encodeId), dialect.rowsPerStatement))
    for (const row of await all.where('item_id', 'in', part).execute()) found.set(decodeId(row.item_id), row)
  return found
}

async function upsertReads(
  transaction: Transaction<Tables>,
  { rowsPerStatement }: Dialect,
  rows: readonly ReadRow[]
): Promise<void> {
  for (const part of splitIntoParts(rows, rowsPerStatement))
    await transaction
      .insertInto('reads')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'item_id']).doUpdateSet(({ ref }) => ({
          version: ref('excluded.version'),
          attempts: ref('excluded.attempts'),
          run_id: ref('excluded.run_id')
        }))
      )
      .execute()
}
