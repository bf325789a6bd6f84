import { sql, type Transaction } from 'kysely'
import { addMillis, type EpochMs } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Dialect, TableMethods } from '../database/dialect.ts'
import { textOrNull, textOrUndefined, toStored } from '../database/stored-values.ts'
import { assertSoundRow } from '../database/table-rules.ts'
import type { ConnectionRow, Tables } from '../database/tables.ts'
import type { StoredConnection } from '../port/connector-storage.ts'
import type { Claim, ClaimAsked, Hold, QueueStorage, RunEnd } from '../port/sync-storage.ts'
import {
  connectionsTable,
  endOpenRuns,
  insertRuns,
  NO_HOLD,
  toStoredConnection,
  trimRuns
} from './connections-table.ts'
import { pageTables } from './page-tables.ts'

/** Methods on the columns of connections that claim, schedule and end syncs. */
export const connectionQueue: TableMethods<QueueStorage> = {
  /**
   * Claims due connections, as documented at `Storage.claimDue`. A retry for the same runs by an owner that lost the
   * answer returns the same claims.
   */
  async claimDue({ db, dialect }, asked) {
    if (asked.limit === 0 || asked.providers.length === 0) return []
    return await db.transaction().execute(async (transaction) => {
      const given = await selectClaimedIds(transaction, asked)
      if (given.length > 0) return await selectClaims(transaction, given, asked)
      const ids = await takeDue(transaction, dialect, asked)
      if (ids.length === 0) return []
      await endOpenRuns(transaction, ids, { outcome: 'interrupted', now: asked.now })
      const claims = await selectClaims(transaction, ids, asked)
      await insertRuns(
        transaction,
        claims.map(({ hold: { connectionId, runId }, trigger }) => ({ id: runId, connectionId, trigger })),
        asked.now
      )
      return claims
    })
  },

  /** Returns the earliest time at which a connection of these providers is due and free. */
  async findNextDue({ db }, providers) {
    if (providers.length === 0) return undefined
    const wanted = sql`next_run_at is not null and ${IS_REGULAR_OR_ASKED} and ${isForProviders(providers)}`
    const { rows } = await sql<{ at: EpochMs | null }>`
    select min(at) as at from (
      select * from (
        select next_run_at as at from connections where ${wanted} and lease_until is null order by next_run_at limit 1
      ) as free
      union all
      select case when lease_until > next_run_at then lease_until else next_run_at end
      from connections where ${wanted} and lease_until is not null
    ) as times`.execute(db)
    return rows[0]?.at ?? undefined
  },

  /** Makes an active connection that no server holds due now, as documented at `Storage.requestSync`. */
  async requestSync(database, id, now) {
    const { numUpdatedRows } = await database.db
      .updateTable('connections')
      .set({ requested_at: now, next_run_at: now })
      .where('id', '=', id)
      .where('status', '=', 'active')
      .where('requested_at', 'is', null)
      .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<=', now)]))
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return 'requested'
    const connection = await connectionsTable.findConnection(database, id)
    if (connection === undefined) return 'unknown'
    return connection.status === 'active' ? 'running' : 'not_active'
  },

  /** Extends a lease. An expired lease counts until another server takes it. */
  async renewLease({ db }, hold, { until }) {
    const { numUpdatedRows } = await db
      .updateTable('connections')
      .set({ lease_until: until })
      .where('id', '=', hold.connectionId)
      .where('lease_owner', '=', hold.owner)
      .where('fence', '=', hold.fence)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Ends a run and releases its connection. A retry after a lost answer returns true again. */
  endRun(database, hold, end) {
    return database.db.transaction().execute(async (transaction) => {
      if (!(await giveBack(transaction, hold, end))) return await isEnded(transaction, hold, end)
      await transaction
        .updateTable('runs')
        .set({ ended_at: end.now, outcome: end.outcome, error: textOrNull(end.error) })
        .where('id', '=', hold.runId)
        .execute()
      await pageTables.endReads({ ...database, db: transaction }, hold)
      await trimRuns(transaction, hold.connectionId)
      return true
    })
  },

  /** Returns the schedule of a connection. A revoked one has no run, even if its memories are being cleaned up. */
  async findSchedule({ db }, id) {
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
  },

  /** Pauses or resumes a connection. Pausing it again keeps the original time. */
  async setPaused({ db }, id, { paused, now }) {
    const { numUpdatedRows } = await db
      .updateTable('connections')
      .set((row) => ({ paused_at: paused ? row.fn.coalesce('paused_at', row.val(now)) : null }))
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

/** Extra rows considered beyond `limit`, since other servers may be taking as many at the same moment. */
const SPARE = 100

/** The same condition as in the index of due connections. */
const IS_REGULAR_OR_ASKED = sql`(paused_at is null or requested_at is not null)`

function isForProviders(providers: readonly string[]) {
  return sql`provider in (${sql.join(providers)})`
}

/** Returns the ids that an earlier call for these runs claimed and still holds. */
async function selectClaimedIds(transaction: Transaction<Tables>, { runIds, owner }: ClaimAsked): Promise<string[]> {
  const rows = await transaction
    .selectFrom('runs')
    .innerJoin('connections', 'connections.id', 'runs.connection_id')
    .select('connections.id')
    .where('runs.id', 'in', runIds)
    .whereRef('connections.run_id', '=', 'runs.id')
    .where('connections.lease_owner', '=', owner)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Claims due connections with one statement. The turn of a connection is the number of held connections in its
 * collection, plus those that come before it. The first turns of all collections precede any second turn. Rows that
 * another server is claiming are skipped; rows that it has just claimed are excluded by checking again after the lock.
 */
async function takeDue(
  transaction: Transaction<Tables>,
  { locksRows, types }: Dialect,
  { owner, now, until, limit, providers, runIds }: ClaimAsked
): Promise<string[]> {
  const isDue = sql`next_run_at <= ${now} and ${IS_REGULAR_OR_ASKED} and ${isForProviders(providers)}
    and (lease_until is null or lease_until <= ${now})`
  const runs = runIds.slice(0, limit).map((id, at) => sql`(${sql.lit(at + 1)}, cast(${id} as ${sql.raw(types.id)}))`)
  const { rows } = await sql<{ id: string }>`
    with held as materialized (
      select collection_id, count(*) as number from connections where lease_until > ${now} group by collection_id
    ), due as materialized (
      select id, collection_id, next_run_at from connections where ${isDue}
    ), queue as (
      select id, next_run_at, coalesce(held.number, 0)
        + row_number() over (partition by due.collection_id order by next_run_at, id) as turn
      from due left join held on held.collection_id = due.collection_id
    ), first as materialized (
      select id, turn from queue order by turn, next_run_at, id limit ${runs.length + SPARE}
    ), free as (
      select connections.id, first.turn, connections.next_run_at
      from first join connections on connections.id = first.id
      where ${isDue}
      order by first.turn, connections.next_run_at, connections.id limit ${runs.length}
      ${locksRows ? sql`for update of connections skip locked` : sql``}
    ), numbered as (
      select id, row_number() over (order by turn, next_run_at, id) as number from free
    ), run (number, id) as (values ${sql.join(runs)})
    update connections
    set lease_owner = ${owner}, lease_until = ${until}, fence = fence + 1, run_id = run.id
    from numbered join run on run.number = numbered.number
    where connections.id = numbered.id
    returning connections.id`.execute(transaction)
  return rows.map(({ id }) => id)
}

/** Returns the claims in the order in which they were made. */
async function selectClaims(
  transaction: Transaction<Tables>,
  ids: readonly string[],
  { owner, runIds, now }: ClaimAsked
): Promise<Claim[]> {
  const rows = await transaction
    .withoutPlugins()
    .selectFrom('connections')
    .selectAll()
    .select(sql<boolean | number>`exists (select 1 from items where connection_id = connections.id)`.as('has_items'))
    .where('id', 'in', ids)
    .execute()
  const connections = await readable(transaction, rows, now)
  const byRun = new Map(rows.map((row) => [row.run_id, row]))
  return runIds.flatMap((runId) => {
    const row = byRun.get(runId)
    const connection = row && connections.get(row.id)
    if (row === undefined || connection === undefined) return []
    return {
      hold: { connectionId: row.id, owner, fence: row.fence, runId },
      connection,
      trigger: row.requested_at === null ? 'schedule' : 'manual',
      progress: textOrUndefined(row.progress),
      lastPass: row.last_pass,
      hasItems: Boolean(row.has_items),
      failures: row.failures
    }
  })
}

/** Milliseconds for which a connection with a damaged row is postponed. */
const DAMAGED_WAIT_MS = 60 * 60_000

/**
 * Returns the connections of rows that can be read. The others are released, so that one damaged row does not block
 * other syncs.
 */
async function readable(
  transaction: Transaction<Tables>,
  rows: readonly ConnectionRow[],
  now: EpochMs
): Promise<Map<string, StoredConnection>> {
  const found = new Map<string, StoredConnection>()
  for (const row of rows) {
    try {
      assertSoundRow(row)
      textOrUndefined(row.progress)
      found.set(row.id, toStoredConnection(row))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      await transaction
        .updateTable('connections')
        .set({
          ...NO_HOLD,
          next_run_at: addMillis(now, DAMAGED_WAIT_MS),
          requested_at: null,
          last_error: toStored(damageText(error))
        })
        .where('id', '=', row.id)
        .execute()
    }
  }
  return found
}

function damageText({ message, hint }: Fault): string {
  return `${message}; ${hint ?? ''}`
}

/**
 * Releases a connection. If a change or request since the start of the run made it due, it stays due, because the run
 * may not have seen the cause. A stopped run leaves a requested sync to the next run.
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

/** Reports whether this run ended exactly as given, and its connection was not claimed since. */
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
