import { sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Clock } from '../../../src/ports.ts'
import type { TableMethods } from '../database/dialect.ts'
import { toBytes } from '../database/stored-values.ts'
import type { Db } from '../database/tables.ts'
import type { CleanupStorage, Released } from '../port/sync-storage.ts'
import { lockLines } from './collections-table.ts'
import { lockHold } from './connections-table.ts'
import { forgetUnreferenced, writeLines } from './records-table.ts'
import { countReferences, type Reference, uniqueKeys } from './references-table.ts'

/** Methods that remove what revoked connections leave behind. */
export const cleanups: TableMethods<CleanupStorage> = {
  /**
   * Requests the removal of a revoked connection's memories. Returns how many references it has; 0 if there is nothing
   * to do.
   */
  async requestCleanup({ db }, connectionId) {
    const left = await countReferences(db, connectionId)
    const { numUpdatedRows } = await db
      .updateTable('connections')
      .set(left === 0 ? { items_synced: 0 } : { cleanup: 1 })
      .where('id', '=', connectionId)
      .where('revoked_at', 'is not', null)
      .where(collectionIsThere)
      .executeTakeFirst()
    return numUpdatedRows > 0n ? left : 0
  },

  /** Lists the ids of connections whose memories are to be removed and that no server is cleaning up. */
  async listOpenCleanups({ db }, { now, limit }) {
    const rows = await db
      .selectFrom('connections')
      .select('id')
      .where('cleanup', '=', sql.lit(1))
      .where(isFree(now))
      .where(collectionIsThere)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  },

  /** Acquires the right to clean up, as documented at `Storage.claimCleanup`. */
  async claimCleanup({ db }, connectionId, { owner, now, until }) {
    const wanted = db
      .updateTable('connections')
      .set((row) => ({ lease_owner: owner, lease_until: until, fence: row('fence', '+', 1) }))
      .where('id', '=', connectionId)
      .where('cleanup', '=', sql.lit(1))
      .where(collectionIsThere)
    const taken = await wanted.where(isFree(now)).returning('fence').executeTakeFirst()
    if (taken !== undefined) return { connectionId, owner, fence: taken.fence, runId: NO_RUN }
    const open = await db
      .selectFrom('connections')
      .select('id')
      .where('id', '=', connectionId)
      .where('cleanup', '=', sql.lit(1))
      .where(collectionIsThere)
      .executeTakeFirst()
    return open === undefined ? 'nothing' : 'held'
  },

  /** Removes references of a revoked connection, as documented at `Storage.releaseMemories`. */
  releaseMemories({ db, dialect }, hold, { limit, now, until }) {
    return db.transaction().execute(async (transaction) => {
      const held = await lockHold(transaction, dialect, hold)
      if (held === undefined || held.cleanup === 0) return LOST
      const scope = { transaction, dialect, collectionId: held.collectionId }
      const head = await lockLines(scope)
      if (head === undefined) return LOST
      const some = await selectSomeReferences(transaction, hold.connectionId, limit)
      await removeUpTo(transaction, some.at(-1))
      const { removes, lines } = await forgetUnreferenced(scope, uniqueKeys(some), now)
      await writeLines(scope, head, { removes, damaged: [], lines, memoriesMore: -removes.length, now })
      const left = await countReferences(transaction, hold.connectionId)
      await transaction
        .updateTable('connections')
        .set(left > 0 ? { lease_until: until } : { cleanup: 0, items_synced: 0, lease_owner: null, lease_until: null })
        .where('id', '=', hold.connectionId)
        .execute()
      return { outcome: 'released', left }
    })
  },

  /**
   * Removes items, ledger entries and notes of reads of one revoked connection, at most `limit` rows of each. Memories,
   * references and runs stay. Returns false if no connection has any.
   */
  async purgeRevoked({ db }, limit) {
    const connectionId = await findRevokedWithRows(db)
    if (connectionId === undefined) return false
    for (const table of ['items', 'ledger', 'reads'] as const)
      await removeSomeRows(db, table, { ownerId: connectionId, limit })
    return true
  }
}

/** A cleanup has no run. */
const NO_RUN = '00000000-0000-0000-0000-000000000000'

function isFree(now: EpochMs) {
  return sql<boolean>`(lease_until is null or lease_until <= ${now})`
}

/** Excludes deleted collections, whose memories are removed with them. */
const collectionIsThere = sql<boolean>`exists (
  select 1 from collections where collections.id = connections.collection_id and collections.deleted_at is null
)`

const LOST: Released = { outcome: 'lost', left: 0 }

async function selectSomeReferences(db: Db, connectionId: string, limit: number): Promise<Reference[]> {
  const rows = await db
    .selectFrom('holdings')
    .select(['memory_key', 'item_id'])
    .where('connection_id', '=', connectionId)
    .orderBy('item_id')
    .orderBy('memory_key')
    .limit(limit)
    .execute()
  return rows.map(({ memory_key, item_id }) => ({
    memoryKey: toBytes(memory_key),
    connectionId,
    itemId: toBytes(item_id)
  }))
}

/** Deletes the references of the connection up to this one, in the order of `selectSomeReferences`. */
async function removeUpTo(db: Db, last: Reference | undefined): Promise<void> {
  if (last === undefined) return
  const { connectionId, itemId, memoryKey } = last
  await db
    .deleteFrom('holdings')
    .where('connection_id', '=', connectionId)
    .where('item_id', '<=', itemId)
    .where(({ eb, or }) => or([eb('item_id', '<', itemId), eb('memory_key', '<=', memoryKey)]))
    .execute()
}

async function findRevokedWithRows(db: Db): Promise<string | undefined> {
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

/** Lines removed in one transaction: a few milliseconds of work. */
const LINES_AT_ONCE = 500

/** Rows smaller than a line that are removed in one transaction. */
const ROWS_AT_ONCE = 2000

/** Pause between two transactions, so that stores and searches can run. */
const PAUSE_MS = 2

/** Wait after the storage has refused. */
const REFUSED_WAIT_MS = 5000

type Purging = {
  /** Reports that a collection was deleted. */
  wake(): void
  /** Stops. The rest is removed after the next start. */
  stop(): Promise<void>
}

/**
 * Starts removing the records and sync data of deleted collections, beginning with those left by earlier processes.
 * Works in small parts, because one transaction for a large collection would block all others for minutes.
 */
export function startPurging(db: Db, clock: Clock): Purging {
  const stopped = new AbortController()
  let isWanted = true
  let running: Promise<void> | undefined
  const pause = (ms: number) => clock.wait(ms, stopped.signal).catch(() => undefined)
  const wake = () => {
    isWanted = true
    running ??= run()
  }
  const run = async () => {
    while (isWanted && !stopped.signal.aborted) {
      isWanted = false
      await purgeCollections(db, () => pause(PAUSE_MS), stopped.signal).catch(() => {
        isWanted = true
        return pause(REFUSED_WAIT_MS)
      })
    }
    running = undefined
  }
  wake()
  return {
    wake,
    async stop() {
      stopped.abort()
      await running
    }
  }
}

/** Removes the deleted collections once, with a `pause` between two parts. Several servers may do so at once. */
export async function purgeCollections(db: Db, pause: () => Promise<void>, stopped: AbortSignal): Promise<void> {
  const deleted = await db
    .selectFrom('collections')
    .select('id')
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at')
    .execute()
  for (const { id } of deleted) {
    await untilNothingIsLeft(() => removeSome(db, id), { pause, stopped })
    await untilNothingIsLeft(() => removeSomeRows(db, 'holdings', { ownerId: id, limit: ROWS_AT_ONCE }), {
      pause,
      stopped
    })
    for (const connectionId of await selectConnectionIds(db, id))
      for (const table of ['items', 'ledger', 'reads', 'runs'] as const) {
        const rows = { ownerId: connectionId, limit: ROWS_AT_ONCE }
        await untilNothingIsLeft(() => removeSomeRows(db, table, rows), { pause, stopped })
      }
    if (stopped.aborted) return
    await db.deleteFrom('damaged_lines').where('collection_id', '=', id).execute()
    await db.deleteFrom('aside_lines').where('collection_id', '=', id).execute()
    await db.deleteFrom('aside_rows').where('collection_id', '=', id).execute()
    await db.deleteFrom('connections').where('collection_id', '=', id).execute()
    await db.deleteFrom('collections').where('id', '=', id).where('deleted_at', 'is not', null).execute()
  }
}

type Purge = { pause: () => Promise<void>; stopped: AbortSignal }

async function untilNothingIsLeft(removeSome: () => Promise<number>, { pause, stopped }: Purge): Promise<void> {
  while (!stopped.aborted && (await removeSome()) > 0) await pause()
}

/** Returns the ids of all connections, including revoked ones. */
async function selectConnectionIds(db: Db, collectionId: string): Promise<string[]> {
  const rows = await db.selectFrom('connections').select('id').where('collection_id', '=', collectionId).execute()
  return rows.map(({ id }) => id)
}

async function removeSome(db: Db, id: string): Promise<number> {
  const some = db
    .selectFrom('records')
    .select('seq')
    .where('collection_id', '=', id)
    .orderBy('seq')
    .limit(LINES_AT_ONCE)
    .as('some')
  const removed = await db
    .deleteFrom('records')
    .where('collection_id', '=', id)
    .where('seq', '<=', (query) => query.selectFrom(some).select(sql<number>`max(seq)`.as('last')))
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}

/** Tables whose rows are removed in parts: the column of the row's owner, and the column that identifies the row. */
const TABLES = {
  items: { owner: 'connection_id', key: 'item_id' },
  ledger: { owner: 'connection_id', key: 'entry_key' },
  reads: { owner: 'connection_id', key: 'item_id' },
  runs: { owner: 'connection_id', key: 'id' },
  holdings: { owner: 'collection_id', key: 'memory_key' }
} as const

/**
 * Deletes rows of one owner: a connection, or a collection for `holdings`. At most `limit` rows; for `holdings`, all
 * rows of at most `limit` memories. Returns how many rows were deleted.
 */
async function removeSomeRows(
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
