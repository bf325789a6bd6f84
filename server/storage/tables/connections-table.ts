import type { Transaction } from 'kysely'
import { ConnectionStatus } from '../../../src/contract/connection.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Dialect, TableMethods } from '../database/dialect.ts'
import {
  damagedValueError,
  fromStored,
  objectFrom,
  textOrNull,
  textOrUndefined,
  toOption,
  toStored
} from '../database/stored-values.ts'
import type { ConnectionRow, ConnectionSyncColumns, Db, RunRow, Tables } from '../database/tables.ts'
import type { ConnectionStorage, StoredConnection } from '../port/connector-storage.ts'
import type { Hold, PageCounts, RunOutcome, RunStorage, RunTrigger, StoredRun } from '../port/sync-storage.ts'
import { markUnused, takeIfUnused } from './vault-table.ts'

/** Methods on the table of connections, except for its queue and its cleanups. */
export const connectionsTable: TableMethods<ConnectionStorage> = {
  /** Finds a connection of an existing collection, even a revoked one. */
  async findConnection({ db }, id) {
    const row = await db
      .selectFrom('connections')
      .innerJoin('collections', 'collections.id', 'connections.collection_id')
      .selectAll('connections')
      .where('connections.id', '=', id)
      .where('collections.deleted_at', 'is', null)
      .executeTakeFirst()
    return row === undefined ? undefined : toStoredConnection(row)
  },

  /** Lists the connections of a collection, oldest first, without revoked ones. */
  async listConnectionsInCollection({ db }, collectionId) {
    const rows = await db
      .selectFrom('connections')
      .selectAll()
      .where('collection_id', '=', collectionId)
      .where('revoked_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toStoredConnection)
  },

  /**
   * Changes a connection that still has `version` and is not revoked. A run in progress is fenced off; the next one is
   * due immediately.
   */
  updateConnection(database, id, change) {
    return database.db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('connections')
        .set((row) => ({
          config: toStored(change.config),
          ...(change.placeNames !== undefined && { place_names: toStored(change.placeNames) }),
          status: change.status,
          version: row('version', '+', 1),
          cursor_generation: row('cursor_generation', '+', 1),
          ...NO_HOLD,
          fence: row('fence', '+', 1),
          next_run_at: change.now
        }))
        .where('id', '=', id)
        .where('version', '=', change.version)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      const changed = numUpdatedRows > 0n
      if (changed) await endOpenRuns(transaction, [id], { outcome: 'stopped', now: change.now })
      return { changed, connection: await connectionsTable.findConnection({ ...database, db: transaction }, id) }
    })
  },

  /** Stores the last error of a connection that is not revoked. */
  async noteError({ db }, id, error) {
    await db
      .updateTable('connections')
      .set({ last_error: textOrNull(error) })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute()
  },

  /** Revokes a connection, and removes its credential if no other connection uses it. */
  revokeConnection(database, id, now) {
    const { db, dialect } = database
    return db.transaction().execute(async (transaction) => {
      await dialect.lock(transaction, 'connections')
      const before = await connectionsTable.findConnection({ ...database, db: transaction }, id)
      if (before === undefined) return undefined
      if (before.status === 'revoked') return { connection: before, credential: undefined }
      const { credentialId, ...rest } = before
      await markRevoked(transaction, now).where('id', '=', id).execute()
      await endOpenRuns(transaction, [id], { outcome: 'stopped', now })
      const credential = credentialId === undefined ? undefined : await takeIfUnused(transaction, credentialId)
      const ended = { credentialId: undefined, nextRunAt: undefined, status: 'revoked' } as const
      const connection = { ...rest, ...ended, version: before.version + 1 }
      return { connection, credential }
    })
  }
}

/** Revokes all connections of a collection that is being deleted. The caller holds the lock `connections`. */
export async function revokeConnections(
  transaction: Transaction<Tables>,
  collectionId: string,
  now: EpochMs
): Promise<void> {
  const live = await transaction
    .selectFrom('connections')
    .select('credential_id')
    .distinct()
    .where('collection_id', '=', collectionId)
    .where('revoked_at', 'is', null)
    .execute()
  if (live.length === 0) return
  await markRevoked(transaction, now)
    .where('collection_id', '=', collectionId)
    .where('revoked_at', 'is', null)
    .execute()
  await markUnused(
    transaction,
    live.flatMap(({ credential_id }) => credential_id ?? []),
    now
  )
}

/** Converts a row to the port's type. */
export function toStoredConnection(row: ConnectionRow): StoredConnection {
  const account = fromStored<{ id: string; name: string }>(row.account)
  if (typeof account?.id !== 'string' || typeof account.name !== 'string')
    throw damagedValueError(`the account of connection ${row.id} cannot be read`)
  return {
    id: row.id,
    provider: row.provider,
    collectionId: row.collection_id,
    accountId: account.id,
    accountName: account.name,
    status: toOption(ConnectionStatus.options, row.status, `the status of connection ${row.id}`),
    config: objectFrom(row.config, `the selection of connection ${row.id}`),
    placeNames: row.place_names === null ? undefined : objectFrom(row.place_names, `the names of connection ${row.id}`),
    credentialId: row.credential_id ?? undefined,
    lastError: textOrUndefined(row.last_error),
    createdAt: row.created_at,
    version: row.version,
    cursorGeneration: row.cursor_generation,
    itemsSynced: row.items_synced,
    lastSyncedAt: row.last_synced_at ?? undefined,
    nextRunAt: row.next_run_at ?? undefined
  }
}

/** Revokes the rows selected by `where`. */
function markRevoked(transaction: Transaction<Tables>, now: EpochMs) {
  return transaction.updateTable('connections').set((row) => ({
    status: 'revoked' as const,
    credential_id: null,
    revoked_at: now,
    version: row('version', '+', 1),
    ...NO_HOLD,
    fence: row('fence', '+', 1),
    requested_at: null,
    next_run_at: null
  }))
}

/** What a write by the holder of a connection needs to know about it. */
type Held = { collectionId: string; itemsSynced: number; cleanup: number; reasons: string }

/**
 * Checks a hold against the connection's row, and locks the row until the transaction ends. Everywhere, the row of a
 * collection is locked after the rows of its connections.
 */
export async function lockHold(
  transaction: Transaction<Tables>,
  { locksRows }: Pick<Dialect, 'locksRows'>,
  { connectionId, owner, fence, runId }: Hold
): Promise<Held | undefined> {
  const query = transaction
    .selectFrom('connections')
    .select(['collection_id', 'items_synced', 'cleanup'])
    .select(({ selectFrom }) => selectFrom('runs').select('reasons').where('id', '=', runId).as('reasons'))
    .where('id', '=', connectionId)
    .where('lease_owner', '=', owner)
    .where('fence', '=', fence)
  const row = await (locksRows ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined) return undefined
  const { collection_id, items_synced, cleanup, reasons } = row
  return { collectionId: collection_id, itemsSynced: items_synced, cleanup, reasons: reasons ?? '{}' }
}

/** The sync columns of a connection that was never synced, or that starts again. */
export const NEVER_SYNCED = {
  next_run_at: null,
  paused_at: null,
  requested_at: null,
  lease_owner: null,
  lease_until: null,
  fence: 0,
  run_id: null,
  progress: null,
  last_pass: 0,
  failures: 0,
  items_synced: 0,
  last_synced_at: null,
  cleanup: 0
} as const satisfies ConnectionSyncColumns

/**
 * Fences off the run of a connection that was changed, and releases the connection. A requested sync stays requested.
 */
export const NO_HOLD = {
  lease_owner: null,
  lease_until: null,
  progress: null,
  failures: 0
} as const

/** Methods on the table of runs. */
export const runsTable: TableMethods<RunStorage> = {
  /** Lists the runs of a connection, newest first. */
  async listRuns({ db }, connectionId, { limit }) {
    const rows = await db
      .selectFrom('runs')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(toStoredRun)
  },

  /** Finds a run of a connection. */
  async findRun({ db }, connectionId, id) {
    const row = await db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', id)
      .where('connection_id', '=', connectionId)
      .executeTakeFirst()
    return row === undefined ? undefined : toStoredRun(row)
  }
}

/** Number of ended runs that are kept for a connection. */
const RUNS_KEPT = 100

/** Old runs removed when a run ends. One would suffice if no earlier removal was missed. */
const RUNS_TRIMMED_AT_ONCE = 50

type NewRun = { id: string; connectionId: string; trigger: RunTrigger }

/** Begins runs with all counters at 0. */
export async function insertRuns(db: Db, runs: readonly NewRun[], now: EpochMs): Promise<void> {
  if (runs.length === 0) return
  const rows = runs.map(({ id, connectionId, trigger }) => ({
    id,
    connection_id: connectionId,
    trigger,
    started_at: now,
    ended_at: null,
    outcome: null,
    error: null,
    reasons: toStored({}),
    seen: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    failed: 0,
    skipped: 0
  }))
  await db.insertInto('runs').values(rows).execute()
}

/** Ends the current runs of these connections, whichever server holds them. */
export async function endOpenRuns(
  db: Db,
  connectionIds: readonly string[],
  { outcome, now }: { outcome: RunOutcome; now: EpochMs }
): Promise<void> {
  if (connectionIds.length === 0) return
  await db
    .updateTable('runs')
    .set({ ended_at: now, outcome })
    .where('connection_id', 'in', connectionIds)
    .where('ended_at', 'is', null)
    .execute()
}

/** Removes old runs of a connection, a few at a time. */
export async function trimRuns(db: Db, connectionId: string): Promise<void> {
  const old = db
    .selectFrom('runs')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('ended_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(RUNS_TRIMMED_AT_ONCE)
    .offset(RUNS_KEPT)
  await db.deleteFrom('runs').where('id', 'in', old).execute()
}

function toStoredRun(row: RunRow): StoredRun {
  const { id, trigger, seen, created, updated, unchanged, deleted, failed, skipped } = row
  return {
    id,
    trigger,
    seen,
    created,
    updated,
    unchanged,
    deleted,
    failed,
    skipped,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    outcome: row.outcome ?? undefined,
    error: textOrUndefined(row.error),
    reasons: objectFrom(row.reasons, `the reasons of run ${row.id}`)
  }
}

/** Maximum number of distinct reasons in a run. Further ones are counted together. */
const REASONS_MAX = 20
const OTHER = 'other'

/** Adds the counters of a page to its run, whose current reasons are given. */
export async function countIntoRun(
  db: Pick<Db, 'updateTable'>,
  { runId, reasons }: { runId: string; reasons: string },
  counts: PageCounts & { deleted: number }
): Promise<void> {
  await db
    .updateTable('runs')
    .set(({ eb }) => ({
      seen: eb('seen', '+', counts.seen),
      created: eb('created', '+', counts.created),
      updated: eb('updated', '+', counts.updated),
      unchanged: eb('unchanged', '+', counts.unchanged),
      deleted: eb('deleted', '+', counts.deleted),
      failed: eb('failed', '+', counts.failed),
      skipped: eb('skipped', '+', counts.skipped),
      reasons: mergeReasons(reasons, counts.reasons)
    }))
    .where('id', '=', runId)
    .execute()
}

/** Merges counts of reasons into the stored ones. */
function mergeReasons(before: string, more: Readonly<Record<string, number>>): string {
  const all = new Map(Object.entries(objectFrom<Record<string, number>>(before, 'a count of reasons')))
  for (const [reason, count] of Object.entries(more)) {
    const isKept = all.has(reason) || all.size < REASONS_MAX - 1 || reason === OTHER
    const name = isKept ? reason : OTHER
    all.set(name, (all.get(name) ?? 0) + count)
  }
  return toStored(Object.fromEntries(all))
}
