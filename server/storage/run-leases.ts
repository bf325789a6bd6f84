import { sql, type Transaction } from 'kysely'
import type { EpochMs } from '../../src/contract/milliseconds.ts'
import type { Database } from './dialect.ts'
import { endRunReads } from './reads-table.ts'
import { trimRuns } from './runs-table.ts'
import { textOrNull } from './stored-values.ts'
import type { Hold, RunEnd } from './sync-storage.ts'
import type { Db, Tables } from './tables.ts'

/** Makes a lease longer. One that ran out counts as long as nobody else has taken it. */
export async function putLease(db: Db, hold: Hold, { until }: { until: EpochMs }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ lease_until: until })
    .where('id', '=', hold.connectionId)
    .where('lease_owner', '=', hold.owner)
    .where('fence', '=', hold.fence)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a run and gives its connection back. Repeated by who does not know whether it was done, it is true again. */
export function endHeldRun({ db }: Database, hold: Hold, end: RunEnd): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    if (!(await giveBack(transaction, hold, end))) return await isEnded(transaction, hold, end)
    await transaction
      .updateTable('runs')
      .set({ ended_at: end.now, outcome: end.outcome, error: textOrNull(end.error) })
      .where('id', '=', hold.runId)
      .execute()
    await endRunReads(transaction, hold)
    await trimRuns(transaction, hold.connectionId)
    return true
  })
}

/**
 * What made it due or asked for a sync since the run began is not overruled: the run may not have seen why. A run that was
 * stopped leaves to the next one what was asked for.
 */
async function giveBack(transaction: Transaction<Tables>, hold: Hold, end: RunEnd): Promise<boolean> {
  const began = sql`(select started_at from runs where runs.id = ${hold.runId})`
  const { numUpdatedRows } = await transaction
    .updateTable('connections')
    .set({
      ...(end.complete || end.error !== undefined ? { last_error: textOrNull(end.error) } : {}),
      failures: end.failures,
      lease_owner: null,
      lease_until: null,
      next_run_at: sql`case when next_run_at > ${began} and next_run_at < ${end.nextRunAt}
        then next_run_at else ${end.nextRunAt} end`,
      ...(end.outcome === 'stopped'
        ? {}
        : { requested_at: sql`case when requested_at > ${began} then requested_at end` }),
      ...(end.complete ? { last_synced_at: end.now } : {})
    })
    .where('id', '=', hold.connectionId)
    .where('lease_owner', '=', hold.owner)
    .where('fence', '=', hold.fence)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether this run ended in just this way, and nobody has held its connection since. */
async function isEnded(transaction: Transaction<Tables>, hold: Hold, end: RunEnd): Promise<boolean> {
  const row = await transaction
    .selectFrom('runs')
    .innerJoin('connections', 'connections.id', 'runs.connection_id')
    .select('runs.id')
    .where('runs.id', '=', hold.runId)
    .where('runs.ended_at', '=', end.now)
    .where('runs.outcome', '=', end.outcome)
    .where('connections.fence', '=', hold.fence)
    .executeTakeFirst()
  return row !== undefined
}
