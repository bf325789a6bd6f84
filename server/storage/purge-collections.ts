import { sql } from 'kysely'
import type { Clock } from '../../src/ports.ts'
import type { Db } from './tables.ts'

/** Lines that are removed in one transaction: a few milliseconds of work. */
const LINES_AT_ONCE = 500

/** Between two of them, so that stores and searches get their turn. */
const PAUSE_MS = 2

/** After the storage refused. */
const REFUSED_WAIT_MS = 5000

export type Purging = {
  /** A collection was deleted. */
  wake(): void
  /** Ends it; what is left is removed after the next start. */
  stop(): Promise<void>
}

/**
 * Removes the records of deleted collections, those left from earlier ones first, a part at a time: one transaction for a
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
      await purgeDeleted(db, () => pause(PAUSE_MS), stopped.signal).catch(() => {
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
export async function purgeDeleted(db: Db, pause: () => Promise<void>, stopped: AbortSignal): Promise<void> {
  const deleted = await db
    .selectFrom('collections')
    .select('id')
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at')
    .execute()
  for (const { id } of deleted) {
    while (!stopped.aborted && (await removeSome(db, id)) > 0n) await pause()
    if (stopped.aborted) return
    await db.deleteFrom('connections').where('collection_id', '=', id).execute()
    await db.deleteFrom('collections').where('id', '=', id).where('deleted_at', 'is not', null).execute()
  }
}

async function removeSome(db: Db, id: string): Promise<bigint> {
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
  return removed.numDeletedRows
}
