import { sql } from 'kysely'
import type { Clock } from '../../../src/ports.ts'
import type { Db } from '../database/tables.ts'

/** Lines that are removed in one transaction: a few milliseconds of work. */
const LINES_AT_ONCE = 500

/** The same of what is smaller than a line. */
const ROWS_AT_ONCE = 2000

/** Between two of them, so that stores and searches get their turn. */
const PAUSE_MS = 2

/** After the storage refused. */
const REFUSED_WAIT_MS = 5000

type Purging = {
  /** A collection was deleted. */
  wake(): void
  /** Ends it; what is left is removed after the next start. */
  stop(): Promise<void>
}

/**
 * Removes the records of deleted collections, and what syncs of theirs left, those left from earlier ones first, a part at a time: one transaction for a
 * large collection would stop all others for minutes.
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

/** The same once, `pause` between two parts. Several servers may do so at once. */
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

/** Revoked ones too. */
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
