import type { EpochMs } from '../../src/contract/milliseconds.ts'
import { selectConnection } from './connections-table.ts'
import type { StoredSchedule } from './sync-storage.ts'
import type { Db } from './tables.ts'

/** Makes an active connection that nobody holds due now, as `SyncStorage.requestSync` says. */
export async function putRequest(
  db: Db,
  id: string,
  now: EpochMs
): Promise<'requested' | 'running' | 'not_active' | 'unknown'> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ requested_at: now, next_run_at: now })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('requested_at', 'is', null)
    .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<=', now)]))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return 'requested'
  const connection = await selectConnection(db, id)
  if (connection === undefined) return 'unknown'
  return connection.status === 'active' ? 'running' : 'not_active'
}

/** Paused again, it keeps the time since when it is. */
export async function putPaused(
  db: Db,
  id: string,
  { paused, now }: { paused: boolean; now: EpochMs }
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set((row) => ({ paused_at: paused ? row.fn.coalesce('paused_at', row.val(now)) : null }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** When a connection runs. A revoked one does not, though its memories may be being cleaned up. */
export async function selectSchedule(db: Db, id: string): Promise<StoredSchedule | undefined> {
  const row = await db
    .selectFrom('connections')
    .select(['status', 'paused_at', 'requested_at', 'next_run_at', 'run_id', 'lease_until'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const isHeld = row.lease_until !== null && row.status === 'active'
  return {
    pausedAt: row.paused_at ?? undefined,
    requestedAt: row.requested_at ?? undefined,
    nextRunAt: row.next_run_at ?? undefined,
    runId: isHeld ? (row.run_id ?? undefined) : undefined,
    leaseUntil: isHeld ? (row.lease_until ?? undefined) : undefined
  }
}
