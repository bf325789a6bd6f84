import type { Transaction } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { CollectionScope, ConnectionScope, Database, Dialect, TableMethods } from '../database/dialect.ts'
import { decodeId, encodeId, splitIntoParts, textFrom, textOrNull, toStored } from '../database/stored-values.ts'
import type { ReadRow, Tables } from '../database/tables.ts'
import { keyAt, RECORD_KINDS, type RecordBatch } from '../port/record-batch.ts'
import type { Hold, PageChange, PageOutcome, PageStorage, ReadsToBegin } from '../port/sync-storage.ts'
import { lockLines } from './collections-table.ts'
import { countIntoRun, lockHold } from './connections-table.ts'
import { noteMissing, noteSeen, noteSeenIn, putItems, removeItems, selectPageItems } from './items-table.ts'
import { type ItemsPlan, type MemoriesPlan, planItems, planMemories } from './plan-items.ts'
import { forgetUnreferenced, newLineAt, selectLines, writeLines } from './records-table.ts'
import {
  addReferences,
  type Reference,
  removeItemReferences,
  selectOwners,
  selectReferences,
  toKeyText,
  uniqueKeys
} from './references-table.ts'

/** Methods that a sync uses for its pages, and the tables that only they use: current reads and the ledger. */
export const pageTables: TableMethods<PageStorage> = {
  /**
   * Writes the changes of a page, as documented at `Storage.commitPage`. Reads and decides everything before the first
   * write.
   */
  commitPage({ db, dialect }: Database, hold: Hold, page: PageChange): Promise<PageOutcome> {
    return db.transaction().execute(async (transaction) => {
      const held = await lockHold(transaction, dialect, hold)
      if (held === undefined) return LOST
      const scope = { transaction, dialect, connectionId: hold.connectionId, collectionId: held.collectionId }
      const items = planItems(hold.connectionId, page, await selectPageItems(scope, page))
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
  },

  /**
   * Records reads before they begin, as documented at `Storage.recordReads`. A row of another run belongs to a run that
   * ended without cleanup: the run, or the item it read, ended the server.
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

  /** Removes the reads of a run that ended normally, so they did not end the server. Idempotent. */
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
  },

  /** Finds the value that an adapter stores under a key. */
  async findLedgerValue({ db }, connectionId, key) {
    const row = await db
      .selectFrom('ledger')
      .select('value')
      .where('connection_id', '=', connectionId)
      .where('entry_key', '=', encodeId(key))
      .executeTakeFirst()
    return row === undefined ? undefined : textFrom(row.value)
  },

  /** Lists all values whose key begins with `prefix`, ordered by the keys' bytes. */
  async listLedgerEntries({ db }, connectionId, prefix) {
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
}

const LOST = { outcome: 'lost' } as const satisfies PageOutcome

async function writeItems(scope: ItemsScope, page: PageChange, { dropped, rows, seen }: ItemsPlan): Promise<void> {
  await removeItems(scope, dropped)
  await noteMissing(scope, page)
  await putItems(scope, rows)
  await noteSeen(scope, seen, page.pass)
  await noteSeenIn(scope, page)
}

async function keepHold(
  { transaction, connectionId }: ItemsScope,
  page: PageChange,
  itemsSynced: number
): Promise<void> {
  const { until, pass, progress, placeNames } = page
  await transaction
    .updateTable('connections')
    .set(({ eb }) => ({
      lease_until: until,
      last_pass: eb.case().when('last_pass', '<', pass).then(pass).else(eb.ref('last_pass')).end(),
      items_synced: itemsSynced,
      ...(progress !== undefined && { progress: toStored(progress) }),
      ...(placeNames !== undefined && { place_names: toStored(placeNames) })
    }))
    .where('id', '=', connectionId)
    .execute()
}

/** A transaction with its connection and its collection. */
type ItemsScope = ConnectionScope & CollectionScope

/** `filled` and `emptied` are as in `ItemsPlan`; their lines are those of `batch`. */
type MemoriesChange = Pick<ItemsPlan, 'filled' | 'emptied'> & { batch: RecordBatch; now: EpochMs }

type MemoriesOutcome = 'written' | Exclude<PageOutcome, { outcome: 'committed' }>

/**
 * Writes the new lines of items, and forget lines for memories without an owner. Nothing is written unless the outcome
 * is `written`.
 */
async function writeMemories(scope: ItemsScope, change: MemoriesChange): Promise<MemoriesOutcome> {
  const { batch, filled, emptied, now } = change
  if (emptied.length === 0 && filled.every(({ from, to }) => from === to)) return 'written'
  const head = await lockLines(scope)
  if (head === undefined) return { outcome: 'lost' }
  const had = await selectReferences(scope, scope.connectionId, emptied)
  const plan = await planPageMemories(scope, change)
  if (plan.copies.length > 0) return { outcome: 'copies', rows: plan.copies }

  const { added, changed, letGo } = difference(had, plan.references)
  await removeItemReferences(scope, scope.connectionId, changed)
  await addReferences(scope, added)
  const back = await forgetUnreferenced(scope, letGo, now)
  await writeLines(scope, head, {
    removes: [...plan.removes, ...back.removes],
    damaged: plan.damaged,
    lines: [...plan.inserts.map((row) => newLineAt(batch, row)), ...back.lines],
    memoriesMore: plan.memoriesMore - back.removes.length,
    now
  })
  return 'written'
}

async function planPageMemories(scope: ItemsScope, { batch, filled }: MemoriesChange): Promise<MemoriesPlan> {
  const keys = new Map<string, Uint8Array>()
  for (const { from, to } of filled)
    for (let row = from; row < to; row++) keys.set(toKeyText(keyAt(batch, row)), keyAt(batch, row))
  const lines = await selectLines(scope, [...keys.values()])
  const live = lines.filter(({ kind, isDamaged }) => isDamaged || kind === RECORD_KINDS.memory).map(({ key }) => key)
  const owners = await selectOwners(scope, live)
  return planMemories(scope.connectionId, { batch, filled }, { lines, owners })
}

/**
 * Computes the changes from the current references to the wanted ones. Items that lose a reference (`changed`) are
 * emptied first and then get the references they keep.
 */
function difference(had: readonly Reference[], wanted: readonly Reference[]) {
  const before = new Set(had.map(toReferenceText))
  const after = new Map(wanted.map((reference) => [toReferenceText(reference), reference]))
  const removed = had.filter((reference) => !after.has(toReferenceText(reference)))
  const changed = new Map(removed.map(({ itemId }) => [toKeyText(itemId), itemId]))
  const isNew = ([text, { connectionId, itemId }]: [string, Reference]) =>
    !before.has(text) || (connectionId === had[0]?.connectionId && changed.has(toKeyText(itemId)))
  return {
    added: [...after].filter(isNew).map(([, reference]) => reference),
    changed: [...changed.values()],
    letGo: uniqueKeys(removed)
  }
}

function toReferenceText({ memoryKey, connectionId, itemId }: Reference): string {
  return `${connectionId} ${toKeyText(memoryKey)} ${toKeyText(itemId)}`
}

/** Reads of one item that may end with the server before the item is set aside. */
const ATTEMPTS_MAX = 2

/** Removes the reads of items whose outcome a page writes. An item that was set aside stays so while it fails. */
async function settleReads(
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

/**
 * Returns the first bytes after all that begin with the prefix. UTF-8 never contains byte 255, so the last byte can
 * always be incremented.
 */
function pastPrefix(prefix: Uint8Array): Uint8Array {
  const past = new Uint8Array(prefix)
  const last = past.length - 1
  past[last] = (past[last] ?? 0) + 1
  return past
}

/** Writes the values that an adapter stores beside its cursor. If a key occurs twice, the last value wins. */
async function writeLedger(scope: ConnectionScope, changes: PageChange['ledger']): Promise<void> {
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
